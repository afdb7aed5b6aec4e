package attention

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/recurrent"
)

// reference is what testdata/reference.py wrote.
type reference struct {
	PyTorch            string
	Lengths            []int32
	T                  []float32
	Size, D, Positions int
	Cases              []referenceCase
}

type referenceCase struct {
	Score, Window string
	R             [][]float32
	Alpha         [][]float64
	Loss          float64
	Names         []string
	Inputs        map[string]struct {
		Dims             []int
		Values, Gradient []float32
	}
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// build is the score and the window of a case.
func (r reference) build(t *testing.T, c referenceCase) (Score, Window) {
	t.Helper()
	size := r.Size
	if c.Score == "location" {
		size = r.Positions
	}
	score, err := NewScore(c.Score, size)
	if err != nil {
		t.Fatal(err)
	}
	window, err := NewWindow(c.Window, r.D)
	if err != nil {
		t.Fatal(err)
	}
	return score, window
}

// arguments are the inputs of a case, number k of one of them moved, and what it holds besides.
func (r reference) arguments(c referenceCase, name string, k int, by float32) (all []any) {
	for _, n := range c.Names {
		values := slices.Clone(c.Inputs[n].Values)
		if n == name {
			values[k] += by
		}
		all = append(all, tensors.FromFlatDataAndDimensions(values, c.Inputs[n].Dims...))
	}
	return append(all, c.R, r.Lengths, r.T)
}

// attend is the loss of reference.py, with the weights α computed inside a loop of one step.
func attend(score Score, window Window, in []*Node) (loss, alpha *Node) {
	n := len(in) - 3
	s, h, weights, r, lengths, t := in[0], in[1], in[2:n], in[n], in[n+1], in[n+2]
	if l, ok := score.(Location); ok {
		lengths = MinScalar(lengths, l.Positions)
	}
	keys := score.Keys(weights, h)
	rows := Iota(r.Graph(), h.Shape(), 1)
	real := LessThan(Squeeze(SliceAxis(rows, 2, AxisRange(0, 1)), -1), ConvertDType(ExpandAxes(lengths, 1), rows.DType()))
	own := len(score.Parameters(s.Shape().Dim(1), h.Shape().Dim(2)))
	step := func(loop *recurrent.Loop, carry, _, shared []*Node) (next, y []*Node) {
		w, h, keys, real, t := shared[:len(weights)], shared[len(weights)], shared[len(weights)+1], shared[len(weights)+2], shared[len(weights)+3]
		e := score.Score(loop, w[:own], carry[0], keys)
		alpha := Weights(window.Narrow(loop, w[own:], e, real, carry[0], t))
		return carry, []*Node{alpha, Context(loop, alpha, h)}
	}
	_, ys := recurrent.Scan(step, []*Node{s}, nil, append(slices.Clone(weights), h, keys, real, t), recurrent.Length(1))
	return ReduceAllSum(Mul(r, Squeeze(ys[1], 0))), Squeeze(ys[0], 0)
}

// In every window the weights of every score, the context and all gradients are PyTorch's, which never saw the padding; and by
// central differences the gradients are right too.
func TestEqualsPyTorch(t *testing.T) {
	r := readReference(t)
	if want := len(ScoreNames()) * 3; len(r.Cases) != want {
		t.Fatalf("%d cases, want every score in every window: %d", len(r.Cases), want)
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range r.Cases {
			t.Run(c.Score+" "+c.Window, func(t *testing.T) {
				score, window := r.build(t, c)
				exec, err := NewExec(e.Backend, func(in []*Node) []*Node {
					loss, alpha := attend(score, window, in)
					return append([]*Node{loss, alpha}, Gradient(loss, in[:len(c.Names)]...)...)
				})
				if err != nil {
					t.Fatal(err)
				}
				defer exec.Finalize()
				call := func(name string, k int, by float32) []*tensors.Tensor {
					out, err := exec.Call(r.arguments(c, name, k, by)...)
					if err != nil {
						t.Fatal(err)
					}
					return out
				}
				out := call("", 0, 0)
				if got := float64(tensors.ToScalar[float32](out[0])); math.Abs(got-c.Loss) > 1e-5 {
					t.Errorf("loss %v, PyTorch has %v", got, c.Loss)
				}
				for i, row := range out[1].Value().([][]float32) {
					sum := 0.0
					for j, a := range row {
						sum += float64(a)
						if want := c.Alpha[i][j]; math.Abs(float64(a)-want) > 1e-6 || want == 0 && a != 0 {
							t.Errorf("α[%d,%d] is %v, PyTorch has %v", i, j, a, want)
						}
					}
					if math.Abs(sum-1) > 1e-6 {
						t.Errorf("row %d sums to %v", i, sum)
					}
				}
				for n, name := range c.Names {
					want := c.Inputs[name].Gradient
					for k, got := range tensors.MustCopyFlatData[float32](out[2+n]) {
						if math.Abs(float64(got-want[k])) > 1e-5 {
							t.Errorf("gradient of %s[%d] is %v, PyTorch has %v", name, k, got, want[k])
						}
					}
					const step = 3e-3
					moved := func(by float32) float64 { return float64(tensors.ToScalar[float32](call(name, 0, by)[0])) }
					if got, want := (moved(step)-moved(-step))/(2*step), float64(want[0]); math.Abs(got-want) > 1e-2*(math.Abs(want)+0.1) {
						t.Errorf("%s[0]: %v by differences, PyTorch has %v", name, got, want)
					}
				}
			})
		}
	})
}

// The weights that a score and a window declare are those of the reference, by name and shape.
func TestParameters(t *testing.T) {
	r := readReference(t)
	for _, c := range r.Cases {
		score, window := r.build(t, c)
		query, value := c.Inputs["s"].Dims[1], c.Inputs["h"].Dims[2]
		if err := score.Fits(query, value); err != nil {
			t.Error(err)
		}
		declared := append(score.Parameters(query, value), window.Parameters(query)...)
		if len(declared) != len(c.Names)-2 {
			t.Errorf("%s %s: %d weights, want %v", c.Score, c.Window, len(declared), c.Names[2:])
			continue
		}
		for i, p := range declared {
			if name := c.Names[2+i]; p.Name != name || !slices.Equal(p.Dims, c.Inputs[name].Dims) {
				t.Errorf("%s %s: %v, want %s %v", c.Score, c.Window, p, name, c.Inputs[name].Dims)
			}
		}
	}
}

// Only the dot products refuse states of two sizes, and say why.
func TestFits(t *testing.T) {
	for _, name := range ScoreNames() {
		score, err := NewScore(name, 3)
		if err != nil || score.Name() != name {
			t.Fatal(score, err)
		}
		err = score.Fits(4, 8)
		if refused := strings.Contains(name, "dot"); (err != nil) != refused {
			t.Errorf("%s with states of 4 and 8 values: %v", name, err)
		} else if refused && (!strings.Contains(err.Error(), "4") || !strings.Contains(err.Error(), "8") || !strings.Contains(err.Error(), "general")) {
			t.Errorf("%v does not say what to do", err)
		}
		if err := score.Fits(4, 4); err != nil {
			t.Error(err)
		}
	}
	if _, err := NewScore("Dot", 3); err == nil || !strings.Contains(err.Error(), "scaled-dot") {
		t.Errorf("no score is named Dot: %v", err)
	}
	if _, err := NewWindow("local", 3); err == nil || !strings.Contains(err.Error(), "local-m, local-p") {
		t.Errorf("no window is named local: %v", err)
	}
}

// Concat is additive with W above U as its matrix.
func TestConcatIsAdditive(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	r := readReference(t)
	c := r.Cases[slices.IndexFunc(r.Cases, func(c referenceCase) bool { return c.Score == "additive" && c.Window == "global" })]
	losses := enginetest.Compute(t, e, func(in []*Node) []*Node {
		additive, _ := attend(Additive{r.Size}, Global{}, in)
		s, h, w, u, v := in[0], in[1], in[2], in[3], in[4]
		concat, _ := attend(Concat{r.Size}, Global{}, append([]*Node{s, h, Concatenate([]*Node{w, u}, 0), v}, in[5:]...))
		return []*Node{additive, concat}
	}, r.arguments(c, "", 0, 0)...)
	if a, b := tensors.ToScalar[float32](losses[0]), tensors.ToScalar[float32](losses[1]); math.Abs(float64(a-b)) > 1e-6 {
		t.Errorf("additive %v, concat %v", a, b)
	}
}
