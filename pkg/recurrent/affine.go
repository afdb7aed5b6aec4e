package recurrent

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Affine is x·w + b for all rows of x [N,in] or [T,B,in], with w [in,out] and b [out]: the layers that a recurrence needs once, before or after
// its loop.
//
// The bias is one more row of w, under a column of ones beside x. The result and the gradients, which are its largest arrays where out is a
// vocabulary, are then written and read once for the product, and not again for the bias.
func Affine(x, w, b *Node) *Node {
	if x.Rank() < 2 || w.Rank() != 2 || b.Rank() != 1 || x.Shape().Dim(-1) != w.Shape().Dim(0) || b.Shape().Dim(0) != w.Shape().Dim(1) {
		panicf("recurrent.Affine: x %s, w %s and b %s must be [N,in] or [T,B,in], [in,out] and [out]", x.Shape(), w.Shape(), b.Shape())
	}
	in, out := w.Shape().Dim(0), w.Shape().Dim(1)
	rows := x.Shape().Size() / in
	ones := Ones(x.Graph(), shapes.Make(x.DType(), rows, 1))
	wide := Concatenate([]*Node{Reshape(x, rows, in), ones}, -1) // [N,in+1]
	y := DotGeneral(wide, []int{1}, nil, Concatenate([]*Node{w, ExpandAxes(b, 0)}, 0), []int{0}, nil)
	setGradient(y, func(v []*Node) []*Node {
		dx := DotGeneral(v[0], []int{1}, nil, w, []int{1}, nil)
		// Of the two that the product sums over rows, x is the smaller one to turn round.
		dw := DotGeneral(Transpose(wide, 0, 1), []int{1}, nil, v[0], []int{0}, nil)
		return []*Node{Concatenate([]*Node{dx, ZerosLike(ones)}, -1), dw}
	})
	dims := x.Shape().Clone().Dimensions
	dims[len(dims)-1] = out
	return Reshape(y, dims...)
}
