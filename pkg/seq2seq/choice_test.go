package seq2seq

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// The most likely words are those of a sort of all that are ever written, the lower id first among equals, with log-probabilities among all words.
func TestMostLikely(t *testing.T) {
	const rows = 3
	cases := []struct {
		words, count int
		values       func(random *rand.Rand, id int) float64
	}{
		{3, 1, func(*rand.Rand, int) float64 { return 0 }}, // one that can be written
		{7, 5, normal},
		{64, 5, normal},
		{65, 5, normal},
		{400, 1, normal},
		{400, 5, normal},
		{20, 18, normal}, // all of them
		{200, 12, func(random *rand.Rand, _ int) float64 { return float64(random.IntN(3)) }},                  // many equals
		{200, 12, func(_ *rand.Rand, id int) float64 { return float64(-id) }},                                 // PAD and BOS would be first; all of one block
		{200, 5, func(random *rand.Rand, id int) float64 { return 1e4 + 50*random.NormFloat64() }},            // exp of which is no float32
		{200, 5, func(random *rand.Rand, id int) float64 { return 80 * float64(min(id, 2)%2) * float64(id) }}, // BOS far above all others
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range cases {
			random := rand.New(rand.NewPCG(uint64(c.words), uint64(c.count)))
			logits := make([]float32, rows*c.words)
			for i := range logits {
				logits[i] = float32(c.values(random, i%c.words))
			}
			out := enginetest.Compute(t, e, func(in []*Node) []*Node {
				ids, logProbs := mostLikely(in[0], c.count)
				return []*Node{ids, logProbs}
			}, tensors.FromFlatDataAndDimensions(logits, rows, c.words))
			ids, logProbs := tensors.MustCopyFlatData[int32](out[0]), floats(out[1])
			for r := range rows {
				row := logits[r*c.words : (r+1)*c.words]
				name := fmt.Sprintf("%d of %d words, row %d", c.count, c.words, r)
				if got, want := ids[r*c.count:(r+1)*c.count], sorted(row)[:c.count]; !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", name, got, want)
					continue
				}
				for i, got := range logProbs[r*c.count : (r+1)*c.count] {
					want := float64(row[ids[r*c.count+i]]) - logOfSum(row)
					if math.Abs(float64(got)-want) > 1e-5*(1+math.Abs(want)) {
						t.Errorf("%s: log-probability %d is %v, want %v", name, i, got, want)
					}
				}
			}
		}
	})
}

// Logits that are not finite, as weights that are give where they are large enough, choose words that exist.
func TestMostLikelyOfNoNumbers(t *testing.T) {
	const words = 70
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	rows := [][]float32{slices.Repeat([]float32{nan}, words), slices.Repeat([]float32{inf}, words), slices.Repeat([]float32{-inf}, words)}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, count := range []int{1, 4} {
			out := enginetest.Compute(t, e, func(in []*Node) []*Node {
				ids, _ := mostLikely(in[0], count)
				return []*Node{ids}
			}, rows)
			for i, id := range tensors.MustCopyFlatData[int32](out[0]) {
				if id < 0 || id >= words {
					t.Errorf("row %d: word %d of %d", i/count, id, words)
				}
			}
		}
	})
}

func normal(random *rand.Rand, _ int) float64 { return 3 * random.NormFloat64() }

// sorted are the ids of a row that are ever written, the largest value first.
func sorted(row []float32) (ids []int32) {
	for id := neverWrittenIDs; id < len(row); id++ {
		ids = append(ids, int32(id))
	}
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(row[b], row[a]) })
	return ids
}

// logOfSum is log Σ exp of a row.
func logOfSum(row []float32) float64 {
	largest, sum := float64(slices.Max(row)), 0.0
	for _, x := range row {
		sum += math.Exp(float64(x) - largest)
	}
	return largest + math.Log(sum)
}
