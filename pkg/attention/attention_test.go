package attention

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// Weights sum to 1 over the real positions, are 0 on padding exactly, and are those of a softmax; the largest scores overflow nothing. A
// row without real positions is 0, and so is its gradient.
func TestWeights(t *testing.T) {
	e := [][]float32{{1, 2, 3, 4}, {200, -200, 100, 0}, {5, 5, 1e30, -1e30}, {7, 8, 9, 10}, {0, 3, 0, 0}}
	mask := [][]bool{{true, true, true, true}, {true, true, true, false}, {true, true, false, false}, {false, false, false, false}, {false, true, false, false}}
	enginetest.Each(t, func(t *testing.T, engine *engine.Engine) {
		out := enginetest.Compute(t, engine, func(in []*Node) []*Node {
			alpha := Weights(in[0], in[1])
			// A gradient that is not the same for all positions: it would vanish by itself.
			loss := ReduceAllSum(Mul(alpha, IotaFull(alpha.Graph(), alpha.Shape())))
			return []*Node{alpha, Gradient(loss, in[0])[0]}
		}, e, mask)
		alpha, gradient := out[0].Value().([][]float32), out[1].Value().([][]float32)
		for i, row := range alpha {
			largest, total := math.Inf(-1), 0.0
			for j, real := range mask[i] {
				if real {
					largest = max(largest, float64(e[i][j]))
				}
			}
			for j, real := range mask[i] {
				if real {
					total += math.Exp(float64(e[i][j]) - largest)
				}
			}
			for j, a := range row {
				want := 0.0
				if mask[i][j] {
					want = math.Exp(float64(e[i][j])-largest) / total
				}
				if math.Abs(float64(a)-want) > 1e-6 || !mask[i][j] && a != 0 {
					t.Errorf("α[%d,%d] is %v, want %v", i, j, a, want)
				}
				g := float64(gradient[i][j])
				if math.IsNaN(g) || math.IsInf(g, 0) || !mask[i][j] && g != 0 || i == 4 && math.Abs(g) > 1e-6 {
					t.Errorf("gradient [%d,%d] is %v", i, j, g)
				}
			}
		}
	})
}

// A batch of one has its softmax over the source, not over the batch.
func TestWeightsOfBatchOfOne(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		f := func(in []*Node) []*Node { return []*Node{Weights(in[0], in[1])} }
		one := enginetest.Compute(t, e, f, [][]float32{{1, 2, 3}}, [][]bool{{true, true, true}})[0].Value().([][]float32)
		two := enginetest.Compute(t, e, f, [][]float32{{1, 2, 3}, {0, 0, 9}}, [][]bool{{true, true, true}, {true, true, true}})[0].Value().([][]float32)
		for j, a := range one[0] {
			if math.Abs(float64(a-two[0][j])) > 1e-6 || a > 0.9 {
				t.Errorf("α[%d] is %v alone, %v beside another", j, a, two[0][j])
			}
		}
	})
}

func TestWeightsRefuses(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	for _, mask := range []any{[]bool{true}, [][]bool{{true, true}}, [][]float32{{1, 1, 1}}} {
		exec, err := NewExec(e.Backend, func(in []*Node) []*Node { return []*Node{Weights(in[0], in[1])} })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := exec.Call([][]float32{{1, 2, 3}}, mask); err == nil {
			t.Errorf("mask %v is taken", mask)
		}
	}
}
