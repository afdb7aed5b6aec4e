package recurrent

import . "github.com/gomlx/gomlx/core/graph"

// RNN is the simple recurrent network of Elman (1990) with tanh:
//
//	h_t = tanh(W·x_t + b + U·h_{t-1})
type RNN struct{}

func (RNN) Name() string      { return "RNN" }
func (RNN) States() int       { return 1 }
func (RNN) Gates() int        { return 1 }
func (RNN) Bias() Initializer { return Constant(0) }

func (RNN) Recurrent(hidden int) []Shape { return []Shape{{"U", []int{hidden, hidden}}} }

func (RNN) Step(loop *Loop, gates *Node, state, u []*Node) []*Node {
	h := state[0]
	h = Tanh(Add(gates, loop.Dot(h, u[0])))
	return []*Node{h}
}
