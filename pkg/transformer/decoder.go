package transformer

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// DecoderLayer is one layer of the decoder (section 3.1): every position attends to those up to itself, then to the source, then goes through a
// feed-forward network.
type DecoderLayer struct {
	Self, Cross         MultiHead
	Feed                FeedForward
	Norm1, Norm2, Norm3 Norm // of the three sublayers, in this order
}

// NewDecoderLayer declares a layer of width d with so many heads and a feed-forward network of width f.
func NewDecoderLayer(p recurrent.Parameters, d, heads, f int) DecoderLayer {
	return DecoderLayer{NewMultiHead(p.At("self"), d, heads), NewMultiHead(p.At("cross"), d, heads), NewFeedForward(p.At("feed"), d, f),
		NewNorm(p.At("norm1"), d), NewNorm(p.At("norm2"), d), NewNorm(p.At("norm3"), d)}
}

// Of is the layer of x [B,T,d], and the weights of its heads on the target's positions [B,h,T,…] and on the source's [B,h,T,S]. seen gives
// the keys and values of all positions that may be looked at, from those of x; mask, [Causal] where these are all, says which of them. source and
// sourceMask, as [Padding] gives it, are the source's.
func (l DecoderLayer) Of(x, mask *Node, seen func(now KeysValues) KeysValues, source KeysValues, sourceMask *Node, o Order) (y, self, cross *Node) {
	y = o.add(l.Norm1, x, func(x *Node) (out *Node) {
		k, v := l.Self.KeysValues(x)
		all := seen(KeysValues{k, v})
		out, self = l.Self.Attend(l.Self.Queries(x), all.K, all.V, mask, o.Weights)
		return out
	})
	y = o.add(l.Norm2, y, func(x *Node) (out *Node) {
		out, cross = l.Cross.Attend(l.Cross.Queries(x), source.K, source.V, sourceMask, o.Weights)
		return out
	})
	return o.add(l.Norm3, y, l.Feed.Of), self, cross
}

// KeysValues are what attention looks at, [B,h,S,d/h].
type KeysValues struct{ K, V *Node }

// Past gives the keys and values of all positions that a layer may look at, from those of the positions that the decoder is given.
type Past func(layer int, now KeysValues) KeysValues

// Whole is the past of a decoder that is given all positions at once, as in training: there is none besides.
func Whole(_ int, now KeysValues) KeysValues { return now }

// Decoder is a stack of layers.
type Decoder struct {
	Layers []DecoderLayer
	Last   Norm // of what a decoder gives out whose Order is Pre; the paper's has none
}

// NewDecoder declares so many layers, and a last normalisation for the order Pre.
func NewDecoder(p recurrent.Parameters, layers, d, heads, f int, pre bool) (dec Decoder) {
	for l := range layers {
		dec.Layers = append(dec.Layers, NewDecoderLayer(p.At(fmt.Sprintf("layer%d", l+1)), d, heads, f))
	}
	if pre {
		dec.Last = NewNorm(p.At("norm"), d)
	}
	return dec
}

// Source is what each layer reads of the source's h [B,S,d], the same for all target positions.
func (d Decoder) Source(h *Node) (source []KeysValues) {
	for _, l := range d.Layers {
		k, v := l.Cross.KeysValues(h)
		source = append(source, KeysValues{k, v})
	}
	return source
}

// Of is s [B,T,d] of x [B,T,d], the vectors of the words before with their positions, and the weights of each layer's heads on the target's
// positions and on the source's, as [DecoderLayer.Of] has them. source is as Source gives it.
func (d Decoder) Of(x, mask *Node, past Past, source []KeysValues, sourceMask *Node, o Order) (s *Node, self, cross []*Node) {
	for i, l := range d.Layers {
		y, onTarget, onSource := l.Of(x, mask, func(now KeysValues) KeysValues { return past(i, now) }, source[i], sourceMask, o)
		x, self, cross = y, append(self, onTarget), append(cross, onSource)
	}
	if o.Pre {
		x = d.Last.Of(x)
	}
	return x, self, cross
}

func (d *Decoder) fields() (all []**Node) {
	for i := range d.Layers {
		l := &d.Layers[i]
		all = slices.Concat(all, l.Self.fields(), l.Cross.fields(), l.Feed.fields(), l.Norm1.fields(), l.Norm2.fields(), l.Norm3.fields())
	}
	return append(all, d.Last.fields()...)
}

// Nodes lists the weights, to hand to a loop.
func (d Decoder) Nodes() (nodes []*Node) {
	for _, field := range d.fields() {
		if *field != nil {
			nodes = append(nodes, *field)
		}
	}
	return nodes
}

// Within is the decoder inside a loop, given what Nodes lists first among the loop's shared nodes, and the rest of these.
func (d Decoder) Within(shared []*Node) (inside Decoder, rest []*Node) {
	inside = Decoder{slices.Clone(d.Layers), d.Last}
	for _, field := range inside.fields() {
		if *field != nil {
			*field, shared = shared[0], shared[1:]
		}
	}
	return inside, shared
}
