package recurrent

import . "github.com/gomlx/gomlx/core/graph"

// LSTM is the long short-term memory of Hochreiter and Schmidhuber (1997) with the forget gate of Gers et al. (2000) and no peepholes,
// Graves' (2013) as Sutskever et al. (2014) use it:
//
//	i_t = σ(W_i·x_t + b_i + U_i·h_{t-1})
//	f_t = σ(W_f·x_t + b_f + U_f·h_{t-1})
//	g_t = tanh(W_g·x_t + b_g + U_g·h_{t-1})
//	o_t = σ(W_o·x_t + b_o + U_o·h_{t-1})
//	c_t = f_t∘c_{t-1} + i_t∘g_t
//	h_t = o_t∘tanh(c_t)
//
// The states are h and c; the gates' order is i, f, g, o.
type LSTM struct {
	// ForgetBias is what b_f starts at. With 1 the cell remembers before it has learned to (Jozefowicz et al., 2015).
	ForgetBias float64
}

func (LSTM) Name() string        { return "LSTM" }
func (LSTM) States() int         { return 2 }
func (LSTM) Gates() int          { return 4 }
func (l LSTM) Bias() Initializer { return Blocks(0, l.ForgetBias, 0, 0) }

func (LSTM) Recurrent(hidden int) []Shape { return []Shape{{"U", []int{hidden, 4 * hidden}}} }

func (LSTM) Step(loop *Loop, gates *Node, state, u []*Node) []*Node {
	h, c := state[0], state[1]
	a := Add(gates, loop.Dot(h, u[0]))
	// One σ of all four blocks: XLA puts those of i and f into the kernel of c where they are apart, and then does not vectorise it.
	σ := Cut(Sigmoid(a), -1, 4)
	i, f, g, o := σ[0], σ[1], Tanh(Cut(a, -1, 4)[2]), σ[3]
	c = Add(Mul(f, c), Mul(i, g))
	h = Mul(o, Tanh(c))
	return []*Node{h, c}
}
