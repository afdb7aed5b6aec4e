package recurrent

import . "github.com/gomlx/gomlx/core/graph"

// GRU is the gated recurrent unit of Cho et al. (2014, equations 5 to 8), which Bahdanau et al. (2015, appendix A.1.1) use with z and 1-z
// exchanged:
//
//	r_t = σ(W_r·x_t + b_r + U_r·h_{t-1})
//	z_t = σ(W_z·x_t + b_z + U_z·h_{t-1})
//	n_t = tanh(W·x_t + b + U·(r_t∘h_{t-1}))
//	h_t = z_t∘h_{t-1} + (1-z_t)∘n_t
//
// With ResetAfter it is the form of cuDNN and PyTorch, which needs one recurrent product instead of two:
//
//	n_t = tanh(W·x_t + b + r_t∘(U·h_{t-1} + c))
//
// with recurrent biases c for r and z too, as these libraries have.
//
// The gates' order is r, z, n.
type GRU struct{ ResetAfter bool }

func (GRU) Name() string      { return "GRU" }
func (GRU) States() int       { return 1 }
func (GRU) Gates() int        { return 3 }
func (GRU) Bias() Initializer { return Constant(0) }

func (c GRU) Recurrent(hidden int) []Shape {
	if c.ResetAfter {
		return []Shape{{"U", []int{hidden, 3 * hidden}}, {"c", []int{3 * hidden}}}
	}
	return []Shape{{"U_rz", []int{hidden, 2 * hidden}}, {"U", []int{hidden, hidden}}}
}

func (c GRU) Step(loop *Loop, gates *Node, state, u []*Node) []*Node {
	h := state[0]
	hidden := h.Shape().Dim(-1)
	wx := CutAt(gates, -1, 2*hidden) // of r and z; of n
	var r, z, n *Node
	if c.ResetAfter {
		uh := CutAt(Add(loop.Dot(h, u[0]), ExpandAxes(u[1], 0)), -1, 2*hidden)
		r, z = halves(Sigmoid(Add(wx[0], uh[0])))
		n = Tanh(Add(wx[1], Mul(r, uh[1])))
	} else {
		r, z = halves(Sigmoid(Add(wx[0], loop.Dot(h, u[0]))))
		n = Tanh(Add(wx[1], loop.Dot(Mul(r, h), u[1])))
	}
	h = Add(Mul(z, h), Mul(OneMinus(z), n))
	return []*Node{h}
}

// halves are the blocks of x [B,2·H].
func halves(x *Node) (first, second *Node) {
	parts := Cut(x, -1, 2)
	return parts[0], parts[1]
}
