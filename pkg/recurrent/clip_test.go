package recurrent_test

import (
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/support/exceptions"
)

func TestClipByGlobalNorm(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(a, b *Node) []*Node {
			var results []*Node
			for _, limit := range []float64{6.5, 13, 100} {
				clipped, norm := ClipByGlobalNorm([]*Node{a, ConvertDType(b, dtypes.Float64)}, limit)
				results = append(append(results, clipped...), norm)
			}
			return results
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			a    []float32
			b    [][]float32
			want [][]float64 // for each limit, both gradients and the norm
		}{
			{[]float32{3, 4}, [][]float32{{12}}, [][]float64{{1.5, 2}, {6}, {13}, {3, 4}, {12}, {13}, {3, 4}, {12}, {13}}},
			{[]float32{0, 0}, [][]float32{{0}}, [][]float64{{0, 0}, {0}, {0}, {0, 0}, {0}, {0}, {0, 0}, {0}, {0}}},
		} {
			out, err := exec.Call(c.a, c.b)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range out {
				compare(t, "result", [][]float64{flat(o)}, c.want[i:i+1], 1e-6)
			}
		}
	})
	for _, limit := range []float64{0, -1, math.NaN()} {
		if exceptions.TryCatch[error](func() { Clipped(optimizer.Adam().Done(), limit) }) == nil {
			t.Errorf("limit %g was taken", limit)
		}
	}
}

// TestClipped has one update by gradient descent with a known gradient, (3, 4), under the trainer.
func TestClipped(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		store := model.NewStore()
		w := func(scope *model.Scope) *model.Variable {
			return scope.VariableWithValue("w", []float32{1, 1})
		}
		product := func(scope *model.Scope, inputs []*Node) []*Node {
			return []*Node{ReduceAllSum(Mul(inputs[0], w(scope).NodeValue(inputs[0].Graph())))}
		}
		loss := func(_, predictions []*Node) *Node { return predictions[0] }
		descent := optimizer.StochasticGradientDescent().WithDecay(false).WithLearningRate(0.1).Done()
		trainer := train.NewTrainer(e.Backend, store, product, loss, Clipped(descent, 1), nil, nil)
		batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue([]float32{3, 4})}}
		if got := update(t, trainer, batch); got != 7 {
			t.Errorf("loss %g, want 7", got)
		}
		compare(t, "weights", [][]float64{flat(store.GetVariable("/w").MustValue())}, [][]float64{{1 - 0.06, 1 - 0.08}}, 1e-6)
		norm := store.GetVariable("/" + GradientNorm)
		if norm == nil || norm.Trainable {
			t.Fatalf("variable %s: %v", GradientNorm, norm)
		}
		compare(t, "norm", [][]float64{flat(norm.MustValue())}, [][]float64{{5}}, 1e-6)
	})
}

// plain is an optimizer that does not take gradients.
type plain struct{}

func (plain) UpdateGraph(*model.Scope, *Graph, *Node) {}
func (plain) Clear(*model.Scope) error                { return nil }

func TestClippedRefuses(t *testing.T) {
	err := exceptions.TryCatch[error](func() { Clipped(plain{}, 1) })
	if err == nil || !strings.Contains(err.Error(), "plain") {
		t.Errorf("said %v", err)
	}
}
