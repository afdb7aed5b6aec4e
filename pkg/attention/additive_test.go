package attention

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/recurrent"
)

// reference is what testdata/reference.py wrote.
type reference struct {
	PyTorch string
	Lengths []int32
	R       [][]float32
	Alpha   [][]float64
	Loss    float64
	Inputs  map[string]struct {
		Dims             []int
		Values, Gradient []float32
	}
}

// attend is the loss of reference.py, with the score computed inside a loop of one step, and the weights α.
func attend(names []string, in []*Node) (loss, alpha *Node) {
	inputs := map[string]*Node{}
	for i, name := range names {
		inputs[name] = in[i]
	}
	r, lengths := in[len(names)], in[len(names)+1]
	score := Additive{Size: inputs["v"].Shape().Dim(0)}
	weights := []*Node{inputs["W"], inputs["U"], inputs["v"]}
	keys := score.Keys(weights, inputs["h"])
	rows := Iota(r.Graph(), keys.Shape(), 1)
	mask := LessThan(Squeeze(Slice(rows, AxisRange(), AxisRange(), AxisRange(0, 1)), -1), ConvertDType(ExpandAxes(lengths, 1), rows.DType()))
	step := func(loop *recurrent.Loop, carry, _, shared []*Node) (next, y []*Node) {
		alpha := Weights(score.Score(loop, shared[:3], carry[0], shared[3]), shared[5])
		return carry, []*Node{alpha, Context(loop, alpha, shared[4])}
	}
	_, ys := recurrent.Scan(step, []*Node{inputs["s"]}, nil, append(weights, keys, inputs["h"], mask), recurrent.Length(1))
	return ReduceAllSum(Mul(r, Squeeze(ys[1], 0))), Squeeze(ys[0], 0)
}

// The weights, the context and all gradients are PyTorch's, which never saw the padding.
func TestAdditiveEqualsPyTorch(t *testing.T) {
	var r reference
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	names := []string{"s", "h", "W", "U", "v"}
	arguments := func(name string, k int, by float32) (all []any) {
		for _, n := range names {
			values := append([]float32(nil), r.Inputs[n].Values...)
			if n == name {
				values[k] += by
			}
			all = append(all, tensors.FromFlatDataAndDimensions(values, r.Inputs[n].Dims...))
		}
		return append(all, r.R, r.Lengths)
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(in []*Node) []*Node {
			loss, alpha := attend(names, in)
			return append([]*Node{loss, alpha}, Gradient(loss, in[:len(names)]...)...)
		})
		if err != nil {
			t.Fatal(err)
		}
		defer exec.Finalize()
		out, err := exec.Call(arguments("", 0, 0)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(tensors.ToScalar[float32](out[0])); math.Abs(got-r.Loss) > 1e-5 {
			t.Errorf("loss %v, PyTorch has %v", got, r.Loss)
		}
		for i, row := range out[1].Value().([][]float32) {
			for j, a := range row {
				if math.Abs(float64(a)-r.Alpha[i][j]) > 1e-6 {
					t.Errorf("α[%d,%d] is %v, PyTorch has %v", i, j, a, r.Alpha[i][j])
				}
			}
		}
		for n, name := range names {
			for k, got := range tensors.MustCopyFlatData[float32](out[2+n]) {
				if want := r.Inputs[name].Gradient[k]; math.Abs(float64(got-want)) > 1e-5 {
					t.Errorf("gradient of %s[%d] is %v, PyTorch has %v", name, k, got, want)
				}
			}
			// And by central differences, of the first number of each.
			const step = 1e-2
			var moved [2]float64
			for i, by := range []float32{step, -step} {
				out, err := exec.Call(arguments(name, 0, by)...)
				if err != nil {
					t.Fatal(err)
				}
				moved[i] = float64(tensors.ToScalar[float32](out[0]))
			}
			if got, want := (moved[0]-moved[1])/(2*step), float64(r.Inputs[name].Gradient[0]); math.Abs(got-want) > 1e-2*(math.Abs(want)+0.1) {
				t.Errorf("%s[0]: %v by differences, PyTorch has %v", name, got, want)
			}
		}
	})
}

func TestAdditiveParameters(t *testing.T) {
	a := Additive{Size: 4}
	if a.Name() != "additive" {
		t.Error(a.Name())
	}
	dims := map[string][2]int{"W": {3, 4}, "U": {5, 4}, "v": {4, 1}}
	for _, p := range a.Parameters(3, 5) {
		if want := dims[p.Name]; len(p.Dims) != 2 || p.Dims[0] != want[0] || p.Dims[1] != want[1] {
			t.Errorf("%s is %v, want %v", p.Name, p.Dims, want)
		}
		delete(dims, p.Name)
	}
	if len(dims) != 0 {
		t.Errorf("missing: %v", dims)
	}
}
