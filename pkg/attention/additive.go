package attention

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Additive is the score of Bahdanau, Cho and Bengio (2015, appendix A.1.2):
//
//	e_j = v·tanh(W s + U h_j)
//
// with a hidden layer of Size units (the paper's n').
type Additive struct{ Size int }

var _ Score = Additive{}

// Name is "additive".
func (Additive) Name() string { return "additive" }

// Fits is nil: the hidden layer takes states of any two sizes.
func (Additive) Fits(query, value int) error { return nil }

// Parameters are W [query,Size], U [value,Size] and v [Size,1].
func (a Additive) Parameters(query, value int) []recurrent.Shape {
	return []recurrent.Shape{
		{Name: "W", Dims: []int{query, a.Size}},
		{Name: "U", Dims: []int{value, a.Size}},
		{Name: "v", Dims: []int{a.Size, 1}},
	}
}

// Keys is U h_j for all j, [B,S,Size].
func (a Additive) Keys(weights []*Node, h *Node) *Node {
	return eachState(h, weights[1])
}

// Score is v·tanh(W s + U h_j) for all j, [B,S].
func (a Additive) Score(loop *recurrent.Loop, weights []*Node, s, keys *Node) *Node {
	w, v := weights[0], weights[2]
	return hiddenLayer(loop.Dot(s, w), keys, v)
}

// eachState is u·h_j for all j, [B,S,out], of encoder states h [B,S,value] and a matrix u [value,out].
func eachState(h, u *Node) *Node {
	if h.Rank() != 3 {
		panic(fmt.Errorf("attention: encoder states %s: want [B,S,value]", h.Shape()))
	}
	b, s := h.Shape().Dim(0), h.Shape().Dim(1)
	return Reshape(MatMul(Reshape(h, b*s, -1), u), b, s, u.Shape().Dim(1))
}

// hiddenLayer is v·tanh(query + key_j) for all j, [B,S], of query [B,Size], keys [B,S,Size] and v [Size,1].
func hiddenLayer(query, keys, v *Node) *Node {
	b, s, size := keys.Shape().Dim(0), keys.Shape().Dim(1), keys.Shape().Dim(2)
	hidden := Tanh(Add(ExpandAxes(query, 1), keys)) // [B,S,Size]
	return Reshape(MatMul(Reshape(hidden, b*s, size), v), b, s)
}
