package transformer

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// Positions are the paper's formula, for even and odd widths, far beyond any sentence.
func TestPositions(t *testing.T) {
	positions := [][]int32{{0, 1, 2, 77}, {511, 3, 3, 0}}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, d := range []int{8, 7, 1} {
			out := enginetest.Compute(t, e, func(in []*Node) []*Node { return []*Node{Positions(in[0], d)} }, positions)
			var want []float64
			for _, row := range positions {
				for _, p := range row {
					for c := range d {
						angle := float64(p) / math.Pow(10000, float64(c-c%2)/float64(d))
						want = append(want, map[int]float64{0: math.Sin(angle), 1: math.Cos(angle)}[c%2])
					}
				}
			}
			near(t, "positions", floats(out[0]), want, 1e-4)
		}
	})
}

// The product of two encodings depends on how far they are apart, not on where: what lets attention see a distance.
func TestPositionsKnowDistances(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	out := enginetest.Compute(t, e, func(in []*Node) []*Node {
		pe := Positions(in[0], 32)
		return []*Node{Einsum("btd,bsd->bts", pe, pe)}
	}, [][]int32{{0, 5, 20, 25, 40, 45}})
	got := out[0].Value().([][][]float32)[0]
	for _, i := range []int{2, 4} {
		if math.Abs(float64(got[i][i+1]-got[0][1])) > 1e-4 {
			t.Errorf("5 apart: %v at the start, %v later", got[0][1], got[i][i+1])
		}
	}
}
