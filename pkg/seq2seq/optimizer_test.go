package seq2seq

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	gomlx "github.com/gomlx/gomlx/ml/train/optimizer"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/recurrent"
)

// PyTorch 2.5.1's Adam (ε 1e-7) and SGD, learning rate 0.1, three updates by known gradients, their norm limited to 1 or not (testdata/optimizer.py).
func TestOptimizerLikePyTorch(t *testing.T) {
	gradients := [][][]float32{
		{{0.3, -0.4, 0}, {1.2, -0.5}},
		{{-2, 0.1, 0.6}, {0, 3}},
		{{0.01, 0.02, -0.03}, {0.04, 0.05}},
	}
	for _, test := range []struct {
		name  string
		limit float64
		want  []float64
	}{
		{"adam", 0, []float64{0.5125463604927063, -0.8199039697647095, 1.8713278770446777, 0.02909700572490692, -0.7616651058197021}},
		{"adam", 1, []float64{0.47816696763038635, -0.7987812161445618, 1.8804974555969238, 0.028288699686527252, -0.7267941832542419}},
		{"sgd", 0, []float64{0.6690000295639038, -0.9719999432563782, 1.9429999589920044, 0.12600000202655792, -1.0049999952316284}},
		{"sgd", 1, []float64{0.532158374786377, -0.9760164618492126, 1.98659086227417, 0.1598450243473053, -0.8011477589607239}},
	} {
		t.Run(fmt.Sprintf("%s, limit %g", test.name, test.limit), func(t *testing.T) {
			store := model.NewStore()
			weights := []*model.Variable{
				store.VariableWithValue("/a", []float32{0.5, -1, 2}),
				store.VariableWithValue("/b", [][]float32{{0.25}, {-0.75}}),
			}
			o := newOptimizer(test.name, store, weights)
			for i, g := range gradients {
				if err := o.update(inParts(g), i+1, 0.1, test.limit); err != nil {
					t.Fatal(err)
				}
			}
			got := append(floats(weights[0].MustValue()), floats(weights[1].MustValue())...)
			for i, want := range test.want {
				if math.Abs(float64(got[i])-want) > 2e-6 {
					t.Errorf("weight %d is %.8f, want %.8f", i, got[i], want)
				}
			}
		})
	}
}

// GoMLX's own optimizers, as graphs, on weights of many sizes and on either engine.
func TestOptimizerLikeGoMLX(t *testing.T) {
	sizes := [][]int{{1}, {2}, {3, 5}, {7}, {16, 33}, {128}}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, name := range []string{"adam", "sgd"} {
			for _, limit := range []float64{0, 0.5} {
				t.Run(fmt.Sprintf("%s, limit %g", name, limit), func(t *testing.T) {
					random := rand.New(rand.NewPCG(1, 2))
					ours, theirs := model.NewStore(), model.NewStore()
					var weights []*model.Variable
					for i, dims := range sizes {
						value := tensors.FromShape(shapes.Make(dtypes.Float32, dims...))
						tensors.MustMutableFlatData(value, func(flat []float32) { fill(flat, random) })
						clone, err := value.LocalClone()
						if err != nil {
							t.Fatal(err)
						}
						weights = append(weights, ours.VariableWithValue(fmt.Sprintf("/w/%d", i), value))
						theirs.VariableWithValue(fmt.Sprintf("/w/%d", i), clone)
					}
					o := newOptimizer(name, ours, weights)
					var peer gomlx.Interface = gomlx.StochasticGradientDescent().WithLearningRate(0.01).WithDecay(false).Done()
					if name == "adam" {
						peer = gomlx.Adam().LearningRate(0.01).Done()
					}
					if limit > 0 {
						peer = recurrent.Clipped(peer, limit)
					}
					step := model.MustNewExec(e.Backend, theirs, func(scope *model.Scope, in []*graph.Node) *graph.Node {
						for i := range in {
							theirs.GetVariable(fmt.Sprintf("/w/%d", i)).NodeValue(in[0].Graph())
						}
						peer.(interface {
							UpdateGraphWithGradients(*model.Scope, []*graph.Node, dtypes.DType)
						}).UpdateGraphWithGradients(scope, in, dtypes.Float32)
						return graph.ReduceAllSum(in[0])
					})
					for number := 1; number <= 5; number++ {
						var gradients [][]float32
						var inputs []any
						for _, dims := range sizes {
							value := tensors.FromShape(shapes.Make(dtypes.Float32, dims...))
							tensors.MustMutableFlatData(value, func(flat []float32) { fill(flat, random) })
							gradients = append(gradients, floats(value))
							inputs = append(inputs, value)
						}
						step.MustCall(inputs...)
						if err := o.update(inParts(gradients), number, 0.01, limit); err != nil {
							t.Fatal(err)
						}
					}
					for i, v := range weights {
						got, want := floats(v.MustValue()), floats(theirs.GetVariable(fmt.Sprintf("/w/%d", i)).MustValue())
						for k := range want {
							if math.Abs(float64(got[k]-want[k])) > 1e-6 {
								t.Fatalf("weight %v[%d] is %v, want %v", sizes[i], k, got[k], want[k])
							}
						}
					}
				})
			}
		}
	})
}

// A gradient that is not finite moves nothing, neither a weight nor a moment, wherever in it the number is.
func TestOptimizerRefuses(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		for at := range 7 {
			store := model.NewStore()
			weights := []*model.Variable{store.VariableWithValue("/w", []float32{1, 2, 3, 4, 5, 6, 7})}
			o := newOptimizer("adam", store, weights)
			gradient := make([]float32, 7)
			gradient[at] = bad
			if err := o.update(inParts([][]float32{gradient}), 1, 0.1, 1); !errors.Is(err, errNotFinite) {
				t.Fatalf("%v at %d: error %v", bad, at, err)
			}
			for v := range store.IterVariables() {
				for k, x := range floats(v.MustValue()) {
					want := float32(0) // a moment
					if v == weights[0] {
						want = float32(k + 1)
					}
					if x != want {
						t.Fatalf("%v at %d: %s[%d] is %v", bad, at, v.Path(), k, x)
					}
				}
			}
		}
	}
}

// inParts is a gradient as the sum of two.
func inParts(gradient [][]float32) (of [parts][][]float32) {
	for _, g := range gradient {
		a, b := make([]float32, len(g)), make([]float32, len(g))
		for k := range g {
			a[k] = g[k] * float32(k%3) / 2 // none, half or all of it
			b[k] = g[k] - a[k]
		}
		of[0], of[1] = append(of[0], a), append(of[1], b)
	}
	return of
}

func fill(values []float32, random *rand.Rand) {
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
}
