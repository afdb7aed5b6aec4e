// Package attention scores source positions against a decoder state, and turns scores into weights and a context.
//
// A decoder state s (the query) is compared with every encoder state h_j: the score e_j says how well they fit, the weights α are
// the softmax of the scores over the source, the context c is the weighted sum of the h_j. [Score] is the first of these three
// and comes in several kinds; a [Window] narrows the scores to a part of the source; [Weights] and [Context] are the other two.
// Which state is the query, and where the context goes, is the wiring: that is the business of the model that calls.
package attention

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Weights is the softmax of the scores e [B,S] over the real positions of each row, those where mask [B,S] is true:
// they sum to 1, and padding gets exactly 0. A row without real positions gets zeros, and zero gradients.
func Weights(e, mask *Node) *Node {
	if e.Rank() != 2 || !e.Shape().EqualDimensions(mask.Shape()) || mask.DType() != dtypes.Bool {
		panic(fmt.Errorf("attention.Weights: scores %s and mask %s: want [B,S] and Bool [B,S]", e.Shape(), mask.Shape()))
	}
	zeros := ZerosLike(e)
	// The largest real score is taken off before the exponential, which then cannot overflow; it cancels out of the result.
	largest := ReduceAndKeep(Where(mask, StopGradient(e), AddScalar(zeros, -1e30)), ReduceMax, -1)
	p := Where(mask, Exp(Where(mask, Sub(e, largest), zeros)), zeros)
	sum := ReduceAndKeep(p, ReduceSum, -1)
	none := StopGradient(ConvertDType(Equal(sum, ZerosLike(sum)), sum.DType())) // 1 in a row without real positions: no 0/0
	return Div(p, Add(sum, none))
}

// Context is c = Σ_j α_j h_j [B,value], of weights α [B,S] and encoder states h [B,S,value], one of the nodes that the step shares.
func Context(loop *recurrent.Loop, alpha, h *Node) *Node { return loop.Dot(alpha, h) }
