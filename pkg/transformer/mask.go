package transformer

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Causal lets position t look at positions up to t: [1,1,T,T] (section 3.2.3).
func Causal(g *Graph, t int) *Node {
	square := shapes.Make(dtypes.Int32, 1, 1, t, t)
	return LessOrEqual(Iota(g, square, 3), Iota(g, square, 2))
}

// Padding lets every position look at the first of S positions, as many as the sentence has: [B,1,1,S] of lengths [B].
func Padding(lengths *Node, s int) *Node {
	b := lengths.Shape().Dim(0)
	positions := Iota(lengths.Graph(), shapes.Make(lengths.DType(), b, 1, 1, s), 3)
	return LessThan(positions, BroadcastToShape(Reshape(lengths, b, 1, 1, 1), positions.Shape()))
}
