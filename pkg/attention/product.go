package attention

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Product is the dot product of Luong, Pham and Manning (2015, section 3.1):
//
//	e_j = s·h_j
//
// or, Scaled, that of Vaswani et al. (2017, equation 1), which keeps the scores' spread from growing with the width d of the states:
//
//	e_j = s·h_j / √d
//
// It learns no weights, and needs states of one size.
type Product struct{ Scaled bool }

var _ Score = Product{}

// Name is "dot" or "scaled-dot".
func (d Product) Name() string {
	if d.Scaled {
		return "scaled-dot"
	}
	return "dot"
}

// Fits refuses states of two sizes.
func (d Product) Fits(query, value int) error {
	if query != value {
		return fmt.Errorf("attention: a dot product needs states of one size, but the decoder's have %d values and the encoder's %d; the score general puts a matrix between them", query, value)
	}
	return nil
}

// Parameters are none.
func (Product) Parameters(query, value int) []recurrent.Shape { return nil }

// Keys is h with the values of all positions side by side, [B,value,S], over √d if Scaled.
func (d Product) Keys(_ []*Node, h *Node) *Node {
	if h.Rank() != 3 {
		panic(fmt.Errorf("attention.Product: encoder states %s: want [B,S,value]", h.Shape()))
	}
	keys := TransposeAllAxes(h, 0, 2, 1)
	if d.Scaled {
		keys = MulScalar(keys, 1/math.Sqrt(float64(h.Shape().Dim(2))))
	}
	return keys
}

// Score is s·h_j for all j, [B,S].
func (Product) Score(loop *recurrent.Loop, _ []*Node, s, keys *Node) *Node {
	return loop.Dot(s, keys)
}
