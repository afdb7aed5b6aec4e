package recurrent

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// timed is the shape [t, …] of t rows of shape s.
func timed(t int, s shapes.Shape) shapes.Shape {
	return shapes.Make(s.DType, append([]int{t}, s.Dimensions...)...)
}

// rowShapes are the shapes of one row of each of xs [T,…].
func rowShapes(xs []*Node) []shapes.Shape {
	rows := make([]shapes.Shape, len(xs))
	for i, x := range xs {
		rows[i] = shapes.Make(x.DType(), x.Shape().Dimensions[1:]...)
	}
	return rows
}

// buffers are zeros of t rows of each shape.
func buffers(g *Graph, t int, rows []shapes.Shape) []*Node {
	all := make([]*Node, len(rows))
	for i, s := range rows {
		all[i] = Zeros(g, timed(t, s))
	}
	return all
}

// at is the row of this number of each of xs [T,…].
func at(xs []*Node, row *Node) []*Node {
	rows := make([]*Node, len(xs))
	for i, x := range xs {
		size := x.Shape().Clone().Dimensions
		size[0] = 1
		rows[i] = Squeeze(DynamicSlice(x, startOf(x, row), size), 0)
	}
	return rows
}

// put is each of buffers [T,…] with the row of this number set to that of values.
func put(buffers, values []*Node, row *Node) []*Node {
	set := make([]*Node, len(buffers))
	for i, b := range buffers {
		set[i] = DynamicUpdateSlice(b, ExpandAxes(values[i], 0), startOf(b, row))
	}
	return set
}

// startOf is where a row begins in x.
func startOf(x, row *Node) []*Node {
	start := make([]*Node, x.Rank())
	for i := range start {
		start[i] = ScalarZero(x.Graph(), dtypes.Int32)
	}
	start[0] = row
	return start
}
