package recurrent_test

import (
	"fmt"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

const (
	steps  = 4
	batch  = 3
	hidden = 2
)

// cellProblem runs a cell over its projected input.
func cellProblem(cell Cell) problem {
	p := problem{name: fmt.Sprintf("%T%+v", cell, cell), xs: []input{reals(steps, batch, cell.Gates()*hidden)}}
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
// operations, weights in Dot and outside of it, and a product of what is neither carry nor input.
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
			context := Einsum("bs,bsh->bh", alpha, values)
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

// memoryProblem carries a matrix for each sequence and a number, as a memory network would, and reads the row's number.
func memoryProblem() problem {
	return problem{
		name:   "memory",
		carry:  []input{reals(batch, 4, hidden), reals()},
		xs:     []input{reals(steps, batch, 4)},
		shared: []input{reals(hidden)},
		step: func(loop *Loop, carry, x, k []*Node) (next, y []*Node) {
			memory, sum := carry[0], carry[1]
			w := Softmax(x[0], -1)
			write := Mul(ExpandAxes(w, -1), Reshape(k[0], 1, 1, -1))
			memory = Add(Mul(memory, OneMinus(write)), MulScalar(write, 0.3))
			read := Einsum("bn,bnm->bm", w, memory)
			sum = Add(Mul(sum, ConvertDType(loop.Row(), sum.DType())), ReduceAllMean(read))
			return []*Node{memory, sum}, []*Node{read, sum}
		},
	}
}

func problems() []problem {
	return []problem{
		cellProblem(RNN{}), cellProblem(GRU{}), cellProblem(GRU{ResetAfter: true}), cellProblem(LSTM{}),
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

func TestScanAgainstDifferences(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, p := range problems() {
			for _, p := range variants(p) {
				t.Run(p.name, func(t *testing.T) {
					x := p.on(t, e, dtypes.Float64)
					compare(t, "gradient", x.run(t).gradients, x.differences(t), 1e-8)
				})
			}
		}
	})
}

var _ = shapes.Make
