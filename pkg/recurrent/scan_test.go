package recurrent

import (
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

func TestFirst(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		x, err := NewExec(e.Backend, func(x, w, b, u *Node) []*Node {
			h, last := Layer(GRU{ResetAfter: true}, Weights{w, b, []*Node{u, Zeros(x.Graph(), shapes.Make(dtypes.Float32, 9))}}, x, nil)
			loss := Add(ReduceAllSum(h), ReduceAllSum(last[0]))
			return append(Gradient(loss, x, w, b, u), h)
		})
		if err != nil {
			t.Fatal(err)
		}
		ones := func(d ...int) any { return shapes.Make(dtypes.Float32, d...) }
		_ = ones
		out, err := x.Call([][][]float32{{{1, 2}}, {{3, 4}}}, [][]float32{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9},
			[][]float32{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(out)
	})
}
