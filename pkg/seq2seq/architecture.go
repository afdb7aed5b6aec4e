package seq2seq

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/recurrent"
)

// architecture is a family of models as training and decoding know it: the recurrent one is [network], the Transformer [parallel].
type architecture interface {
	// settings are the configuration and the sizes of the vocabularies.
	settings() (c Config, source, target int)
	// with declares the weights, or finds them in scope, for use in g.
	with(scope *model.Scope, g *Graph) translator
	// states is the number of nodes in a decoder's state.
	states() int
	// memory are the shapes of the last of these, for so many sentences and targets of up to length words: zeros at first. Those before
	// are what read gives.
	memory(sentences, length int) []shapes.Shape
}

// translator is an architecture with its weights in a graph. A decoder's state, and what its step reads of the source, are nodes whose
// meaning is the translator's own; the first axis of each is the batch.
type translator interface {
	// forward is the logits of every target word [T,B,V] with the words before it given, and with attend the attention α [T,B,S] of a model that has it,
	// else nil. x [S,B] and y [T,B] are the ids of source and target, xLengths and yLengths [B] how many of each column are real.
	forward(x, xLengths, y, yLengths *Node, drop dropout, attend bool) (logits, alpha *Node)
	// read encodes the source x [S,B].
	read(x, lengths *Node) (state, source []*Node)
	// shared are the nodes that a loop has to share for nextWord, of which source is what read gave.
	shared(source []*Node) []*Node
	// nextWord is one step of the decoder, from the ids y [B] of the words y_{i-1} to the logits of the words y_i [B,V]. alpha is [B,S], or
	// nil without attention.
	nextWord(loop *recurrent.Loop, shared []*Node, y *Node, s []*Node) (next []*Node, logits, alpha *Node)
}

// newArchitecture is that of a valid configuration.
func newArchitecture(c Config, source, target int) architecture {
	if c.Wiring == WiringVaswani {
		return &parallel{c, source, target}
	}
	return newNetwork(c, source, target)
}

func (n *network) settings() (c Config, source, target int) { return n.Config, n.source, n.target }

func (n *network) with(scope *model.Scope, g *Graph) translator {
	return recurrentTranslator{n, n.newWeights(scope, g)}
}

// memory is none: the state of a recurrent decoder does not grow.
func (n *network) memory(sentences, length int) []shapes.Shape { return nil }

// recurrentTranslator is a network with its weights.
type recurrentTranslator struct {
	n *network
	w weights
}

func (r recurrentTranslator) forward(x, xLengths, y, yLengths *Node, drop dropout, attend bool) (logits, alpha *Node) {
	return r.n.forward(r.w, x, xLengths, y, yLengths, drop, attend)
}

func (r recurrentTranslator) read(x, lengths *Node) (state, source []*Node) {
	src := r.n.read(r.w, x, lengths, dropout{})
	return src.initial, src.nodes()
}

func (r recurrentTranslator) shared(source []*Node) []*Node {
	return append(part(everything).nodes(r.w.decoder), source...)
}

func (r recurrentTranslator) nextWord(loop *recurrent.Loop, shared []*Node, y *Node, s []*Node) (next []*Node, logits, alpha *Node) {
	d, source := part(everything).within(r.w.decoder, shared)
	return r.n.nextWord(loop, d, r.n.sourceOf(source), y, s)
}
