package recurrent

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// While has no gradient of its own in GoMLX. VJPRegistration is where a package adds that of a kind of node; this one serves the
// loops that Scan makes and leaves all others as they were.
func init() {
	others := VJPRegistration[NodeTypeWhile]
	VJPRegistration[NodeTypeWhile] = func(node *Node, v []*Node, outputShape shapes.Shape) []*Node {
		of, _ := node.Graph().State(loops{}).(map[NodeId]gradient)
		if d := of[node.Id()]; d != nil {
			return d(v)
		}
		if others == nil {
			panicf("%s has no gradient: it is no loop of recurrent.Scan, or it is the gradient of one, and that has no second derivative", node)
		}
		return others(node, v, outputShape)
	}
}

// gradient goes from the gradients with respect to a loop's outputs to those with respect to its inputs, nil where there is none.
type gradient func(v []*Node) []*Node

// loops is the key of the loops' gradients in a graph's state.
type loops struct{}

// setGradient sets the gradient of the loop that output comes from.
func setGradient(output *Node, d gradient) {
	g := output.Graph()
	of, _ := g.State(loops{}).(map[NodeId]gradient)
	if of == nil {
		of = map[NodeId]gradient{}
		g.AttachState(loops{}, of)
	}
	of[output.Inputs()[0].Id()] = d
}
