package recurrent_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"seq2attn/pkg/engine"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// problem is a call of Scan to be tried on an engine: its values and gradients against those of another way to compute them.
type problem struct {
	name              string
	step              Step
	carry, xs, shared []input
	lengths           []int // of the sequences of a padded batch: the mask; nil without
	steps             int   // a runtime count where limited
	limited           bool
	options           []Option
}

// input is an argument of Scan: its dimensions, and what its values are.
type input struct {
	dims []int
	kind kind
}

type kind int

const (
	real    kind = iota // between -1 and 1
	integer             // 0, 1 or 2
	truth               // true or false
)

func reals(dims ...int) input    { return input{dims, real} }
func integers(dims ...int) input { return input{dims, integer} }
func truths(dims ...int) input   { return input{dims, truth} }

// tensor holds values of the kind, drawn from rng, with real numbers of type dtype.
func (in input) tensor(rng *rand.Rand, dtype dtypes.DType) *tensors.Tensor {
	size := shapes.Make(dtypes.Bool, in.dims...).Size()
	switch {
	case in.kind == integer:
		return tensors.FromFlatDataAndDimensions(draw(size, func() int32 { return rng.Int32N(3) }), in.dims...)
	case in.kind == truth:
		return tensors.FromFlatDataAndDimensions(draw(size, func() bool { return rng.IntN(2) == 0 }), in.dims...)
	case dtype == dtypes.Float64:
		return tensors.FromFlatDataAndDimensions(draw(size, func() float64 { return 2*rng.Float64() - 1 }), in.dims...)
	default:
		return tensors.FromFlatDataAndDimensions(draw(size, func() float32 { return float32(2*rng.Float64() - 1) }), in.dims...)
	}
}

func draw[T any](n int, value func() T) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = value()
	}
	return values
}

// instance is a problem with values, compiled on an engine.
type instance struct {
	exec   *Exec
	inputs []*tensors.Tensor
	names  []string // of the real inputs
	real   []int    // their indices
}

// result is what an instance computes: a scalar that depends on all outputs, the outputs, and the gradient of the scalar for each real input.
type result struct {
	loss      float64
	outputs   [][]float64
	gradients [][]float64
}

func (p problem) on(t testing.TB, e *engine.Engine, dtype dtypes.DType, options ...Option) *instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x := &instance{}
	for _, group := range []struct {
		name   string
		inputs []input
	}{{"carry", p.carry}, {"xs", p.xs}, {"shared", p.shared}} {
		for i, in := range group.inputs {
			if in.kind == real {
				x.names = append(x.names, fmt.Sprintf("%s[%d]", group.name, i))
				x.real = append(x.real, len(x.inputs))
			}
			x.inputs = append(x.inputs, in.tensor(rng, dtype))
		}
	}
	if p.lengths != nil {
		x.inputs = append(x.inputs, maskOf(p.xs[0].dims[0], p.lengths))
	}
	if p.limited {
		x.inputs = append(x.inputs, tensors.FromValue(int32(p.steps)))
	}
	var err error
	x.exec, err = NewExec(e.Backend, func(in []*Node) []*Node { return p.graph(in, dtype, options) })
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// graph computes loss, outputs and gradients.
func (p problem) graph(in []*Node, dtype dtypes.DType, options []Option) []*Node {
	all, n := in, 0
	take := func(inputs []input) []*Node {
		n += len(inputs)
		return all[n-len(inputs) : n : n]
	}
	carry, xs, shared := take(p.carry), take(p.xs), take(p.shared)
	options = append(append([]Option{}, p.options...), options...)
	if p.lengths != nil {
		options = append(options, Masked(all[n]))
		n++
	}
	if p.limited {
		options = append(options, Steps(all[n]))
	}
	last, ys := Scan(p.step, carry, xs, shared, options...)
	outputs := append(append([]*Node{}, last...), ys...)
	loss := Const(in[0].Graph(), float64(0))
	for i, o := range outputs {
		if o.DType().IsFloat() {
			direction := Sin(AddScalar(Iota(o.Graph(), shapes.Make(dtypes.Float64, o.Shape().Size()), 0), float64(i)))
			loss = Add(loss, ReduceAllSum(Mul(ConvertDType(Reshape(o, -1), dtypes.Float64), direction)))
		}
	}
	var wrt []*Node
	for _, node := range append(append(append([]*Node{}, carry...), xs...), shared...) {
		if node.DType().IsFloat() {
			wrt = append(wrt, node)
		}
	}
	return append(append([]*Node{loss}, outputs...), Gradient(loss, wrt...)...)
}

func (x *instance) run(t testing.TB) result {
	t.Helper()
	args := make([]any, len(x.inputs))
	for i, in := range x.inputs {
		args[i] = in
	}
	out, err := x.exec.Call(args...)
	if err != nil {
		t.Fatal(err)
	}
	r := result{loss: out[0].Value().(float64)}
	for i, o := range out[1:] {
		if i < len(out)-1-len(x.real) {
			r.outputs = append(r.outputs, flat(o))
		} else {
			r.gradients = append(r.gradients, flat(o))
		}
	}
	return r
}

// flat are the values of a tensor as numbers.
func flat(t *tensors.Tensor) []float64 {
	var values []float64
	t.MustConstFlatData(func(data any) {
		switch data := data.(type) {
		case []float64:
			values = append(values, data...)
		case []float32:
			for _, v := range data {
				values = append(values, float64(v))
			}
		case []int32:
			for _, v := range data {
				values = append(values, float64(v))
			}
		case []bool:
			for _, v := range data {
				if v {
					values = append(values, 1)
				} else {
					values = append(values, 0)
				}
			}
		}
	})
	return values
}

// maskOf is true [T,B] in the first steps of each column, as many as its length.
func maskOf(t int, lengths []int) *tensors.Tensor {
	mask := make([]bool, t*len(lengths))
	for j, n := range lengths {
		for i := range n {
			mask[i*len(lengths)+j] = true
		}
	}
	return tensors.FromFlatDataAndDimensions(mask, t, len(lengths))
}

// differences is the gradient of an instance's loss by central differences: for Float64.
func (x *instance) differences(t testing.TB) [][]float64 {
	t.Helper()
	const h = 1e-5
	d := make([][]float64, len(x.real))
	for k, i := range x.real {
		kept := x.inputs[i]
		values := flat(kept)
		at := func(j int, v float64) float64 {
			moved := append([]float64{}, values...)
			moved[j] = v
			x.inputs[i] = tensors.FromFlatDataAndDimensions(moved, kept.Shape().Dimensions...)
			return x.run(t).loss
		}
		for j, v := range values {
			d[k] = append(d[k], (at(j, v+h)-at(j, v-h))/(2*h))
		}
		x.inputs[i] = kept
	}
	return d
}

// compare fails where values differ by more than tolerance, relative to the largest of both lists where that is above 1.
func compare(t testing.TB, what string, got, want [][]float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d, want %d", what, len(got), len(want))
	}
	for i := range want {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("%s %d: %d values, want %d", what, i, len(got[i]), len(want[i]))
		}
		scale := 1.0
		for _, v := range want[i] {
			scale = max(scale, math.Abs(v))
		}
		for j := range want[i] {
			if difference := math.Abs(got[i][j] - want[i][j]); !(difference <= tolerance*scale) {
				t.Errorf("%s %d at %d: %g, want %g", what, i, j, got[i][j], want[i][j])
				break
			}
		}
	}
}
