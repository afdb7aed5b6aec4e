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

// dot is one product x·w with a shared weight.
type dot struct {
	x, w, y *Node
	shared  int   // index of w among shared
	dy      *Node // gradient with respect to y, set while the backward loop's body is differentiated
}

// Row is the number of the row of xs that this step reads, a scalar Int32.
func (l *Loop) Row() *Node { return l.row }

// Dot is the product x·w of x [B,in] and one of the shared nodes, w [in,out]: [B,out]. It is the product to use with a weight: the
// loop saves it for the backward pass, and w's gradient is one large product after the loop instead of one for each step.
func (l *Loop) Dot(x, w *Node) *Node {
	k := slices.Index(l.shared, w)
	if k < 0 {
		panicf("Loop.Dot: w %s is not one of the step's shared nodes, as it must be; other products are graph.MatMul", w.Shape())
	}
	if x.Rank() != 2 || w.Rank() != 2 || x.Shape().Dim(1) != w.Shape().Dim(0) || x.DType() != w.DType() || !x.DType().IsFloat() {
		panicf("Loop.Dot: x %s and w %s must be floating-point [B,in] and [in,out]", x.Shape(), w.Shape())
	}
	d := &dot{x: x, w: w, shared: k}
	l.dots = append(l.dots, d)
	d.y = l.multiply(len(l.dots)-1, d)
	return d.y
}

func plainProduct(_ int, d *dot) *Node { return MatMul(d.x, d.w) }
