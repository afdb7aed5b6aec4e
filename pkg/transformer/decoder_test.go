package transformer

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/recurrent"
)

// A decoder that is given one word after another, with the keys and values of those before kept, computes what it does with all words at once,
// in either order; also with its weights handed on by Nodes and Within.
func TestStepByStep(t *testing.T) {
	const b, n, s, d, heads = 2, 4, 3, 6, 2
	for _, pre := range []bool{false, true} {
		enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
			exec := model.MustNewExec(e.Backend, model.NewStore(), func(scope *model.Scope, in []*Node) []*Node {
				g := in[0].Graph()
				dec := NewDecoder(recurrent.NewParameters(scope, g, 1), 2, d, heads, 5, pre)
				x, h := wave(g, 0, b, n, d), wave(g, 1, b, s, d)
				o, source, mask := Order{Pre: pre}, dec.Source(h), Padding(in[0], s)
				whole, _, _ := dec.Of(x, Causal(g, n), Whole, source, mask, o)

				inside, rest := dec.Within(append(dec.Nodes(), h))
				if len(rest) != 1 || rest[0] != h {
					t.Errorf("%d nodes left, want h alone", len(rest))
				}
				kept := make([]KeysValues, len(dec.Layers))
				var steps []*Node
				for i := range n {
					word := Slice(x, AxisRange(), AxisElem(i))
					past := func(l int, now KeysValues) KeysValues {
						if i > 0 {
							now = KeysValues{Concatenate([]*Node{kept[l].K, now.K}, 2), Concatenate([]*Node{kept[l].V, now.V}, 2)}
						}
						kept[l] = now
						return now
					}
					y, _, _ := inside.Of(word, Ones(g, shapes.Make(dtypes.Bool, 1, 1, 1, i+1)), past, source, mask, o)
					steps = append(steps, y)
				}
				return []*Node{ReduceAllMax(Abs(Sub(whole, Concatenate(steps, 1)))), ReduceAllMax(Abs(whole))}
			})
			defer exec.Finalize()
			out, err := exec.Call([]int32{3, 2})
			if err != nil {
				t.Fatal(err)
			}
			if apart, size := tensors.ToScalar[float32](out[0]), tensors.ToScalar[float32](out[1]); !(apart < 1e-5 && size > 0.1) {
				t.Errorf("pre %v: step by step %v apart, of values up to %v", pre, apart, size)
			}
		})
	}
}

// Nothing that stands behind a word, and no other sentence, changes what the decoder makes of it; padding of the source does not either.
func TestNeitherFutureNorBatchMates(t *testing.T) {
	const n, s, d = 4, 3, 6
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		run := func(moved bool) []float32 {
			exec := model.MustNewExec(e.Backend, model.NewStore(), func(scope *model.Scope, in []*Node) []*Node {
				g := in[0].Graph()
				p := recurrent.NewParameters(scope, g, 1)
				enc, dec := NewEncoder(p.At("encoder"), 1, d, 2, 5, false), NewDecoder(p.At("decoder"), 1, d, 2, 5, false)
				x, y := wave(g, 0, 2, s, d), wave(g, 1, 2, n, d)
				if moved { // the second sentence, the first one's padding, and its last two words
					x = Add(x, Mul(Reshape(Const(g, []float32{0, 0, 3, 3, 3, 3}), 2, s, 1), wave(g, 5, 2, s, d)))
					y = Add(y, Mul(Reshape(Const(g, []float32{0, 0, 3, 3, 3, 3, 3, 3}), 2, n, 1), wave(g, 6, 2, n, d)))
				}
				mask := Padding(in[0], s)
				h, _ := enc.Of(x, mask, Order{})
				out, _, _ := dec.Of(y, Causal(g, n), Whole, dec.Source(h), mask, Order{})
				return []*Node{Slice(out, AxisElem(0), AxisRange(0, 2))}
			})
			defer exec.Finalize()
			out, err := exec.Call([]int32{2, 3})
			if err != nil {
				t.Fatal(err)
			}
			return floats(out[0])
		}
		want := run(false)
		for i, v := range run(true) {
			if math.Abs(float64(v-want[i])) > 1e-5 {
				t.Fatalf("value %d is %v, and %v after the change", i, want[i], v)
			}
		}
	})
}
