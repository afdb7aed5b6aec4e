package recurrent

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Layer runs cell over x [T,B,E] from the state initial (nil for zeros) and returns its outputs h [T,B,H] and the state after the last
// step, each [B,H]. The options are [Scan]'s: a padded batch takes Masked, the other direction Reversed.
func Layer(cell Cell, w Weights, x *Node, initial []*Node, options ...Option) (h *Node, last []*Node) {
	gates := w.Gates(x)
	if initial == nil {
		initial = ZeroState(cell, gates)
	}
	step := func(loop *Loop, state, x, u []*Node) (next, y []*Node) {
		next = cell.Step(loop, x[0], state, u)
		return next, next[:1]
	}
	last, ys := Scan(step, initial, []*Node{gates}, w.U, options...)
	return ys[0], last
}

// ZeroState is the state of cell before the first step, zeros [B,H] for gates [T,B,G·H].
func ZeroState(cell Cell, gates *Node) []*Node {
	state := make([]*Node, cell.States())
	for i := range state {
		state[i] = Zeros(gates.Graph(), shapes.Make(gates.DType(), gates.Shape().Dim(1), gates.Shape().Dim(2)/cell.Gates()))
	}
	return state
}
