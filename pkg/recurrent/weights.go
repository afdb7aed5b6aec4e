package recurrent

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// Weights are the parameters of one layer of a cell with H hidden units over inputs of width E.
type Weights struct {
	W *Node   // [E,G·H], from the input to the gates
	B *Node   // [G·H], their bias
	U []*Node // the cell's recurrent weights, in the order of [Cell.Recurrent]
}

// Start says how the matrices of a layer start. What is nil starts as [NewWeights] says.
type Start struct{ Input, Recurrent Initializer }

// NewWeights declares the parameters of one layer of cell over inputs of width input. If start does not say otherwise, each
// gate of W starts as [Glorot] has it and the recurrent matrices as [Orthogonal]. Biases start at 0 but for what the cell sets.
func NewWeights(p Parameters, cell Cell, input, hidden int, start Start) Weights {
	if start.Input == nil {
		start.Input = Glorot(cell.Gates())
	}
	if start.Recurrent == nil {
		start.Recurrent = Orthogonal()
	}
	w := Weights{
		W: p.Value("W", start.Input, input, cell.Gates()*hidden),
		B: p.Value("b", cell.Bias(), cell.Gates()*hidden),
	}
	for _, u := range cell.Recurrent(hidden) {
		if len(u.Dims) == 1 {
			w.U = append(w.U, p.Value(u.Name, Constant(0), u.Dims...))
		} else {
			w.U = append(w.U, p.Value(u.Name, start.Recurrent, u.Dims...))
		}
	}
	return w
}

// Gates is the projected input W·x_t + b of all steps, [T,B,G·H] of x [T,B,E], as one product.
func (w Weights) Gates(x *Node) *Node {
	if x.Rank() != 3 || x.Shape().Dim(2) != w.W.Shape().Dim(0) {
		panicf("recurrent.Weights.Gates: x %s must be [T,B,E] with W %s [E,G·H]", x.Shape(), w.W.Shape())
	}
	return Affine(x, w.W, w.B)
}
