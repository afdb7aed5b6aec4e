package recurrent_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// reference is testdata/reference.json, which reference.py made with PyTorch.
type reference struct {
	Torch   string
	Lengths []int
	Cases   []referenceCase
}

type referenceCase struct {
	Cell      string
	Reverse   bool
	X         [][][]float64
	State     [][][]float64
	Weights   map[string]any
	Outputs   [][][]float64
	Last      [][][]float64
	Gradients struct {
		X       [][][]float64
		State   [][][]float64
		Weights map[string]any
	}
}

func readReference(t *testing.T) reference {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// numbers are the numbers in nested lists, in order.
func numbers(nested any) []float64 {
	switch nested := nested.(type) {
	case float64:
		return []float64{nested}
	case []any:
		var all []float64
		for _, n := range nested {
			all = append(all, numbers(n)...)
		}
		return all
	case [][]float64:
		var all []float64
		for _, row := range nested {
			all = append(all, row...)
		}
		return all
	case [][][]float64:
		var all []float64
		for _, rows := range nested {
			all = append(all, numbers(rows)...)
		}
		return all
	}
	panic(fmt.Sprintf("%T", nested))
}

// tensorOf holds numbers as dtype.
func tensorOf(values []float64, dtype dtypes.DType, dims ...int) *tensors.Tensor {
	if dtype == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(values, dims...)
	}
	single := make([]float32, len(values))
	for i, v := range values {
		single[i] = float32(v)
	}
	return tensors.FromFlatDataAndDimensions(single, dims...)
}

// TestLayerAgainstPyTorch has both directions of each cell over ragged sequences.
func TestLayerAgainstPyTorch(t *testing.T) {
	r := readReference(t)
	cells := map[string]Cell{"RNN": RNN{}, "GRU": GRU{}, "GRU reset after": GRU{ResetAfter: true}, "LSTM": LSTM{}}
	directions := map[string][]referenceCase{}
	for _, c := range r.Cases {
		directions[c.Cell] = append(directions[c.Cell], c)
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for name, cell := range cells {
			cases := directions[name]
			if len(cases) != 2 || cases[0].Reverse || !cases[1].Reverse {
				t.Fatalf("%s: the reference has not both directions", name)
			}
			for dtype, tolerance := range map[dtypes.DType]float64{dtypes.Float64: 1e-12, dtypes.Float32: 1e-6} {
				if testing.Short() && dtype == dtypes.Float32 {
					continue
				}
				t.Run(name+"/"+dtype.String(), func(t *testing.T) { checkReference(t, e, cell, cases, r.Lengths, dtype, tolerance) })
			}
		}
	})
}

// checkReference runs both directions in one graph.
func checkReference(t *testing.T, e *engine.Engine, cell Cell, cases []referenceCase, lengths []int, dtype dtypes.DType, tolerance float64) {
	steps, batch, width, hidden := len(cases[0].X), len(cases[0].X[0]), len(cases[0].X[0][0]), len(cases[0].State[0][0])
	var args []any
	var want [][]float64
	for _, c := range cases {
		// The inputs in the order x, initial state, W, b, recurrent weights.
		gradients := [][]float64{numbers(c.Gradients.X)}
		args = append(args, tensorOf(numbers(c.X), dtype, steps, batch, width))
		for i, s := range c.State {
			args = append(args, tensorOf(numbers(s), dtype, batch, hidden))
			gradients = append(gradients, numbers(c.Gradients.State[i]))
		}
		for _, w := range append([]Shape{{"W", []int{width, cell.Gates() * hidden}}, {"b", []int{cell.Gates() * hidden}}}, cell.Recurrent(hidden)...) {
			args = append(args, tensorOf(numbers(c.Weights[w.Name]), dtype, w.Dims...))
			gradients = append(gradients, numbers(c.Gradients.Weights[w.Name]))
		}
		want = append(want, numbers(c.Outputs))
		for _, s := range c.Last {
			want = append(want, numbers(s))
		}
		want = append(want, gradients...)
	}
	exec, err := NewExec(e.Backend, func(in []*Node) []*Node {
		in, mask := in[:len(in)-1], in[len(in)-1]
		direction := func(in []*Node, options ...Option) []*Node {
			n := 1 + cell.States()
			h, last := Layer(cell, Weights{W: in[n], B: in[n+1], U: in[n+2:]}, in[0], in[1:n], options...)
			results := append([]*Node{h}, last...)
			loss := ScalarZero(in[0].Graph(), dtype)
			for i, o := range results {
				factors := Sin(AddScalar(Iota(in[0].Graph(), shapes.Make(dtype, o.Shape().Size()), 0), float64(i)))
				loss = Add(loss, ReduceAllSum(Mul(Reshape(o, -1), factors)))
			}
			return append(results, Gradient(loss, in...)...)
		}
		half := len(in) / 2
		return append(direction(in[:half], Masked(mask)), direction(in[half:], Masked(mask), Reversed())...)
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Call(append(args, maskOf(steps, lengths))...)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for _, o := range out {
		got = append(got, flat(o))
	}
	compare(t, "result", got, want, tolerance)
}

func TestLayerStartsAtZero(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		cell := LSTM{}
		exec, err := NewExec(e.Backend, func(x, w, b, u, zeros *Node) []*Node {
			weights := Weights{W: w, B: b, U: []*Node{u}}
			h, last := Layer(cell, weights, x, nil)
			sameH, sameLast := Layer(cell, weights, x, []*Node{zeros, zeros})
			return []*Node{h, last[1], sameH, sameLast[1]}
		})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		var args []any
		for _, in := range []input{reals(3, 1, 2), reals(2, 8), reals(8), reals(2, 8)} {
			args = append(args, in.tensor(rng, dtypes.Float32))
		}
		out, err := exec.Call(append(args, [][]float32{{0, 0}})...)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "h, c", [][]float64{flat(out[0]), flat(out[1])}, [][]float64{flat(out[2]), flat(out[3])}, 0)
	})
}
