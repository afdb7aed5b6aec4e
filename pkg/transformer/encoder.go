package transformer

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// EncoderLayer is one layer of the encoder (section 3.1): every position attends to all, then goes through a feed-forward network.
type EncoderLayer struct {
	Self         MultiHead
	Feed         FeedForward
	Norm1, Norm2 Norm // of the two sublayers, in this order
}

// NewEncoderLayer declares a layer of width d with so many heads and a feed-forward network of width f.
func NewEncoderLayer(p recurrent.Parameters, d, heads, f int) EncoderLayer {
	return EncoderLayer{NewMultiHead(p.At("self"), d, heads), NewFeedForward(p.At("feed"), d, f), NewNorm(p.At("norm1"), d), NewNorm(p.At("norm2"), d)}
}

// Of is the layer of x [B,S,d], under a mask as [Padding] gives it, and the weights of its heads [B,h,S,S].
func (l EncoderLayer) Of(x, mask *Node, o Order) (y, weights *Node) {
	y = o.add(l.Norm1, x, func(x *Node) (out *Node) {
		k, v := l.Self.KeysValues(x)
		out, weights = l.Self.Attend(l.Self.Queries(x), k, v, mask, o.Weights)
		return out
	})
	return o.add(l.Norm2, y, l.Feed.Of), weights
}

// Encoder is a stack of layers.
type Encoder struct {
	Layers []EncoderLayer
	Last   Norm // of what an encoder gives out whose Order is Pre; the paper's has none
}

// NewEncoder declares so many layers, and a last normalisation for the order Pre.
func NewEncoder(p recurrent.Parameters, layers, d, heads, f int, pre bool) (e Encoder) {
	for l := range layers {
		e.Layers = append(e.Layers, NewEncoderLayer(p.At(fmt.Sprintf("layer%d", l+1)), d, heads, f))
	}
	if pre {
		e.Last = NewNorm(p.At("norm"), d)
	}
	return e
}

// Of is h [B,S,d] of x [B,S,d], the words' vectors with their positions, and the weights of each layer [B,h,S,S].
func (e Encoder) Of(x, mask *Node, o Order) (h *Node, weights []*Node) {
	for _, l := range e.Layers {
		y, w := l.Of(x, mask, o)
		x, weights = y, append(weights, w)
	}
	if o.Pre {
		x = e.Last.Of(x)
	}
	return x, weights
}
