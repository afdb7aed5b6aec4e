package recurrent

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// VJPRegistration is where GoMLX looks up the gradient of a kind of node. These ones serve the nodes that [setGradient] was called for: loops, which
// have no gradient in GoMLX, and products that this package differentiates with less work. Others are left as they were.
func init() {
	for _, kind := range []NodeType{NodeTypeWhile, NodeTypeDotGeneral} {
		others := VJPRegistration[kind]
		VJPRegistration[kind] = func(node *Node, v []*Node, outputShape shapes.Shape) []*Node {
			of, _ := node.Graph().State(gradients{}).(map[NodeId]gradient)
			if d := of[node.Id()]; d != nil {
				return d(v)
			}
			if others == nil {
				panicf("%s has no gradient: it is no loop of recurrent.Scan, or it is the gradient of one, and that has no second derivative", node)
			}
			return others(node, v, outputShape)
		}
	}
}

// gradient goes from the gradients with respect to a node's outputs to those with respect to its inputs, nil where there is none.
type gradient func(v []*Node) []*Node

// gradients is the key of these in a graph's state.
type gradients struct{}

// setGradient sets the gradient of a node.
func setGradient(node *Node, d gradient) {
	g := node.Graph()
	of, _ := g.State(gradients{}).(map[NodeId]gradient)
	if of == nil {
		of = map[NodeId]gradient{}
		g.AttachState(gradients{}, of)
	}
	of[node.Id()] = d
}
