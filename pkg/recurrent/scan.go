package recurrent

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Step is one step of a recurrence: from the carried state and this step's row of the inputs to the next state and this
// step's row of the outputs. It builds graph nodes and nothing else; it is called more than once and must build the same nodes
// each time. All that it reads comes in as carry, x or shared (constants excepted); next has the shapes of carry.
type Step func(loop *Loop, carry, x, shared []*Node) (next, y []*Node)

// Option changes how [Scan] runs.
type Option func(*scan)

// Masked keeps the carry, and puts zeros in the outputs, where mask [T,B] (Bool) is false. No gradient flows through such a
// step. Every carry and output then has the batch B as its first axis. With [Reversed] it gives each sequence of a padded batch
// its own last token first.
func Masked(mask *Node) Option { return func(s *scan) { s.mask = mask } }

// Reversed runs from the last row to the first. The outputs stay in the order of the inputs.
func Reversed() Option { return func(s *scan) { s.reversed = true } }

// Steps ends the recurrence after count steps, a number known only when the graph runs: a scalar Int32, taken as 0 where negative
// and as T where greater. Only the first count rows are read (with [Reversed] from row count-1 down); the rest of the outputs is zero. It
// lets one compiled graph serve all lengths up to T.
func Steps(count *Node) Option { return func(s *scan) { s.count = count } }

// Until ends the recurrence before the first step whose carry stop finds to be the end, by a scalar Bool; after T steps, or the count of [Steps],
// it ends anyway. The outputs of the steps that are not made are zero, and there is no gradient. Written out, all steps are made and what
// follows the end is thrown away.
func Until(stop func(carry []*Node) *Node) Option { return func(s *scan) { s.until = stop } }

// Length gives the number of steps T where there are no xs and no mask to tell it.
func Length(t int) Option { return func(s *scan) { s.length = t } }

// Unrolled writes the steps out one after another instead of making a loop: the oracle in tests, and what [Scan] does by
// itself where [CanLoop] says that the engine has no loop for it.
func Unrolled() Option { return func(s *scan) { s.unrolled = true } }

// scan is one call of Scan.
type scan struct {
	step              Step
	carry, xs, shared []*Node // the arguments; with a mask, xs ends in it

	length             int // T
	reversed, unrolled bool
	mask, count        *Node                     // nil without
	until              func(carry []*Node) *Node // nil without
}

// Scan runs step over the rows of xs, each [T,…], from the state carry, and returns the state after the last step and the outputs,
// each [T,…]. The nodes in shared are given to every step as they are: weights, encoder states, masks. Gradients flow to
// carry, xs and shared; integers and booleans may be among them and get none.
//
// It panics, with the shapes, if T is 0 or differs among xs, and on a step that it could not differentiate rightly (see the package's documentation).
func Scan(step Step, carry, xs, shared []*Node, options ...Option) (last, ys []*Node) {
	s := &scan{step: checked(step), carry: carry, xs: xs, shared: shared}
	for _, option := range options {
		option(s)
	}
	s.check()
	if s.mask != nil {
		s.step = masked(s.step)
		s.xs = append(append([]*Node{}, xs...), s.mask)
	}
	g := s.graph()
	run := s.loop
	if s.unrolled || !g.CurrentFunc().IsMain() || CanLoop(g.Backend()) != nil {
		run = s.unroll
	}
	last, ys = run()
	if s.until != nil {
		return noGradient(last), noGradient(ys)
	}
	return last, ys
}

// noGradient panics where one of nodes is differentiated.
func noGradient(nodes []*Node) []*Node {
	refused := make([]*Node, len(nodes))
	for i, n := range nodes {
		refused[i] = IdentityWithCustomGradient(n, func(n, _ *Node) *Node {
			panicf("recurrent.Scan: a recurrence with Until has no gradient, of its result %s or another", n.Shape())
			return nil
		})
	}
	return refused
}

func (s *scan) graph() *Graph { return join(s.carry, s.xs, s.shared)[0].Graph() }

// check panics unless the arguments of Scan fit together, and sets the length.
func (s *scan) check() {
	all := join(s.carry, s.xs, s.shared)
	if len(all) == 0 {
		panicf("recurrent.Scan: no carry, no xs and no shared: nothing to do")
	}
	for _, n := range all {
		if n == nil {
			panicf("recurrent.Scan: nil among carry (%d), xs (%d) or shared (%d)", len(s.carry), len(s.xs), len(s.shared))
		}
		if n.DType().IsComplex() {
			panicf("recurrent.Scan: complex input %s: not differentiated", n.Shape())
		}
	}
	timed, what := s.xs, "xs"
	if s.mask != nil {
		if s.mask.DType() != dtypes.Bool || s.mask.Rank() != 2 {
			panicf("recurrent.Scan: mask must be Bool [T,B], got %s", s.mask.Shape())
		}
		timed, what = append(append([]*Node{}, timed...), s.mask), "xs and mask"
		for i, c := range s.carry {
			if c.Rank() == 0 || c.Shape().Dim(0) != s.mask.Shape().Dim(1) {
				panicf("recurrent.Scan: with a mask %s carry[%d] must have the batch as first axis, got %s", s.mask.Shape(), i, c.Shape())
			}
		}
	}
	for i, x := range timed {
		if x.Rank() == 0 {
			panicf("recurrent.Scan: xs[%d] %s has no time axis", i, x.Shape())
		}
		if i == 0 && s.length == 0 {
			s.length = x.Shape().Dim(0)
		}
		if t := x.Shape().Dim(0); t != s.length || t == 0 {
			panicf("recurrent.Scan: %s %v must have the same number of steps, at least 1, as first axis", what, shapesOf(timed))
		}
	}
	if s.length < 1 {
		panicf("recurrent.Scan: %d steps: without xs the option Length must give at least 1", s.length)
	}
	if s.count != nil && (s.count.DType() != dtypes.Int32 || s.count.Rank() != 0) {
		panicf("recurrent.Scan: Steps must be a scalar Int32, got %s", s.count.Shape())
	}
}

// row is the row of xs that step i reads when all T steps are made.
func (s *scan) row(i int) int {
	if s.reversed {
		return s.length - 1 - i
	}
	return i
}

// masked keeps the carry and puts out zeros where the last of x, [B], is false.
func masked(step Step) Step {
	return func(loop *Loop, carry, x, shared []*Node) (next, y []*Node) {
		x, mask := x[:len(x)-1], x[len(x)-1]
		next, y = step(loop, carry, x, shared)
		for i, v := range y {
			if v.Rank() == 0 || v.Shape().Dim(0) != mask.Shape().Dim(0) {
				panicf("recurrent.Scan: with a mask output %d must have the batch of %d as first axis, got %s", i, mask.Shape().Dim(0), v.Shape())
			}
		}
		return choose(mask, next, carry), choose(mask, y, zerosLike(y))
	}
}

// choose takes each of then where condition holds and each of otherwise where not.
func choose(condition *Node, then, otherwise []*Node) []*Node {
	chosen := make([]*Node, len(then))
	for i := range then {
		chosen[i] = Where(condition, then[i], otherwise[i])
	}
	return chosen
}

func zerosLike(nodes []*Node) []*Node {
	zeros := make([]*Node, len(nodes))
	for i, n := range nodes {
		zeros[i] = ZerosLike(n)
	}
	return zeros
}

func shapesOf(nodes []*Node) []shapes.Shape {
	all := make([]shapes.Shape, len(nodes))
	for i, n := range nodes {
		all[i] = n.Shape()
	}
	return all
}

// join is the concatenation of lists in a new list.
func join(lists ...[]*Node) []*Node {
	var all []*Node
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}
