package recurrent

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// groups is the state of a loop: lists of nodes, each list for one purpose.
type groups [][]*Node

// while runs body on the state as long as condition holds. Both see nothing but the state; body returns it with the same shapes in the
// same groups.
func while(g *Graph, state groups, condition func(s groups) *Node, body func(s groups) groups) groups {
	inside := func(build func(s groups) []*Node) *Function {
		return closure(g, func(g *Graph) []*Node {
			return build(state.regroup(parameters(g, shapesOf(join(state...)))))
		})
	}
	return state.regroup(While(
		inside(func(s groups) []*Node { return []*Node{condition(s)} }),
		inside(func(s groups) []*Node { return join(body(s)...) }),
		join(state...)...))
}

// parameters are those of the function that is being built.
func parameters(g *Graph, of []shapes.Shape) []*Node {
	all := make([]*Node, len(of))
	for i, s := range of {
		all[i] = Parameter(g, fmt.Sprint("state", i), s)
	}
	return all
}

// regroup puts flat in groups of the sizes of s.
func (s groups) regroup(flat []*Node) groups {
	parts := make(groups, len(s))
	for i, group := range s {
		parts[i], flat = flat[:len(group):len(group)], flat[len(group):]
	}
	return parts
}
