package recurrent_test

import (
	"math/rand/v2"
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

// TestAffine compares Affine and its gradients with the product and the sum, where one input of Affine is also used otherwise.
func TestAffine(t *testing.T) {
	plainly := func(x, w, b *Node) *Node { return Add(MatMul(x, w), ExpandLeftToRank(b, x.Rank())) }
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, dims := range [][]int{{5, 3}, {4, 2, 3}, {1, 3}} {
			rng := rand.New(rand.NewPCG(1, 2))
			var inputs []any
			for _, in := range []input{reals(dims...), reals(3, 7), reals(7)} {
				inputs = append(inputs, in.tensor(rng, dtypes.Float32))
			}
			var results [][][]float64
			for _, f := range []func(x, w, b *Node) *Node{plainly, Affine} {
				exec, err := NewExec(e.Backend, func(x, w, b *Node) []*Node {
					y := f(x, w, b)
					loss := ReduceAllSum(Mul(Sin(y), Sin(MatMul(x, w))))
					return append([]*Node{y}, Gradient(loss, x, w, b)...)
				})
				if err != nil {
					t.Fatal(err)
				}
				out, err := exec.Call(inputs...)
				if err != nil {
					t.Fatal(err)
				}
				var values [][]float64
				for _, o := range out {
					values = append(values, flat(o))
				}
				results = append(results, values)
			}
			compare(t, "value or gradient", results[1], results[0], 1e-5)
		}
		g := NewGraph(e.Backend, "affine")
		parameter := func(name string, dims ...int) *Node { return Parameter(g, name, shapes.Make(dtypes.Float32, dims...)) }
		x, w, b := parameter("x", 2, 3), parameter("w", 3, 4), parameter("b", 4)
		for _, wrong := range [][3]*Node{{w, w, b}, {x, x, b}, {x, w, w}, {b, w, b}, {x, w, parameter("c", 3)}} {
			err := exceptions.TryCatch[error](func() { Affine(wrong[0], wrong[1], wrong[2]) })
			if err == nil || !strings.Contains(err.Error(), wrong[0].Shape().String()) {
				t.Errorf("%s, %s, %s: %v", wrong[0].Shape(), wrong[1].Shape(), wrong[2].Shape(), err)
			}
		}
	})
}
