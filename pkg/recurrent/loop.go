package recurrent

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// Loop is what a [Step] has of the loop that it runs in.
type Loop struct {
	row    *Node
	shared []*Node
	dots   []*dot
	// multiply is x·w: plainly, or in the backward loop as the forward loop saved it.
	multiply func(number int, d *dot) *Node
}

// dot is one product x·w with a shared node.
type dot struct {
	x, w, y *Node
	shared  int   // index of w among shared
	dy      *Node // gradient with respect to y, set while the backward loop's body is differentiated
}

// Row is the number of the row of xs that this step reads, a scalar Int32.
func (l *Loop) Row() *Node { return l.row }

// Dot is the product x·w of x [B,in] and one of the shared nodes, w: a weight [in,out], or [B,in,out] with a matrix for each row of
// the batch, such as encoder states that attention weights sum up. It is the product to use with a shared node: the loop saves it for the
// backward pass, and w's gradient is one large product after the loop instead of one for each step. The result is [B,out].
func (l *Loop) Dot(x, w *Node) *Node {
	k := slices.Index(l.shared, w)
	if k < 0 {
		panicf("Loop.Dot: w %s is not one of the step's shared nodes, as it must be; other products are graph.MatMul", w.Shape())
	}
	fits := x.Rank() == 2 && x.DType() == w.DType() && x.DType().IsFloat()
	switch w.Rank() {
	case 2:
		fits = fits && w.Shape().Dim(0) == x.Shape().Dim(1)
	case 3:
		fits = fits && w.Shape().Dim(0) == x.Shape().Dim(0) && w.Shape().Dim(1) == x.Shape().Dim(1)
	default:
		fits = false
	}
	if !fits {
		panicf("Loop.Dot: x %s and w %s must be floating-point [B,in] and [in,out] or [B,in,out]", x.Shape(), w.Shape())
	}
	d := &dot{x: x, w: w, shared: k}
	l.dots = append(l.dots, d)
	d.y = l.multiply(len(l.dots)-1, d)
	return d.y
}

func plainProduct(_ int, d *dot) *Node {
	if d.w.Rank() == 3 {
		return DotGeneral(d.x, []int{1}, []int{0}, d.w, []int{1}, []int{0})
	}
	return MatMul(d.x, d.w)
}

// dx is the gradient with respect to x, from that with respect to y [B,out].
func (d *dot) dx() *Node {
	if d.w.Rank() == 3 {
		return DotGeneral(d.dy, []int{1}, []int{0}, d.w, []int{2}, []int{0})
	}
	return MatMul(d.dy, Transpose(d.w, 0, 1))
}

// weightGradient is the gradient with respect to a w of this rank, from all x [T,B,in] and the gradients with respect to all y [T,B,out].
func weightGradient(rank int, x, dy *Node) *Node {
	if rank == 3 {
		return DotGeneral(x, []int{0}, []int{1}, dy, []int{0}, []int{1})
	}
	return DotGeneral(x, []int{0, 1}, nil, dy, []int{0, 1}, nil)
}
