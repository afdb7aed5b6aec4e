package transformer

import (
	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// FeedForward is the position-wise network (equation 2): FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, the same at every position.
type FeedForward struct {
	W1, B1 *Node // [d,f], [f]
	W2, B2 *Node // [f,d], [d]
}

// NewFeedForward declares a network from d values through f to d, its matrices started as Glorot and Bengio (2010) have it, its biases at 0.
func NewFeedForward(p recurrent.Parameters, d, f int) FeedForward {
	return FeedForward{
		p.Value("W_1", recurrent.Glorot(1), d, f), p.Value("b_1", recurrent.Constant(0), f),
		p.Value("W_2", recurrent.Glorot(1), f, d), p.Value("b_2", recurrent.Constant(0), d),
	}
}

func (f *FeedForward) fields() []**Node { return []**Node{&f.W1, &f.B1, &f.W2, &f.B2} }

// Of is FFN(x) of x [B,T,d].
func (f FeedForward) Of(x *Node) *Node {
	hidden := MaxScalar(Add(MatMul(x, f.W1), ExpandLeftToRank(f.B1, 3)), 0)
	return Add(MatMul(hidden, f.W2), ExpandLeftToRank(f.B2, 3))
}
