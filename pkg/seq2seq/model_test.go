package seq2seq

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/attention"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// reference is what testdata/reference.py or testdata/transformer.py wrote.
type reference struct {
	X, Y                   [][]int32
	XLengths, YLengths     []int32
	SourceSize, TargetSize int
	Embedding, Hidden      int
	AttentionSize, Maxout  int
	D, Positions           int
	Heads, FeedForward     int
	PyTorch                string
	Cases                  []referenceCase
}

type referenceCase struct {
	of            *reference
	number        int
	Wiring        Wiring
	Cell          string
	Layers        int
	Bidirectional bool
	Readout       Readout
	Attention     string
	Window        Window
	ReverseSource bool
	PreNorm       bool
	Loss          float64
	Weights       map[string]struct {
		Dims             []int
		Values, Gradient []float32
	}
}

func (c referenceCase) String() string {
	if c.Wiring == WiringVaswani {
		return fmt.Sprintf("%s-%d-%v", c.Wiring, c.Layers, c.PreNorm)
	}
	return fmt.Sprintf("%s-%s-%d-%v-%s-%s-%s", c.Wiring, c.Cell, c.Layers, c.Bidirectional, c.Readout, c.Attention, c.Window)
}

// references are the cases of both.
func references(t *testing.T) []referenceCase {
	t.Helper()
	return slices.Concat(readReference(t, "reference").Cases, readReference(t, "transformer").Cases)
}

func readReference(t *testing.T, name string) *reference {
	t.Helper()
	r := &reference{}
	file, err := os.Open("testdata/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(text).Decode(r); err != nil {
		t.Fatal(err)
	}
	for i := range r.Cases {
		r.Cases[i].of, r.Cases[i].number = r, i
	}
	return r
}

// architecture and store are those of one case.
func (c referenceCase) build(t *testing.T) (architecture, *model.Store) {
	t.Helper()
	r := c.of
	config := Config{Wiring: c.Wiring, Cell: c.Cell, Layers: c.Layers, Bidirectional: c.Bidirectional, Readout: c.Readout,
		Embedding: r.Embedding, Hidden: r.Hidden, AttentionSize: r.AttentionSize, Maxout: r.Maxout, EmbeddingDeviation: 1, TeacherForcing: 1,
		Attention: c.Attention, Window: c.Window, WindowSize: r.D, ReverseSource: c.ReverseSource, SourceEOS: true,
		Heads: r.Heads, FeedForward: r.FeedForward, PreNorm: c.PreNorm}
	if c.Attention == ScoreLocation {
		config.AttentionSize = r.Positions
	}
	store := model.NewStore()
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) { // one order, one graph: it need not be compiled again
		w := c.Weights[name]
		if _, err := store.CreateVariable("/"+weightScope+"/"+name, tensors.FromFlatDataAndDimensions(w.Values, w.Dims...)); err != nil {
			t.Fatal(err)
		}
	}
	return newArchitecture(config, r.SourceSize, r.TargetSize), store
}

// meanNats is the loss of a batch, in nats a token.
func meanNats(n architecture, scope *model.Scope, in []*graph.Node) *graph.Node {
	logits, _ := n.with(scope, in[0].Graph()).forward(in[0], in[1], in[2], in[3], dropout{}, false)
	real := graph.Reshape(reals(in[3], in[2].Shape().Dim(0)), -1)
	sum := graph.ReduceAllSum(nats(graph.Reshape(logits, -1, logits.Shape().Dim(-1)), graph.Reshape(in[2], -1), real))
	return graph.Div(sum, graph.ConvertDType(graph.ReduceAllSum(in[3]), sum.DType()))
}

// onXLA chooses the cases to compile for XLA, which takes seconds each: what there is in them once, each score, and each window under each
// wiring; for short tests fewer. The Go engine computes all.
func (c referenceCase) onXLA() bool {
	i := c.number
	if c.of.Heads > 0 {
		return i == 0
	}
	const named, windows = 12, 3 // the first cases are chosen one by one, the rest is a grid
	if i < named {
		return slices.Contains([]int{0, 3, 5, 10}, i) || !testing.Short() && slices.Contains([]int{4, 9}, i)
	}
	scores := len(attention.ScoreNames())
	i -= named
	wiring, score, window := i/(scores*windows), i/windows%scores, i%windows
	return score == (wiring*windows+window)%scores && !testing.Short()
}

// The loss and the gradient of every weight are PyTorch's, which computed them sentence by sentence: so padding and an empty column
// change nothing either.
func TestModelsEqualPyTorch(t *testing.T) {
	cases := references(t)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range cases {
			r := c.of
			t.Run(c.String(), func(t *testing.T) {
				if e.Kind == engine.XLA && !c.onXLA() {
					t.Skip("takes seconds to compile: the forms that the other cases have parts of are left to the Go engine")
				}
				n, store := c.build(t)
				before := store.NumVariables()
				var names []string
				out := enginetest.ComputeWith(t, e, store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
					loss := meanNats(n, scope, in)
					for v := range scope.IterVariables() {
						names = append(names, v.Path()[len(weightScope)+2:])
					}
					return append([]*graph.Node{loss}, scope.BuildTrainableVariablesGradientsGraph(loss)...)
				}, r.X, r.XLengths, r.Y, r.YLengths)
				if after := store.NumVariables(); after != before {
					t.Fatalf("the model has %d weights, the reference %d", after, before)
				}
				if got := scalar(out[0]); math.Abs(got-c.Loss) > 1e-5*c.Loss {
					t.Errorf("loss %v, PyTorch has %v", got, c.Loss)
				}
				if len(out) != 1+len(c.Weights) {
					t.Fatalf("%d gradients, want %d", len(out)-1, len(c.Weights))
				}
				for i, gradient := range out[1:] {
					want := c.Weights[names[i]].Gradient
					largest := 0.0
					for _, v := range want {
						largest = max(largest, math.Abs(float64(v)))
					}
					for k, v := range floats(gradient) {
						if math.Abs(float64(v-want[k])) > 1e-4*largest+1e-6 {
							t.Errorf("gradient of %s[%d] is %v, PyTorch has %v", names[i], k, v, want[k])
							break
						}
					}
				}
			})
		}
	})
}

// The gradient is also what the loss does along a random direction, by central differences.
func TestGradientsByDifferences(t *testing.T) {
	cases := references(t)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range cases {
			i, r := c.number, c.of
			if c.Readout == ReadoutMaxout || c.Window == WindowLocalP {
				continue // not smooth: a maxout has kinks, and positions step in and out of a window that moves
			}
			if e.Kind == engine.XLA && i != 6 && (i != 9 || testing.Short()) {
				continue // compiling takes long
			}
			t.Run(c.String(), func(t *testing.T) {
				n, store := c.build(t)
				var weights []*model.Variable
				var direction, start [][]float32
				random := rand.New(rand.NewPCG(1, 1))
				exec := model.MustNewExec(e.Backend, store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
					loss := meanNats(n, scope, in)
					return append([]*graph.Node{loss}, scope.BuildTrainableVariablesGradientsGraph(loss)...)
				})
				defer exec.Finalize()
				for v := range store.IterVariables() {
					weights = append(weights, v)
				}
				slices.SortFunc(weights, func(a, b *model.Variable) int { return strings.Compare(a.Path(), b.Path()) })
				for _, v := range weights {
					start = append(start, floats(v.MustValue()))
					d := make([]float32, v.Shape().Size())
					for i := range d {
						d[i] = float32(random.NormFloat64())
					}
					direction = append(direction, d)
				}
				at := func(step float32) []*tensors.Tensor {
					for k, v := range weights {
						moved := slices.Clone(start[k])
						for i := range moved {
							moved[i] += step * direction[k][i]
						}
						v.MustSetValue(tensors.FromFlatDataAndDimensions(moved, v.Shape().Dimensions...))
					}
					out, err := exec.Call(r.X, r.XLengths, r.Y, r.YLengths)
					if err != nil {
						t.Fatal(err)
					}
					return out
				}
				const step = 3e-3
				difference := (scalar(at(step)[0]) - scalar(at(-step)[0])) / (2 * step)
				slope := 0.0
				gradients := at(0)[1:]
				k := 0
				for v := range store.IterVariables() { // the order of the gradients
					d := direction[slices.Index(weights, v)]
					for i, g := range floats(gradients[k]) {
						slope += float64(g * d[i])
					}
					k++
				}
				if math.Abs(slope-difference) > 1e-2*math.Abs(difference) {
					t.Errorf("slope %v by the gradient, %v by differences", slope, difference)
				}
			})
		}
	})
}

// A sentence has the same logits alone and beside a much longer one, to 1e-5, and its attention is 0 on padding.
func TestBatchMatesChangeNothing(t *testing.T) {
	cases := references(t)
	long := make([]int32, 30)
	for i := range long {
		long[i] = int32(3 + i%5)
	}
	long[29] = 2
	// The short sentence is the first column; S and T are 3 alone, 30 in company.
	alone := []any{[][]int32{{4}, {5}, {2}}, []int32{3}, [][]int32{{3}, {6}, {2}}, []int32{3}}
	x, y := make([][]int32, 30), make([][]int32, 30)
	for i := range x {
		x[i], y[i] = []int32{0, long[i]}, []int32{0, long[i]}
	}
	x[0][0], x[1][0], x[2][0] = 4, 5, 2
	y[0][0], y[1][0], y[2][0] = 3, 6, 2
	together := []any{x, []int32{3, 30}, y, []int32{3, 30}}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range cases {
			i := c.number
			if e.Kind == engine.XLA && !slices.Contains([]int{0, 3, 5, 10}, i) {
				continue // compiling takes long
			}
			t.Run(c.String(), func(t *testing.T) {
				n, store := c.build(t)
				run := func(in []any) (logits, alpha []float32, positions int) {
					out := enginetest.ComputeWith(t, e, store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
						logits, alpha := n.with(scope, in[0].Graph()).forward(in[0], in[1], in[2], in[3], dropout{}, true)
						first := []*graph.Node{graph.Slice(logits, graph.AxisRange(0, 3), graph.AxisElem(0))}
						if alpha != nil {
							first = append(first, graph.Slice(alpha, graph.AxisRange(0, 3), graph.AxisElem(0)))
						}
						return first
					}, in...)
					if len(out) == 1 {
						return floats(out[0]), nil, 0
					}
					return floats(out[0]), floats(out[1]), out[1].Shape().Dim(2)
				}
				want, wantAlpha, _ := run(alone)
				got, gotAlpha, positions := run(together)
				for i := range want {
					if math.Abs(float64(got[i]-want[i])) > 1e-5 {
						t.Fatalf("logit %d is %v in company, %v alone", i, got[i], want[i])
					}
				}
				for row := range len(gotAlpha) / max(1, positions) {
					for j := range positions {
						a := gotAlpha[row*positions+j]
						if j >= 3 && a != 0 || j < 3 && math.Abs(float64(a-wantAlpha[row*3+j])) > 1e-5 {
							t.Errorf("α of row %d, position %d is %v", row, j, a)
						}
					}
				}
			})
		}
	})
}

// A batch of nothing but empty columns has no loss, no gradient, and no NaN.
func TestEmptyColumns(t *testing.T) {
	cases := references(t)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range cases {
			i := c.number
			if e.Kind == engine.XLA && i != 5 && (i != 10 || testing.Short()) {
				continue // compiling takes long
			}
			n, store := c.build(t)
			out := enginetest.ComputeWith(t, e, store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
				logits, _ := n.with(scope, in[0].Graph()).forward(in[0], in[1], in[2], in[3], dropout{}, false)
				real := graph.Reshape(reals(in[3], 2), -1)
				loss := graph.ReduceAllSum(nats(graph.Reshape(logits, -1, logits.Shape().Dim(-1)), graph.Reshape(in[2], -1), real))
				return append([]*graph.Node{loss}, scope.BuildTrainableVariablesGradientsGraph(loss)...)
			}, [][]int32{{0, 0}, {0, 0}, {0, 0}}, []int32{0, 0}, [][]int32{{0, 0}, {0, 0}}, []int32{0, 0})
			for i, o := range out {
				for _, v := range flat(o) {
					if v != 0 {
						t.Fatalf("%s: output %d is %v", c, i, v)
					}
				}
			}
		}
	})
}

// flat are the values of a tensor of any rank.
func flat(t *tensors.Tensor) []float32 {
	if t.IsScalar() {
		return []float32{tensors.ToScalar[float32](t)}
	}
	return floats(t)
}

// Dropout zeroes about the share it says and keeps the mean; outside of training it does nothing.
func TestDropout(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		random, err := randomStates(3, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, training := range []bool{true, false} {
			out := floats(enginetest.ComputeWith(t, e, model.NewStore(), func(_ *model.Scope, in []*graph.Node) []*graph.Node {
				drop := dropout{rate: 0.25}
				if training {
					drop.chance = &chance{in[1]}
				}
				return []*graph.Node{drop.out(in[0]), in[1]} // in[1] is there to be used
			}, tensors.FromFlatDataAndDimensions(ones(10000), 100, 100), random[0])[0])
			zeros, sum := 0, 0.0
			for _, v := range out {
				if v == 0 {
					zeros++
				}
				sum += float64(v)
			}
			want := map[bool]int{true: 2500, false: 0}[training]
			if math.Abs(float64(zeros-want)) > 200 || math.Abs(sum/1e4-1) > 0.03 {
				t.Errorf("training %v: %d of 10,000 are zero and the mean is %v", training, zeros, sum/1e4)
			}
		}
	})
}

func ones(n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = 1
	}
	return values
}
