package attention

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/recurrent"
)

// narrowed are the weights of scores e of zeros in a window, with what the window learns set so that local-p predicts S·sigmoid(logit).
func narrowed(t *testing.T, e *engine.Engine, window Window, logit float32, centre []float32, real [][]bool) [][]float32 {
	t.Helper()
	// tanh(W_p s) is 1 to within rounding, so that v_p is the logit.
	s, w, v := make([][]float32, len(real)), [][]float32{{1}}, [][]float32{{logit}}
	for i := range s {
		s[i] = []float32{20}
	}
	out := enginetest.Compute(t, e, func(in []*Node) []*Node {
		step := func(loop *recurrent.Loop, carry, _, shared []*Node) (next, y []*Node) {
			e := ConvertDType(ZerosLike(ConvertDType(shared[3], shared[0].DType())), shared[0].DType())
			return carry, []*Node{Weights(window.Narrow(loop, shared[:2], e, shared[3], carry[0], shared[2]))}
		}
		_, ys := recurrent.Scan(step, in[:1], nil, in[1:], recurrent.Length(1))
		return []*Node{Squeeze(ys[0], 0)}
	}, s, w, v, centre, real)
	return out[0].Value().([][]float32)
}

// Wherever the centre is, weights sum to 1, and are 0 outside of the window and on padding, exactly; local-p's follow the Gaussian. An empty
// source has zeros.
func TestWindows(t *testing.T) {
	const positions, d = 12, 3
	lengths := []int{12, 5, 1, 0}
	real := make([][]bool, len(lengths))
	for i, n := range lengths {
		real[i] = make([]bool, positions)
		for j := range n {
			real[i][j] = true
		}
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, logit := range []float64{-30, -1.3, 0, 0.4, 30} {
			share := 1 / (1 + math.Exp(-logit))
			centre := make([]float32, len(lengths))
			for i, n := range lengths {
				centre[i] = float32(max(1, math.Round(float64(n)*share)))
			}
			for _, window := range []Window{Global{}, LocalMonotonic{d}, LocalPredictive{d}} {
				for i, row := range narrowed(t, e, window, float32(logit), centre, real) {
					want, total := make([]float64, positions), 0.0
					for j := range lengths[i] {
						p := float64(centre[i])
						if window.Name() == "local-p" {
							p = float64(lengths[i]) * share
						}
						switch distance := math.Abs(float64(j+1) - p); {
						case window.Name() == "global" || window.Name() == "local-m" && distance <= d:
							want[j] = 1
						case window.Name() == "local-p" && distance <= d:
							want[j] = math.Exp(-distance * distance / (2 * d * d / 4.0))
						}
						total += want[j]
					}
					for j, a := range row {
						if math.Abs(float64(a)*max(total, 1e-9)-want[j]) > 1e-5 || want[j] == 0 && a != 0 {
							t.Errorf("%s at %v: α[%d,%d] is %v, want %v", window.Name(), share, i, j, a, want[j]/total)
						}
					}
				}
			}
		}
	})
}

// A row is the same whatever stands beside it in the batch, and however much padding.
func TestBatchMatesChangeNothing(t *testing.T) {
	r := readReference(t)
	const longest = 12
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range r.Cases {
			if e.Kind == engine.XLA && c.Window != "local-p" {
				continue // it has all that the others have
			}
			score, window := r.build(t, c)
			weights := func(rows []int, padding int) [][]float32 {
				var in []any
				for _, name := range c.Names {
					input := c.Inputs[name]
					values, dims := input.Values, append([]int(nil), input.Dims...)
					if name == "s" || name == "h" { // one row for each of rows, its positions padded
						size := len(values) / dims[0]
						values = nil
						for _, row := range rows {
							values = append(values, input.Values[row*size:(row+1)*size]...)
							if name == "h" {
								for range padding * dims[2] {
									values = append(values, 9)
								}
							}
						}
						dims[0] = len(rows)
						if name == "h" {
							dims[1] += padding
						}
					}
					in = append(in, tensors.FromFlatDataAndDimensions(values, dims...))
				}
				var lengths []int32
				var centres []float32
				var back [][]float32
				for _, row := range rows {
					lengths, centres, back = append(lengths, r.Lengths[row]), append(centres, r.T[row]), append(back, c.R[row])
				}
				return enginetest.Compute(t, e, func(in []*Node) []*Node {
					_, alpha := attend(score, window, in)
					return []*Node{alpha}
				}, append(in, back, lengths, centres)...)[0].Value().([][]float32)
			}
			together := weights([]int{2, 0, 3}, longest-9)
			for i, row := range []int{2, 0, 3} {
				for j, a := range weights([]int{row}, 0)[0] {
					if math.Abs(float64(a-together[i][j])) > 1e-6 {
						t.Errorf("%s %s: α[%d,%d] is %v in company, %v alone", c.Score, c.Window, i, j, together[i][j], a)
					}
				}
				for j := 9; j < longest; j++ {
					if together[i][j] != 0 {
						t.Errorf("%s %s: padding gets %v", c.Score, c.Window, together[i][j])
					}
				}
			}
		}
	})
}
