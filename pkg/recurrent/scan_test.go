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
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/exceptions"
)

const (
	steps  = 4
	batch  = 3
	hidden = 2
)

// cellProblem runs a cell over its projected input.
func cellProblem(name string, cell Cell) problem {
	p := problem{name: name, xs: []input{reals(steps, batch, cell.Gates()*hidden)}}
	for range cell.States() {
		p.carry = append(p.carry, reals(batch, hidden))
	}
	for _, u := range cell.Recurrent(hidden) {
		p.shared = append(p.shared, reals(u.Dims...))
	}
	p.step = func(loop *Loop, state, x, u []*Node) (next, y []*Node) {
		next = cell.Step(loop, x[0], state, u)
		return next, next
	}
	return p
}

// attentionProblem is a decoder's step with additive attention over [B,S,H] encoder states, some of them padding: shared inputs in elementwise
// operations, weights in Dot and outside of it, a matrix for each row in Dot, and products of what is neither carry nor input, one of them of
// another product.
func attentionProblem() problem {
	const s = 5
	cell := GRU{}
	return problem{
		name:   "attention",
		carry:  []input{reals(batch, hidden)},
		xs:     []input{reals(steps, batch, 3*hidden)},
		shared: []input{reals(batch, s, hidden), reals(batch, s, hidden), truths(batch, s), reals(hidden, hidden), reals(hidden, 1), reals(hidden, 3*hidden), reals(hidden, 2*hidden), reals(hidden, hidden)},
		step: func(loop *Loop, state, x, k []*Node) (next, y []*Node) {
			keys, values, real, wa, va, c, u := k[0], k[1], k[2], k[3], k[4], k[5], k[6:]
			q := loop.Dot(state[0], wa)
			e := Reshape(MatMul(Reshape(Tanh(Add(keys, ExpandAxes(q, 1))), -1, hidden), va), batch, s)
			alpha := Softmax(Where(real, e, MulScalar(OnesLike(e), -1e9)), -1)
			context := loop.Dot(alpha, values)
			next = cell.Step(loop, Add(x[0], loop.Dot(context, c)), state, u)
			return next, []*Node{next[0], context, alpha}
		},
	}
}

// mixedProblem has inputs and outputs of several types: a count and a flag among the carries, words looked up in a shared table, a table that is
// multiplied with as well (tied weights), a product of an input, a product that nothing depends on, and an input that is not used.
func mixedProblem() problem {
	return problem{
		name:   "mixed",
		carry:  []input{reals(batch, hidden), integers(batch), truths(batch)},
		xs:     []input{integers(steps, batch), reals(steps, batch, hidden), truths(steps, batch), reals(steps, batch)},
		shared: []input{reals(3, hidden), reals(hidden, 3), reals(hidden, hidden), integers(batch)},
		step: func(loop *Loop, carry, x, k []*Node) (next, y []*Node) {
			h, count, seen := carry[0], carry[1], carry[2]
			words, v, flag := x[0], x[1], x[2]
			table, out, w, base := k[0], k[1], k[2], k[3]
			loop.Dot(h, w)
			embedded := Gather(table, ExpandAxes(words, -1))
			h = Tanh(Add(Add(loop.Dot(h, w), loop.Dot(v, w)), Add(embedded, MatMul(loop.Dot(h, out), table))))
			h = Where(flag, h, MulScalar(h, 0.5))
			count = Add(Add(count, base), loop.Row())
			seen = LogicalOr(seen, flag)
			return []*Node{h, count, seen}, []*Node{count, MatMul(h, Transpose(table, 0, 1)), seen}
		},
	}
}

// memoryProblem carries a matrix for each sequence and a number, as a memory network would; it reads numbers, and the row's number.
func memoryProblem() problem {
	return problem{
		name:   "memory",
		carry:  []input{reals(batch, 4, hidden), reals()},
		xs:     []input{reals(steps, batch, 4), reals(steps)},
		shared: []input{reals(hidden), reals(), integers()},
		step: func(loop *Loop, carry, x, k []*Node) (next, y []*Node) {
			memory, sum := carry[0], carry[1]
			w := Softmax(x[0], -1)
			write := Mul(ExpandAxes(w, -1), Reshape(k[0], 1, 1, -1))
			memory = Add(Mul(memory, OneMinus(write)), MulScalar(write, 0.3))
			read := Einsum("bn,bnm->bm", w, memory)
			sum = Add(Mul(sum, ConvertDType(Mul(loop.Row(), k[2]), sum.DType())), Add(ReduceAllMean(read), Mul(x[1], k[1])))
			return []*Node{memory, sum}, []*Node{read, sum}
		},
	}
}

func problems() []problem {
	return []problem{
		cellProblem("RNN", RNN{}), cellProblem("GRU", GRU{}), cellProblem("GRU reset after", GRU{ResetAfter: true}), cellProblem("LSTM", LSTM{}),
		attentionProblem(), mixedProblem(), memoryProblem(),
	}
}

// variants are a problem under each option, and at the shortest length.
func variants(p problem) []problem {
	variant := func(name string, change func(p *problem)) problem {
		v := p
		v.name += "/" + name
		change(&v)
		return v
	}
	all := []problem{
		variant("plain", func(p *problem) {}),
		variant("reversed", func(p *problem) { p.options = []Option{Reversed()} }),
		variant("steps", func(p *problem) { p.limited, p.steps = true, 3 }),
		variant("reversed steps", func(p *problem) { p.options, p.limited, p.steps = []Option{Reversed()}, true, 2 }),
	}
	if p.name != "memory" { // one of its carries has no batch
		ragged := []int{2, steps, 0}
		all = append(all,
			variant("ragged", func(p *problem) { p.lengths = ragged }),
			variant("reversed ragged steps", func(p *problem) {
				p.options, p.lengths, p.limited, p.steps = []Option{Reversed()}, ragged, true, 3
			}))
	}
	return all
}

// TestScan has the gradients of the loop, or of the steps written out where there is none, against central differences, and the values of the
// loop against those of the steps written out on the other engine.
func TestScan(t *testing.T) {
	pure := enginetest.Open(t, engine.Go)
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		tried := problems()
		if e.Kind == engine.XLA && testing.Short() { // compiling takes a second
			tried = []problem{attentionProblem(), mixedProblem()}
		}
		for _, p := range tried {
			all := variants(p)
			if e.Kind == engine.XLA && p.name != "GRU" { // what differs among the variants is not in the step
				all = all[len(all)-1:]
			}
			for _, p := range all {
				t.Run(p.name, func(t *testing.T) {
					x := p.on(t, e, dtypes.Float64)
					got := x.run(t)
					compare(t, "gradient", got.gradients, x.differences(t), 1e-8)
					if e.Kind == engine.XLA {
						compare(t, "output", got.outputs, p.on(t, pure, dtypes.Float64).run(t).outputs, 1e-13)
					}
				})
			}
		}
	})
}

// TestLoopEqualsUnrolled has values and gradients of the loop against those of the same steps written out, both on XLA in Float32.
func TestLoopEqualsUnrolled(t *testing.T) {
	e := enginetest.Open(t, engine.XLA)
	if err := CanLoop(e.Backend); err != nil {
		t.Fatalf("no loop on XLA: %v", err)
	}
	all := problems()
	if testing.Short() {
		all = []problem{attentionProblem()}
	}
	for _, p := range all {
		p.lengths = []int{2, steps, 0}
		if p.name == "memory" {
			p.lengths = nil
		}
		t.Run(p.name, func(t *testing.T) {
			got, want := p.on(t, e, dtypes.Float32).run(t), p.on(t, e, dtypes.Float32, Unrolled()).run(t)
			compare(t, "output", got.outputs, want.outputs, 1e-6)
			compare(t, "gradient", got.gradients, want.gradients, 2e-6)
		})
	}
}

// sum adds its input to its carry: last and outputs can be told in the head.
func sum(_ *Loop, carry, x, _ []*Node) (next, y []*Node) {
	next = []*Node{Add(carry[0], x[0])}
	return next, next
}

// TestOptions has a running sum of the rows 1, 10, 100 under each option.
func TestOptions(t *testing.T) {
	mask := func(g *Graph, rows ...bool) Option { return Masked(Reshape(Const(g, rows), -1, 1)) }
	count := func(g *Graph, n int32) Option { return Steps(Const(g, n)) }
	cases := []struct {
		name    string
		options func(g *Graph) []Option
		want    []float64 // outputs, then the last carry
		dx      []float64 // gradient of the sum of all of these
	}{
		{"plain", func(g *Graph) []Option { return nil }, []float64{1, 11, 111, 111}, []float64{4, 3, 2}},
		{"reversed", func(g *Graph) []Option { return []Option{Reversed()} }, []float64{111, 110, 100, 111}, []float64{2, 3, 4}},
		{"all masked", func(g *Graph) []Option { return []Option{mask(g, false, false, false)} }, []float64{0, 0, 0, 0}, []float64{0, 0, 0}},
		{"end masked", func(g *Graph) []Option { return []Option{mask(g, true, true, false)} }, []float64{1, 11, 0, 11}, []float64{3, 2, 0}},
		{"end masked, reversed", func(g *Graph) []Option { return []Option{mask(g, true, true, false), Reversed()} }, []float64{11, 10, 0, 11}, []float64{2, 3, 0}},
		{"middle masked", func(g *Graph) []Option { return []Option{mask(g, true, false, true)} }, []float64{1, 0, 101, 101}, []float64{3, 0, 2}},
		{"no steps", func(g *Graph) []Option { return []Option{count(g, 0)} }, []float64{0, 0, 0, 0}, []float64{0, 0, 0}},
		{"less than no steps", func(g *Graph) []Option { return []Option{count(g, -1)} }, []float64{0, 0, 0, 0}, []float64{0, 0, 0}},
		{"two steps", func(g *Graph) []Option { return []Option{count(g, 2)} }, []float64{1, 11, 0, 11}, []float64{3, 2, 0}},
		{"two steps, reversed", func(g *Graph) []Option { return []Option{count(g, 2), Reversed()} }, []float64{11, 10, 0, 11}, []float64{2, 3, 0}},
		{"more steps than rows", func(g *Graph) []Option { return []Option{count(g, 9)} }, []float64{1, 11, 111, 111}, []float64{4, 3, 2}},
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(x *Node) []*Node {
			var results []*Node
			for _, c := range cases {
				last, ys := Scan(sum, []*Node{Zeros(x.Graph(), shapes.Make(dtypes.Float32, 1, 1))}, []*Node{x}, nil, c.options(x.Graph())...)
				all := Concatenate([]*Node{ys[0], ExpandAxes(last[0], 0)}, 0)
				results = append(results, all, Gradient(ReduceAllSum(all), x)[0])
			}
			return results
		})
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Call([][][]float32{{{1}}, {{10}}, {{100}}})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			compare(t, c.name, [][]float64{flat(out[2*i]), flat(out[2*i+1])}, [][]float64{c.want, c.dx}, 0)
		}
	})
}

// TestUntil has a running sum of the rows 1, 10, 100 that ends where it has passed a limit, together with other options.
func TestUntil(t *testing.T) {
	cases := []struct {
		name  string
		limit float64
		also  func(g *Graph) []Option
		want  []float64 // outputs, then the last carry
	}{
		{"before the first step", -1, nil, []float64{0, 0, 0, 0}},
		{"after one", 0, nil, []float64{1, 0, 0, 1}},
		{"after two", 5, nil, []float64{1, 11, 0, 11}},
		{"never", 1000, nil, []float64{1, 11, 111, 111}},
		{"reversed", 50, func(*Graph) []Option { return []Option{Reversed()} }, []float64{0, 0, 100, 100}},
		{"fewer steps", 5, func(g *Graph) []Option { return []Option{Steps(Const(g, int32(1)))} }, []float64{1, 0, 0, 1}},
		{"more steps", 5, func(g *Graph) []Option { return []Option{Steps(Const(g, int32(9)))} }, []float64{1, 11, 0, 11}},
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		out := enginetest.Compute(t, e, func(in []*Node) (results []*Node) {
			x := in[0]
			for _, c := range cases {
				options := []Option{Until(func(carry []*Node) *Node {
					return LogicalAll(GreaterThan(carry[0], Scalar(carry[0].Graph(), dtypes.Float32, c.limit)))
				})}
				if c.also != nil {
					options = append(options, c.also(x.Graph())...)
				}
				last, ys := Scan(sum, []*Node{Zeros(x.Graph(), shapes.Make(dtypes.Float32, 1, 1))}, []*Node{x}, nil, options...)
				results = append(results, Concatenate([]*Node{ys[0], ExpandAxes(last[0], 0)}, 0))
			}
			return results
		}, [][][]float32{{{1}}, {{10}}, {{100}}})
		for i, c := range cases {
			compare(t, c.name, [][]float64{flat(out[i])}, [][]float64{c.want}, 0)
		}
	})
}

// TestUntilHasNoGradient on either engine.
func TestUntilHasNoGradient(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		g := NewGraph(e.Backend, "until")
		defer g.Finalize()
		x := Parameter(g, "x", shapes.Make(dtypes.Float32, 3, 1))
		err := exceptions.TryCatch[error](func() {
			last, _ := Scan(sum, []*Node{Zeros(g, shapes.Make(dtypes.Float32, 1))}, []*Node{x}, nil,
				Until(func(carry []*Node) *Node { return LogicalAll(GreaterThan(carry[0], ScalarZero(g, dtypes.Float32))) }))
			Gradient(ReduceAllSum(last[0]), x)
		})
		if err == nil || !strings.Contains(err.Error(), "Until has no gradient") {
			t.Errorf("said %v", err)
		}
	})
}

// TestLengths has the shortest recurrences, and those without each kind of argument.
func TestLengths(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(x *Node) []*Node { // x is [1,2]
			g := x.Graph()
			one, _ := Scan(sum, []*Node{Zeros(g, shapes.Make(dtypes.Float32, 2))}, []*Node{x}, nil)
			double := func(_ *Loop, carry, _, _ []*Node) (next, y []*Node) { return []*Node{Add(carry[0], carry[0])}, nil }
			power, none := Scan(double, []*Node{x}, nil, nil, Length(5))
			if len(none) != 0 {
				t.Errorf("%d outputs of a step without", len(none))
			}
			square := func(_ *Loop, _, x, _ []*Node) (next, y []*Node) { return nil, []*Node{Mul(x[0], x[0])} }
			_, squares := Scan(square, nil, []*Node{x}, nil)
			count := func(loop *Loop, _, _, k []*Node) (next, y []*Node) {
				return nil, []*Node{Mul(k[0], ConvertDType(loop.Row(), dtypes.Float32))}
			}
			_, multiples := Scan(count, nil, nil, []*Node{x}, Length(3))
			loss := Add(Add(ReduceAllSum(one[0]), ReduceAllSum(power[0])), Add(ReduceAllSum(squares[0]), ReduceAllSum(multiples[0])))
			return []*Node{one[0], power[0], squares[0], multiples[0], Gradient(loss, x)[0]}
		})
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Call([][]float32{{3, 5}})
		if err != nil {
			t.Fatal(err)
		}
		want := [][]float64{{3, 5}, {96, 160}, {9, 25}, {0, 0, 3, 5, 6, 10}, {1 + 32 + 2*3 + 3, 1 + 32 + 2*5 + 3}}
		for i, o := range out {
			compare(t, "result", [][]float64{flat(o)}, want[i:i+1], 0)
		}
	})
}

// TestMaskedStepsHaveNoGradient has a batch in which what is beyond the lengths is changed: nothing may change, and its gradient is exactly 0.
func TestMaskedStepsHaveNoGradient(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		p := cellProblem("GRU", GRU{})
		p.lengths = []int{2, 0, 3}
		x := p.on(t, e, dtypes.Float32)
		before := x.run(t)
		const gates = 1 // xs[0] among the real inputs
		width := 3 * hidden
		values := flat(x.inputs[x.real[gates]])
		changed := make([]float32, len(values))
		for i := range changed {
			changed[i] = float32(values[i])
			if step, sequence := i/width/batch, i/width%batch; step >= p.lengths[sequence] {
				changed[i] = 1e4
				if d := before.gradients[gates][i]; d != 0 {
					t.Errorf("gradient %g at step %d of a sequence of %d", d, step, p.lengths[sequence])
				}
			}
		}
		x.inputs[x.real[gates]] = tensors.FromFlatDataAndDimensions(changed, steps, batch, width)
		after := x.run(t)
		compare(t, "output", after.outputs, before.outputs, 0)
		compare(t, "gradient", after.gradients, before.gradients, 0)
	})
}

// TestGradientTwice has two gradients of one recurrence in a graph, the second of less than the first.
func TestGradientTwice(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(x *Node) []*Node {
			_, ys := Scan(sum, []*Node{Zeros(x.Graph(), shapes.Make(dtypes.Float32, 1))}, []*Node{x}, nil)
			all, first := ReduceAllSum(ys[0]), ReduceAllSum(SliceAxis(ys[0], 0, AxisElem(0)))
			return []*Node{Gradient(all, x)[0], Gradient(first, x)[0], Gradient(all, x)[0]}
		})
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Call([][]float32{{1}, {2}, {3}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range [][]float64{{3, 2, 1}, {1, 0, 0}, {3, 2, 1}} {
			compare(t, "gradient", [][]float64{flat(out[i])}, [][]float64{want}, 0)
		}
	})
}

// TestSecondDerivative is refused by the loop.
func TestSecondDerivative(t *testing.T) {
	e := enginetest.Open(t, engine.XLA)
	g := NewGraph(e.Backend, "second")
	x := Parameter(g, "x", shapes.Make(dtypes.Float32, 3, 1))
	square := func(_ *Loop, carry, x, _ []*Node) (next, y []*Node) {
		return []*Node{Mul(Add(carry[0], x[0]), x[0])}, nil
	}
	err := exceptions.TryCatch[error](func() {
		last, _ := Scan(square, []*Node{Zeros(g, shapes.Make(dtypes.Float32, 1))}, []*Node{x}, nil)
		Gradient(ReduceAllSum(Gradient(ReduceAllSum(last[0]), x)[0]), x)
	})
	if err == nil || !strings.Contains(err.Error(), "no second derivative") {
		t.Errorf("said %v", err)
	}
}

// TestScanInScan has a recurrence over words in a recurrence over sentences.
func TestScanInScan(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		exec, err := NewExec(e.Backend, func(x, w *Node) []*Node { // x [sentences,words,1]
			outer := func(_ *Loop, carry, x, k []*Node) (next, y []*Node) {
				inner := func(loop *Loop, carry, x, k []*Node) (next, y []*Node) {
					return []*Node{Add(loop.Dot(carry[0], k[0]), ExpandAxes(x[0], 0))}, nil
				}
				last, _ := Scan(inner, carry, x, k)
				return last, last
			}
			_, ys := Scan(outer, []*Node{Zeros(x.Graph(), shapes.Make(dtypes.Float32, 1, 1))}, []*Node{x}, []*Node{w})
			return append(ys, Gradient(ReduceAllSum(ys[0]), x, w)...)
		})
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Call([][][]float32{{{1}, {2}}, {{3}, {4}}}, [][]float32{{2}})
		if err != nil {
			t.Fatal(err)
		}
		// h = 2h + x: 1, 4 | 11, 26. With y = 4 + 26: d/dx = 2+8, 1+4 | 2, 1; d/dw = of w·1+2: 1; of ((w·(w+2)+3)·w+4): 3w²+4w+3 at 2.
		for i, want := range [][]float64{{4, 26}, {10, 5, 2, 1}, {1 + 23}} {
			compare(t, "result", [][]float64{flat(out[i])}, [][]float64{want}, 1e-6)
		}
	})
}

// TestOneGraphForAllLengths has one compiled graph that serves counts of steps known only when it runs.
func TestOneGraphForAllLengths(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		built := 0
		exec, err := NewExec(e.Backend, func(x, n *Node) []*Node {
			built++
			last, _ := Scan(sum, []*Node{Zeros(x.Graph(), shapes.Make(dtypes.Float32, 1))}, []*Node{x}, nil, Steps(n))
			return append(last, Gradient(ReduceAllSum(last[0]), x)...)
		})
		if err != nil {
			t.Fatal(err)
		}
		want := [][2][]float64{{{0}, {0, 0}}, {{1}, {1, 0}}, {{11}, {1, 1}}}
		for n, want := range want {
			out, err := exec.Call([][]float32{{1}, {10}}, int32(n))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "result", [][]float64{flat(out[0]), flat(out[1])}, want[:], 0)
		}
		if built != 1 {
			t.Errorf("the graph was built %d times", built)
		}
	})
}
