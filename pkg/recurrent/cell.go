package recurrent

import . "github.com/gomlx/gomlx/core/graph"

// Cell is the recurrence of one layer with H hidden units. Its step reads the projected input, which is one product for all steps
// outside of the loop (see [Weights.Gates]), and does what depends on the state.
type Cell interface {
	// Name is the field's name of the cell.
	Name() string
	// States is the number of state vectors [B,H]; the first is the output h.
	States() int
	// Gates is the number G of blocks of H columns in the projected input.
	Gates() int
	// Recurrent lists the weights that the step reads, in its order.
	Recurrent(hidden int) []Shape
	// Bias sets the start values of the input's bias [G·H].
	Bias() Initializer
	// Step is the next state from gates [B,G·H], the projected input W·x+b (to which a decoder adds what else feeds the cell), the
	// state, each [B,H], and the weights u that Recurrent lists, which are among the loop's shared nodes.
	Step(loop *Loop, gates *Node, state, u []*Node) []*Node
}

// Shape names a weight and gives its dimensions.
type Shape struct {
	Name string
	Dims []int
}
