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
	if h.Rank() != 3 {
		panic(fmt.Errorf("attention.Additive: encoder states %s: want [B,S,value]", h.Shape()))
	}
	b, s, u := h.Shape().Dim(0), h.Shape().Dim(1), weights[1]
	return Reshape(MatMul(Reshape(h, b*s, -1), u), b, s, a.Size)
}

// Score is v·tanh(W s + U h_j) for all j, [B,S].
func (a Additive) Score(loop *recurrent.Loop, weights []*Node, s, keys *Node) *Node {
	w, v := weights[0], weights[2]
	b, positions := keys.Shape().Dim(0), keys.Shape().Dim(1)
	hidden := Tanh(Add(ExpandAxes(loop.Dot(s, w), 1), keys)) // [B,S,Size]
	return Reshape(MatMul(Reshape(hidden, b*positions, a.Size), v), b, positions)
}
