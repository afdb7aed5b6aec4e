package attention

import (
	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Concat is the score of Luong, Pham and Manning (2015, section 3.1) that reads both states side by side:
//
//	e_j = v_a·tanh(W_a [s; h_j])
//
// with a hidden layer of Size units. It is the same function as [Additive], whose W and U are the two parts of W_a; only the range that
// the weights start in differs, because the one matrix has more inputs.
type Concat struct{ Size int }

var _ Score = Concat{}

// Name is "concat".
func (Concat) Name() string { return "concat" }

// Fits is nil: the hidden layer takes states of any two sizes.
func (Concat) Fits(query, value int) error { return nil }

// Parameters are W_a [query+value,Size] and v_a [Size,1].
func (c Concat) Parameters(query, value int) []recurrent.Shape {
	return []recurrent.Shape{
		{Name: "W_a", Dims: []int{query + value, c.Size}},
		{Name: "v_a", Dims: []int{c.Size, 1}},
	}
}

// Keys is W_a [0; h_j] for all j, [B,S,Size]: the part that does not depend on s.
func (c Concat) Keys(weights []*Node, h *Node) *Node {
	w := weights[0]
	query := w.Shape().Dim(0) - h.Shape().Dim(h.Rank()-1)
	return eachState(h, SliceAxis(w, 0, AxisRangeToEnd(query)))
}

// Score is v_a·tanh(W_a [s; h_j]) for all j, [B,S].
func (c Concat) Score(loop *recurrent.Loop, weights []*Node, s, keys *Node) *Node {
	w, v := weights[0], weights[1]
	b, query := s.Shape().Dim(0), s.Shape().Dim(1)
	nothing := ExpandAndBroadcast(ScalarZero(s.Graph(), s.DType()), []int{b, w.Shape().Dim(0) - query}, []int{0, 1})
	return hiddenLayer(loop.Dot(Concatenate([]*Node{s, nothing}, -1), w), keys, v) // W_a [s; 0] + W_a [0; h_j]
}
