package attention

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// General is the product through a matrix of Luong, Pham and Manning (2015, section 3.1):
//
//	e_j = s·W_a h_j
type General struct{}

var _ Score = General{}

// Name is "general".
func (General) Name() string { return "general" }

// Fits is nil: the matrix leads from one size to the other.
func (General) Fits(query, value int) error { return nil }

// Parameters are W_a [query,value].
func (General) Parameters(query, value int) []recurrent.Shape {
	return []recurrent.Shape{{Name: "W_a", Dims: []int{query, value}}}
}

// Keys is W_a h_j for all j, [B,query,S].
func (General) Keys(weights []*Node, h *Node) *Node {
	if h.Rank() != 3 {
		panic(fmt.Errorf("attention.General: encoder states %s: want [B,S,value]", h.Shape()))
	}
	return TransposeAllAxes(eachState(h, Transpose(weights[0], 0, 1)), 0, 2, 1)
}

// Score is s·W_a h_j for all j, [B,S].
func (General) Score(loop *recurrent.Loop, _ []*Node, s, keys *Node) *Node { return loop.Dot(s, keys) }
