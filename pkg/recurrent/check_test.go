package recurrent_test

import (
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

// TestRefusals has steps and arguments that Scan must not take, and what it must say.
func TestRefusals(t *testing.T) {
	// The arguments that each case starts from: a step that adds its input to its carry.
	type call struct {
		g                 *Graph
		scope             *model.Scope
		step              Step
		carry, xs, shared []*Node
		options           []Option
	}
	outside := func(g *Graph) *Node { return Parameter(g, "outside", shapes.Make(dtypes.Float32, 3, 2)) }
	cases := []struct {
		name   string
		change func(c *call)
		want   []string // parts of the message
	}{
		{"no arguments", func(c *call) { c.carry, c.xs = nil, nil }, []string{"nothing to do"}},
		{"nil argument", func(c *call) { c.shared = []*Node{nil} }, []string{"nil among"}},
		{"no steps", func(c *call) { c.xs = []*Node{Zeros(c.g, shapes.Make(dtypes.Float32, 0, 3, 2))} }, []string{"[0, 3, 2]", "at least 1"}},
		{"no length", func(c *call) { c.xs = nil }, []string{"Length"}},
		{"lengths differ", func(c *call) { c.xs = append(c.xs, Zeros(c.g, shapes.Make(dtypes.Float32, 5, 1))) }, []string{"[4, 3, 2]", "[5, 1]"}},
		{"an input without time", func(c *call) { c.xs = append(c.xs, ScalarZero(c.g, dtypes.Float32)) }, []string{"xs[1]", "no time axis"}},
		{"mask of numbers", func(c *call) {
			c.options = []Option{Masked(Zeros(c.g, shapes.Make(dtypes.Float32, 4, 3)))}
		}, []string{"Bool [T,B]", "Float32"}},
		{"mask of another length", func(c *call) {
			c.options = []Option{Masked(Zeros(c.g, shapes.Make(dtypes.Bool, 5, 3)))}
		}, []string{"[4, 3, 2]", "[5, 3]"}},
		{"mask of another batch", func(c *call) {
			c.options = []Option{Masked(Zeros(c.g, shapes.Make(dtypes.Bool, 4, 2)))}
		}, []string{"carry[0]", "[4, 2]", "[3, 2]"}},
		{"masked output without batch", func(c *call) {
			c.options = []Option{Masked(Zeros(c.g, shapes.Make(dtypes.Bool, 4, 3)))}
			c.step = func(_ *Loop, carry, _, _ []*Node) (next, y []*Node) { return carry, []*Node{ReduceAllSum(carry[0])} }
		}, []string{"output 0", "batch of 3"}},
		{"count of another type", func(c *call) { c.options = []Option{Steps(Const(c.g, int64(3)))} }, []string{"scalar Int32", "Int64"}},
		{"carry changes shape", func(c *call) {
			c.step = func(_ *Loop, carry, _, _ []*Node) (next, y []*Node) {
				return []*Node{Concatenate([]*Node{carry[0], carry[0]}, -1)}, nil
			}
		}, []string{"carry[0]", "[3, 2]", "[3, 4]"}},
		{"carry changes type", func(c *call) {
			c.step = func(_ *Loop, carry, _, _ []*Node) (next, y []*Node) {
				return []*Node{ConvertDType(carry[0], dtypes.Float64)}, nil
			}
		}, []string{"carry[0]", "Float32", "Float64"}},
		{"carry lost", func(c *call) {
			c.step = func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) { return nil, x }
		}, []string{"1 carries", "returned 0"}},
		{"nil output", func(c *call) {
			c.step = func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) { return carry, []*Node{x[0], nil} }
		}, []string{"nil as output 1"}},
		{"a node from outside", func(c *call) {
			w := Tanh(outside(c.g))
			c.step = func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) { return []*Node{Mul(carry[0], w)}, nil }
		}, []string{"from outside the loop", "Tanh", "shared"}},
		{"a parameter from outside", func(c *call) {
			w := outside(c.g)
			c.step = func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) { return carry, []*Node{Add(x[0], w)} }
		}, []string{`"outside"`, "shared"}},
		{"a variable read in the step", func(c *call) {
			v := c.scope.VariableWithValue("weight", [][]float32{{1, 2}})
			c.step = func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) {
				return []*Node{Mul(carry[0], v.NodeValue(carry[0].Graph()))}, nil
			}
		}, []string{"weight", "shared"}},
		{"random numbers drawn in the step", func(c *call) {
			c.step = func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) {
				return []*Node{Mul(carry[0], c.scope.RandomUniform(c.g, carry[0].Shape()))}, nil
			}
		}, []string{"random numbers", "xs"}},
		{"a weight that is not shared", func(c *call) {
			c.step = func(loop *Loop, carry, x, _ []*Node) (next, y []*Node) {
				return carry, []*Node{loop.Dot(carry[0], Transpose(x[0], 0, 1))}
			}
		}, []string{"Loop.Dot", "[2, 3]", "shared"}},
		{"a weight that does not fit", func(c *call) {
			c.shared = []*Node{Zeros(c.g, shapes.Make(dtypes.Float32, 3, 2))}
			c.step = func(loop *Loop, carry, x, k []*Node) (next, y []*Node) {
				return carry, []*Node{loop.Dot(carry[0], k[0])}
			}
		}, []string{"Loop.Dot", "[B,in]"}},
		{"matrices of another batch", func(c *call) {
			c.shared = []*Node{Zeros(c.g, shapes.Make(dtypes.Float32, 2, 2, 2))}
			c.step = func(loop *Loop, carry, x, k []*Node) (next, y []*Node) {
				return carry, []*Node{loop.Dot(carry[0], k[0])}
			}
		}, []string{"Loop.Dot", "[2, 2, 2]", "[B,in,out]"}},
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				g := NewGraph(e.Backend, "refusal")
				store := model.NewStore()
				model.SetStore(g, store)
				float := func(dims ...int) shapes.Shape { return shapes.Make(dtypes.Float32, dims...) }
				call := call{
					g:     g,
					scope: store.RootScope(),
					step: func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) {
						next = []*Node{Add(carry[0], x[0])}
						return next, next
					},
					carry: []*Node{Parameter(g, "carry", float(3, 2))},
					xs:    []*Node{Parameter(g, "x", float(4, 3, 2))},
				}
				c.change(&call)
				err := exceptions.TryCatch[error](func() { Scan(call.step, call.carry, call.xs, call.shared, call.options...) })
				if err == nil {
					t.Fatal("not refused")
				}
				for _, part := range c.want {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("says %q, without %q", err, part)
					}
				}
			})
		}
	})
}

func TestRefusesComplexNumbers(t *testing.T) {
	e := enginetest.Open(t, engine.XLA)
	g := NewGraph(e.Backend, "refusal")
	step := func(_ *Loop, carry, _, _ []*Node) (next, y []*Node) { return carry, nil }
	err := exceptions.TryCatch[error](func() {
		Scan(step, []*Node{Parameter(g, "c", shapes.Make(dtypes.Complex64, 3))}, nil, nil, Length(2))
	})
	if err == nil || !strings.Contains(err.Error(), "complex") {
		t.Errorf("said %v", err)
	}
}

// TestRefusesStepsThatChange has a step that builds something else each time, which the gradient of a loop would not notice.
func TestRefusesStepsThatChange(t *testing.T) {
	e := enginetest.Open(t, engine.XLA)
	g := NewGraph(e.Backend, "refusal")
	times := 0
	step := func(loop *Loop, carry, _, k []*Node) (next, y []*Node) {
		times++
		h := carry[0]
		for range times {
			h = loop.Dot(h, k[0])
		}
		return []*Node{h}, nil
	}
	err := exceptions.TryCatch[error](func() {
		Scan(step, []*Node{Parameter(g, "h", shapes.Make(dtypes.Float32, 3, 2))}, nil, []*Node{Parameter(g, "w", shapes.Make(dtypes.Float32, 2, 2))}, Length(3))
	})
	if err == nil || !strings.Contains(err.Error(), "same nodes each time") {
		t.Errorf("said %v", err)
	}
}
