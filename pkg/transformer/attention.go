package transformer

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/attention"
)

// Drop zeroes values at random in training, and scales the others up (Srivastava et al. 2014). nil, outside of training, changes nothing.
type Drop func(x *Node) *Node

func (d Drop) of(x *Node) *Node {
	if d == nil {
		return x
	}
	return d(x)
}

// Attention is scaled dot-product attention (equation 1),
//
//	Attention(Q, K, V) = softmax(QKᵀ/√d) V
//
// of queries q [B,h,T,d], keys k [B,h,S,d] and values v [B,h,S,…], for every sentence and head by itself: [B,h,T,…], and the weights
// [B,h,T,S], the softmax. Weights are 0 where mask is false, and the rest of a row sums to 1; a row that is all false gets zeros.
// drop is of weights; those returned are without it.
func Attention(q, k, v, mask *Node, drop Drop) (out, weights *Node) {
	if q.Rank() != 4 || k.Rank() != 4 || v.Rank() != 4 || mask.Rank() != 4 || mask.DType() != dtypes.Bool {
		panic(fmt.Errorf("transformer.Attention: queries %s, keys %s, values %s, mask %s: want [B,h,T,d], [B,h,S,d], [B,h,S,…] and a Bool mask that broadcasts to [B,h,T,S]",
			q.Shape(), k.Shape(), v.Shape(), mask.Shape()))
	}
	out, weights = attention.Core(q, k, v, attention.LayoutBHSD, attention.CoreOptions{AttentionMask: mask, WantCoefficients: true})
	if drop != nil {
		out = Einsum("bhts,bhsd->bhtd", drop(weights), v)
	}
	return out, weights
}
