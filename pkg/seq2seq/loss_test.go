package seq2seq

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// The cross-entropy and its hand-written gradient are those of the plain form, for any gradient that comes from above.
func TestNatsEqualPlainForm(t *testing.T) {
	const rows, words = 7, 5
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]float32, rows*words)
	for i := range values {
		values[i] = float32(random.NormFloat64() * 4)
	}
	values[3] = 90 // exp(90) is no float32
	target := []int32{0, 3, 2, 4, 1, 1, 0}
	real := []bool{true, true, false, true, true, false, true}
	above := []float32{1, 0.5, 3, -2, 0.1, 1, 1}
	plain := func(logits, target, real *Node) *Node {
		picked := ReduceSum(Mul(LogSoftmax(logits, -1), OneHot(target, words, logits.DType())), -1)
		return Where(real, Neg(picked), ZerosLike(picked))
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		run := func(loss func(logits, target, real *Node) *Node) (value, gradient []float32) {
			out := enginetest.ComputeWith(t, e, model.NewStore(), func(_ *model.Scope, in []*Node) []*Node {
				l := loss(in[0], in[1], in[2])
				return []*Node{l, Gradient(ReduceAllSum(Mul(l, in[3])), in[0])[0]}
			}, tensors.FromFlatDataAndDimensions(values, rows, words), target, real, above)
			return floats(out[0]), floats(out[1])
		}
		value, gradient := run(nats)
		wantValue, wantGradient := run(plain)
		for i := range wantValue {
			if math.Abs(float64(value[i]-wantValue[i])) > 1e-5*(1+math.Abs(float64(wantValue[i]))) {
				t.Errorf("row %d: %v nats, want %v", i, value[i], wantValue[i])
			}
		}
		for i := range wantGradient {
			if math.Abs(float64(gradient[i]-wantGradient[i])) > 1e-5 {
				t.Errorf("gradient %d: %v, want %v", i, gradient[i], wantGradient[i])
			}
		}
	})
}

// The coverage loss and its gradient are what they are by hand. Steps that are not real count for nothing.
func TestCoverageLoss(t *testing.T) {
	alpha := [][][]float32{{{0.75, 0.25}, {0.5, 0.5}}, {{0.5, 0.5}, {1, 0}}, {{0.25, 0.75}, {1, 0}}}
	real := [][]bool{{true, true}, {true, false}, {true, false}}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		out := enginetest.ComputeWith(t, e, model.NewStore(), func(_ *model.Scope, in []*Node) []*Node {
			loss := coverageLoss(in[0], in[1])
			return []*Node{loss, Gradient(loss, in[0])[0]}
		}, alpha, real)
		// The first sentence: min(0.5, 0.75) + min(0.5, 0.25) and min(0.25, 1.25) + min(0.75, 0.75). The second has one step.
		if got := scalar(out[0]); got != 0.75+1 {
			t.Errorf("%v, want 1.75", got)
		}
		// By α of step 2: itself to the first word, and by α of step 1 what the second word may get at step 2.
		gradient := out[1].Value().([][][]float32)
		if got := gradient[1][0][0]; got != 1 {
			t.Errorf("gradient %v of the second step's first weight, want 1", got)
		}
		for i, step := range gradient {
			if step[1][0] != 0 || step[1][1] != 0 {
				t.Errorf("step %d of the second sentence has gradient %v", i, step[1])
			}
		}
	})
}

// Targets of 2 and 20 tokens cost the same, a token, side by side as one after the other.
func TestLossDoesNotDependOnBatches(t *testing.T) {
	r := readReference(t, "reference")
	c := r.Cases[5]
	column := func(n int) (ids []int32) {
		for i := range n - 1 {
			ids = append(ids, int32(3+i%4))
		}
		return append(ids, 2)
	}
	short, long := column(2), column(20)
	x, y := make([][]int32, 20), make([][]int32, 20)
	for i := range x {
		x[i] = []int32{0, long[i]}
		y[i] = []int32{0, long[i]}
		if i < 2 {
			x[i][0], y[i][0] = short[i], short[i]
		}
	}
	stand := func(ids []int32) (rows [][]int32) {
		for _, id := range ids {
			rows = append(rows, []int32{id})
		}
		return rows
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		n, store := c.build(t)
		loss := func(x [][]int32, xLengths []int32, y [][]int32, yLengths []int32) float64 {
			return scalar(enginetest.ComputeWith(t, e, store, func(scope *model.Scope, in []*Node) []*Node {
				return []*Node{meanNats(n, scope, in)}
			}, x, xLengths, y, yLengths)[0])
		}
		apart := (2*loss(stand(short), []int32{2}, stand(short), []int32{2}) + 20*loss(stand(long), []int32{20}, stand(long), []int32{20})) / 22
		if together := loss(x, []int32{2, 20}, y, []int32{2, 20}); math.Abs(together-apart) > 1e-5 {
			t.Errorf("%v nats a token together, %v apart", together, apart)
		}
	})
}
