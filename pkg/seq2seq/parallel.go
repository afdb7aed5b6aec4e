package seq2seq

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/recurrent"
	"seq2attn/pkg/transformer"
)

// parallel is the Transformer (Vaswani et al. 2017): it reads all words of a sentence at once, and in training all of the target too. d is Hidden.
// Inside, arrays are batch-major, [B,T,d].
type parallel struct {
	Config
	source, target int // sizes of the vocabularies
}

func (p *parallel) settings() (c Config, source, target int) { return p.Config, p.source, p.target }

func (p *parallel) with(scope *model.Scope, g *Graph) translator {
	at := recurrent.NewParameters(scope.At(weightScope), g, p.Seed)
	enc, dec := at.At("encoder"), at.At("decoder")
	words := func(at recurrent.Parameters, size int) *Node {
		return at.Value("embedding", recurrent.Normal(p.EmbeddingDeviation), size, p.Hidden)
	}
	return parallelTranslator{
		p:       p,
		sources: words(enc, p.source),
		targets: words(dec, p.target),
		encoder: transformer.NewEncoder(enc, p.Layers, p.Hidden, p.Heads, p.FeedForward, p.PreNorm),
		decoder: transformer.NewDecoder(dec, p.Layers, p.Hidden, p.Heads, p.FeedForward, p.PreNorm),
		output:  dec.At("readout").Value("W_o", recurrent.Glorot(1), p.Hidden, p.target),
		bias:    dec.At("readout").Value("b_o", recurrent.Constant(0), p.target),
	}
}

// The state of the decoder is the position t of the next word, from 0, [B], and for each layer the keys and values of the words so far,
// [B,h,L,d/h], where L is the room that there is. All of it is zeros at first.

func (p *parallel) states() int { return len(p.memory(1, 1)) }

func (p *parallel) memory(sentences, length int) []shapes.Shape {
	all := []shapes.Shape{shapes.Make(dtypes.Int32, sentences)}
	for range 2 * p.Layers {
		all = append(all, shapes.Make(dtypes.Float32, sentences, p.Heads, length, p.Hidden/p.Heads))
	}
	return all
}

// parallelTranslator is a Transformer with its weights.
type parallelTranslator struct {
	p                *parallel
	sources, targets *Node // the words' vectors [V,d]
	encoder          transformer.Encoder
	decoder          transformer.Decoder
	output, bias     *Node // to the logits [d,V], [V]
}

// order is where sublayers are normalised, and what is dropped in training.
func (t parallelTranslator) order(drop dropout) transformer.Order {
	o := transformer.Order{Pre: t.p.PreNorm}
	if !drop.off() {
		o.Drop = drop.out
	}
	if weights := (dropout{t.p.AttentionDropout, drop.chance}); !weights.off() {
		o.Weights = weights.out
	}
	return o
}

// embed is what a stack of layers reads of words with the ids [B,T] at positions [B,T]: their vectors times √d, and the positions added
// (sections 3.4 and 3.5).
func (t parallelTranslator) embed(vectors, ids, positions *Node, drop dropout) *Node {
	x := MulScalar(Gather(vectors, ExpandAxes(ids, -1)), math.Sqrt(float64(t.p.Hidden)))
	return drop.out(Add(x, transformer.Positions(positions, t.p.Hidden)))
}

// places are the positions of ids [B,T], from 0.
func places(ids *Node) *Node {
	return Iota(ids.Graph(), shapes.Make(dtypes.Int32, ids.Shape().Dimensions...), 1)
}

// encode is h [B,S,d] of source ids x [S,B], the mask of its real positions, and the weights of each layer's heads.
func (t parallelTranslator) encode(x, lengths *Node, drop dropout) (h, mask *Node, weights []*Node) {
	ids := Transpose(x, 0, 1)
	mask = transformer.Padding(lengths, x.Shape().Dim(0))
	h, weights = t.encoder.Of(t.embed(t.sources, ids, places(ids), drop), mask, t.order(drop))
	return h, mask, weights
}

// decode is s [B,T,d] of the words before each of y [T,B], and the weights of each layer's heads on target and source.
func (t parallelTranslator) decode(h, mask, y *Node, drop dropout) (s *Node, self, cross []*Node) {
	ids := Transpose(shift(y), 0, 1)
	causal := transformer.Causal(y.Graph(), y.Shape().Dim(0))
	return t.decoder.Of(t.embed(t.targets, ids, places(ids), drop), causal, transformer.Whole, t.decoder.Source(h), mask, t.order(drop))
}

func (t parallelTranslator) forward(x, xLengths, y, _ *Node, drop dropout, attend bool) (logits, alpha *Node) {
	h, mask, _ := t.encode(x, xLengths, drop)
	s, _, cross := t.decode(h, mask, y, drop)
	logits = t.readout(Reshape(TransposeAllAxes(s, 1, 0, 2), -1, t.p.Hidden))
	if attend {
		alpha = TransposeAllAxes(meanOfHeads(cross), 1, 0, 2)
	}
	return Reshape(logits, y.Shape().Dim(0), y.Shape().Dim(1), t.p.target), alpha
}

// readout is the logits [N,V] of s [N,d].
func (t parallelTranslator) readout(s *Node) *Node {
	return affine(s, t.output, t.bias)
}

// meanOfHeads is the attention to show, [B,T,S]: that of the last layer, the mean over its heads.
func meanOfHeads(cross []*Node) *Node { return ReduceMean(cross[len(cross)-1], 1) }

// The source is the mask of its real positions, then for each layer its keys and values.
func (t parallelTranslator) read(x, lengths *Node) (state, source []*Node) {
	h, mask, _ := t.encode(x, lengths, dropout{})
	source = []*Node{mask}
	for _, s := range t.decoder.Source(h) {
		source = append(source, s.K, s.V)
	}
	return nil, source
}

func (t parallelTranslator) shared(source []*Node) []*Node {
	return append(append([]*Node{t.targets, t.output, t.bias}, t.decoder.Nodes()...), source...)
}

func (t parallelTranslator) nextWord(_ *recurrent.Loop, shared []*Node, y *Node, s []*Node) (next []*Node, logits, alpha *Node) {
	t.targets, t.output, t.bias = shared[0], shared[1], shared[2]
	decoder, rest := t.decoder.Within(shared[3:])
	mask, rest := rest[0], rest[1:]
	var source []transformer.KeysValues
	for l := range t.p.Layers {
		source = append(source, transformer.KeysValues{K: rest[2*l], V: rest[2*l+1]})
	}
	position, kept := s[0], s[1:]
	next = []*Node{AddScalar(position, 1)}
	b, room := y.Shape().Dim(0), kept[0].Shape().Dim(2)
	place := Iota(y.Graph(), shapes.Make(dtypes.Int32, b, 1, room, 1), 2)
	now := BroadcastToShape(Reshape(position, b, 1, 1, 1), place.Shape())
	put := func(kept, value *Node) *Node { // at this word's place
		here := BroadcastToDims(Equal(place, now), kept.Shape().Dimensions...)
		return Where(here, BroadcastToDims(value, kept.Shape().Dimensions...), kept)
	}
	past := func(l int, now transformer.KeysValues) transformer.KeysValues {
		now = transformer.KeysValues{K: put(kept[2*l], now.K), V: put(kept[2*l+1], now.V)}
		next = append(next, now.K, now.V)
		return now
	}
	x := t.embed(t.targets, ExpandAxes(y, 1), ExpandAxes(position, 1), dropout{})
	seen := Reshape(LessOrEqual(place, now), b, 1, 1, room)
	state, _, cross := decoder.Of(x, seen, past, source, mask, t.order(dropout{}))
	return next, t.readout(Squeeze(state, 1)), Squeeze(meanOfHeads(cross), 1)
}
