package attention

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Location is the score of Luong, Pham and Manning (2015, equation 8) that knows where a word stands and not what it is:
//
//	e = W_a s
//
// with one row of W_a for each position of the source, so for a fixed number of them. A shorter source uses the first; of a longer
// one the words beyond have no score, and must be masked: they are not attended to.
type Location struct{ Positions int }

var _ Score = Location{}

// Name is "location".
func (Location) Name() string { return "location" }

// Fits is nil: the encoder states are not read.
func (Location) Fits(query, value int) error { return nil }

// Parameters are W_a [query,Positions].
func (l Location) Parameters(query, value int) []recurrent.Shape {
	return []recurrent.Shape{{Name: "W_a", Dims: []int{query, l.Positions}}}
}

// Keys is [B,S,1], of which only S matters.
func (Location) Keys(_ []*Node, h *Node) *Node {
	if h.Rank() != 3 {
		panic(fmt.Errorf("attention.Location: encoder states %s: want [B,S,value]", h.Shape()))
	}
	return Zeros(h.Graph(), shapes.Make(h.DType(), h.Shape().Dim(0), h.Shape().Dim(1), 1))
}

// Score is W_a s, [B,S]; 0 at positions beyond those it has.
func (l Location) Score(loop *recurrent.Loop, weights []*Node, s, keys *Node) *Node {
	e, positions := loop.Dot(s, weights[0]), keys.Shape().Dim(1)
	if positions <= l.Positions {
		return SliceAxis(e, 1, AxisRange(0, positions))
	}
	beyond := Zeros(e.Graph(), shapes.Make(e.DType(), e.Shape().Dim(0), positions-l.Positions))
	return Concatenate([]*Node{e, beyond}, 1)
}
