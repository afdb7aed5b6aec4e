package recurrent_test

import (
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

func TestNewWeights(t *testing.T) {
	const width, hidden = 3, 2
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range []struct {
			cell  Cell
			sizes map[string]int
			bias  []float64
		}{
			{RNN{}, map[string]int{"W": 6, "b": 2, "U": 4}, make([]float64, 2)},
			{GRU{}, map[string]int{"W": 18, "b": 6, "U_rz": 8, "U": 4}, make([]float64, 6)},
			{GRU{ResetAfter: true}, map[string]int{"W": 18, "b": 6, "U": 12, "c": 6}, make([]float64, 6)},
			{LSTM{}, map[string]int{"W": 24, "b": 8, "U": 16}, make([]float64, 8)},
			{LSTM{ForgetBias: 1}, map[string]int{"W": 24, "b": 8, "U": 16}, []float64{0, 0, 1, 1, 0, 0, 0, 0}},
		} {
			values := declared(t, e, model.NewStore(), 1, func(p Parameters) { NewWeights(p, c.cell, width, hidden, Start{}) })
			if len(values) != len(c.sizes) {
				t.Errorf("%s: %d parameters, want %d", c.cell.Name(), len(values), len(c.sizes))
			}
			for name, size := range c.sizes {
				if got := len(values["/model/"+name]); got != size {
					t.Errorf("%s: %s has %d values, want %d", c.cell.Name(), name, got, size)
				}
			}
			if !slices.Equal(values["/model/b"], c.bias) {
				t.Errorf("%s: bias starts at %v, want %v", c.cell.Name(), values["/model/b"], c.bias)
			}
		}
		all := declared(t, e, model.NewStore(), 1, func(p Parameters) {
			NewWeights(p, GRU{}, width, hidden, Start{Input: Constant(2), Recurrent: Constant(3)})
		})
		if slices.Max(all["/model/W"]) != 2 || slices.Min(all["/model/U_rz"]) != 3 || slices.Max(all["/model/b"]) != 0 {
			t.Errorf("start values %v", all)
		}
	})
}

func TestGatesRefuse(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		g := NewGraph(e.Backend, "gates")
		float := func(name string, dims ...int) *Node { return Parameter(g, name, shapes.Make(dtypes.Float32, dims...)) }
		w := Weights{W: float("W", 3, 8), B: float("b", 8)}
		err := exceptions.TryCatch[error](func() { w.Gates(float("x", 5, 2, 4)) })
		if err == nil || !strings.Contains(err.Error(), "[5, 2, 4]") || !strings.Contains(err.Error(), "[3, 8]") {
			t.Errorf("said %v", err)
		}
	})
}
