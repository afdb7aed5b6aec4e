package recurrent_test

import (
	"fmt"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

func TestCut(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(x *Node) []*Node {
			rows, columns := Cut(x, 0, 2), Cut(x, -1, 3)
			// Of the columns one is used twice and one is not used; the second gradient uses less than the first.
			loss := ReduceAllSum(Mul(Mul(columns[0], columns[0]), rows[1]))
			first := ReduceAllSum(Mul(columns[0], Const(x.Graph(), [][]float32{{5}, {7}})))
			return append(columns, rows[1], Gradient(loss, x)[0], Gradient(first, x)[0])
		})
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Call([][]float32{{1, 2, 3}, {4, 5, 6}})
		if err != nil {
			t.Fatal(err)
		}
		// loss = Σ_ij a_i² r_j with a the first column and r the second row, so that 2·a_i·Σr = 30·a_i goes to the first column and Σa² = 17 to the row.
		want := [][]float64{{1, 4}, {2, 5}, {3, 6}, {4, 5, 6}, {30, 0, 0, 120 + 17, 17, 17}, {5, 0, 0, 7, 0, 0}}
		for i, o := range out {
			compare(t, "result", [][]float64{flat(o)}, want[i:i+1], 0)
		}
		g := NewGraph(e.Backend, "cut")
		err = exceptions.TryCatch[error](func() { Cut(Parameter(g, "x", shapes.Make(dtypes.Float32, 2, 7)), -1, 3) })
		if err == nil || !strings.Contains(err.Error(), "[2, 7]") {
			t.Errorf("7 columns in 3 parts: %v", err)
		}
		for _, at := range [][]int{{0}, {7}, {5, 2}} {
			err = exceptions.TryCatch[error](func() { CutAt(Parameter(g, fmt.Sprint("x", at), shapes.Make(dtypes.Float32, 2, 7)), -1, at...) })
			if err == nil || !strings.Contains(err.Error(), "[2, 7]") {
				t.Errorf("7 columns cut at %v: %v", at, err)
			}
		}
	})
}
