package recurrent

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// panicf panics as graph-building code does.
func panicf(format string, args ...any) { exceptions.Panicf(format, args...) }

// checked panics, with the shapes, where step does not return as many carries as it was given, of the same shapes.
func checked(step Step) Step {
	return func(loop *Loop, carry, x, shared []*Node) (next, y []*Node) {
		next, y = step(loop, carry, x, shared)
		if len(next) != len(carry) {
			panicf("recurrent.Scan: the step was given %d carries %v and returned %d %v", len(carry), shapesOf(carry), len(next), shapesOf(next))
		}
		for i, n := range next {
			if n == nil || !n.Shape().Equal(carry[i].Shape()) {
				panicf("recurrent.Scan: the step made carry[%d] of shape %s into %s: a carry keeps its shape", i, carry[i].Shape(), n.Shape())
			}
		}
		if i := slices.Index(y, nil); i >= 0 {
			panicf("recurrent.Scan: the step returned nil as output %d", i)
		}
		return next, y
	}
}

func nodesSoFar(g *Graph) NodeId {
	if last := g.LastNode(); last != nil {
		return last.Id() + 1
	}
	return 0
}

// uses tells which of the carry, x and shared that a step was given, in this order, its outputs depend on; a weight's use in
// [Loop.Dot] does not count.
type uses []bool

// audit walks from the outputs of a step to what they are made of, and panics at a node that is neither made by the step
// (numbered from start) nor given to it: a loop cannot differentiate with respect to such a node.
func audit(loop *Loop, outputs, given []*Node, start NodeId) uses {
	used := make(uses, len(given))
	seen := map[*Node]bool{}
	products := map[*Node]*dot{}
	for _, d := range loop.dots {
		products[d.y] = d
	}
	var visit func(n *Node)
	visit = func(n *Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		switch i := slices.Index(given, n); {
		case i >= 0:
			used[i] = true
		case n == loop.row || n.Type() == NodeTypeConstant:
		case n.Type() == NodeTypeParameter:
			panicf("recurrent.Scan: the step reads parameter or variable %q: pass its value in shared (random numbers: draw them before and pass them in xs)", n.GetParameterName())
		case n.Id() < start:
			panicf("recurrent.Scan: the step uses a node from outside the loop, %s: pass it in shared", n)
		case products[n] != nil:
			visit(products[n].x)
		default:
			for _, input := range n.Inputs() {
				visit(input)
			}
		}
	}
	for _, n := range outputs {
		visit(n)
	}
	return used
}
