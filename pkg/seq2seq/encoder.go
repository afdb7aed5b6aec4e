package seq2seq

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/attention"
	"seq2attn/pkg/recurrent"
)

// encoder holds the encoder's weights: the words' vectors, and for each layer one direction or two.
type encoder struct {
	embedding *Node // [V,E]
	layers    [][]recurrent.Weights
}

func (n *network) newEncoder(p recurrent.Parameters) encoder {
	e := encoder{embedding: p.Value("embedding", recurrent.Normal(n.EmbeddingDeviation), n.source, n.Embedding)}
	input := n.Embedding
	for l := range n.Layers {
		layer := p.At(fmt.Sprintf("layer%d", l+1))
		directions := []recurrent.Weights{recurrent.NewWeights(layer.At("forward"), n.cell, input, n.Hidden, recurrent.Start{})}
		if n.Bidirectional {
			directions = append(directions, recurrent.NewWeights(layer.At("backward"), n.cell, input, n.Hidden, recurrent.Start{}))
		}
		e.layers = append(e.layers, directions)
		input = n.annotation()
	}
	return e
}

// encode is h [S,B,A], the top layer's states, and the last states [B,H] of each layer, direction and state vector, of source
// ids x [S,B]. The backward direction's last state is the one at the first word.
func (n *network) encode(e encoder, x, lengths *Node, drop dropout) (h *Node, last [][][]*Node) {
	real, count := reals(lengths, x.Shape().Dim(0)), ReduceAllMax(lengths)
	h = Gather(e.embedding, ExpandAxes(x, -1))
	for _, directions := range e.layers {
		h = drop.out(h)
		var outputs []*Node
		var states [][]*Node
		for d, w := range directions {
			options := []recurrent.Option{recurrent.Masked(real), recurrent.Steps(count)}
			if d == 1 {
				options = append(options, recurrent.Reversed())
			}
			output, state := recurrent.Layer(n.cell, w, h, nil, options...)
			outputs, states = append(outputs, output), append(states, state)
		}
		h, last = Concatenate(outputs, -1), append(last, states)
	}
	return h, last
}

// source is what the decoder knows of the source. Fields that the wiring does not need are nil.
type source struct {
	h, keys *Node   // encoder states [B,S,A] and what the score reads of them [B,S,…]
	real    *Node   // which of them can be attended to, and are not padding, Bool [B,S]
	summary *Node   // c [B,H]
	feed    *Node   // C c, what the summary feeds to the first layer's gates [B,G·H]
	initial []*Node // s_0: of each layer, each state vector [B,H], and what else the decoder carries
}

func (src *source) fields() []**Node {
	return []**Node{&src.h, &src.keys, &src.real, &src.summary, &src.feed}
}

// nodes lists what a decoder step reads of the source.
func (src source) nodes() (nodes []*Node) {
	for _, field := range src.fields() {
		if *field != nil {
			nodes = append(nodes, *field)
		}
	}
	return nodes
}

// within is the source inside a loop whose step is given what nodes lists.
func (src source) within(shared []*Node) source {
	for _, field := range src.fields() {
		if *field != nil {
			*field, shared = shared[0], shared[1:]
		}
	}
	return src
}

// source is the one whose nodes were these.
func (n *network) sourceOf(nodes []*Node) (src source) {
	switch n.Wiring {
	case WiringCho:
		src.summary, src.feed = nodes[0], nodes[1]
	case WiringBahdanau, WiringLuong, WiringLuongFeeding:
		src.h, src.keys, src.real = nodes[0], nodes[1], nodes[2]
	}
	return src
}

// newBridge declares what leads from the encoder's last states to the decoder's first ones.
func (n *network) newBridge(p recurrent.Parameters) (bridge []*Node) {
	matrix := func(name string, in int) {
		bridge = append(bridge, p.Value(name, recurrent.Glorot(1), in, n.Hidden))
	}
	switch n.Wiring {
	case WiringSutskever, WiringLuong, WiringLuongFeeding:
		if !n.Bidirectional {
			return nil
		}
		for l := range n.Layers {
			for state := range n.cell.States() {
				matrix(fmt.Sprintf("W_%d_%d", l+1, state+1), n.annotation())
			}
		}
	case WiringCho:
		matrix("V", n.annotation())
		for l := range n.Layers {
			matrix(fmt.Sprintf("V'_%d", l+1), n.Hidden)
		}
	case WiringBahdanau:
		for l := range n.Layers {
			matrix(fmt.Sprintf("W_s_%d", l+1), n.Hidden)
		}
	}
	return bridge
}

// read encodes the source x [S,B] and makes of it what the wiring's decoder starts from and reads. Layers of the decoder beyond those
// of the papers start the same way, each with weights of its own; an LSTM's memory, where the paper has none, starts at 0.
func (n *network) read(w weights, x, lengths *Node, drop dropout) (src source) {
	h, last := n.encode(w.encoder, x, lengths, drop)
	top := last[n.Layers-1]
	start := func(s *Node) {
		src.initial = append(src.initial, s)
		for range n.cell.States() - 1 {
			src.initial = append(src.initial, ZerosLike(s))
		}
	}
	switch n.Wiring {
	case WiringSutskever, WiringLuong, WiringLuongFeeding: // Sutskever et al. (2014), section 2: the decoder goes on from the encoder's states
		for l := range n.Layers {
			for state := range n.cell.States() {
				s := last[l][0][state]
				if n.Bidirectional { // both directions through a map of our own; h stays in (-1,1), an LSTM's memory need not
					s = MatMul(Concatenate([]*Node{s, last[l][1][state]}, -1), w.bridge[l*n.cell.States()+state])
					if state == 0 {
						s = Tanh(s)
					}
				}
				src.initial = append(src.initial, s)
			}
		}
	case WiringCho: // Cho et al. (2014), appendix A: c = tanh(V h_S), s_0 = tanh(V' c)
		final := top[0][0]
		if n.Bidirectional {
			final = Concatenate([]*Node{final, top[1][0]}, -1)
		}
		src.summary = Tanh(MatMul(final, w.bridge[0]))
		src.feed = MatMul(src.summary, w.decoder.context)
		for l := range n.Layers {
			start(Tanh(MatMul(src.summary, w.bridge[1+l])))
		}
	case WiringBahdanau: // Bahdanau et al. (2015), appendix A.2.2: s_0 = tanh(W_s ←h_1)
		for l := range n.Layers {
			start(Tanh(MatMul(top[len(top)-1][0], w.bridge[l])))
		}
	}
	if n.attends() {
		src.h = TransposeAllAxes(h, 1, 0, 2)
		src.keys = n.score.Keys(w.decoder.score, src.h)
		if location, ok := n.score.(attention.Location); ok { // what is beyond its positions is not attended to
			lengths = MinScalar(lengths, location.Positions)
		}
		src.real = Transpose(reals(lengths, x.Shape().Dim(0)), 0, 1)
	}
	if n.Wiring == WiringLuongFeeding { // the paper has no s̃_0: zeros
		src.initial = append(src.initial, ZerosLike(src.initial[0]))
	}
	if n.Window == WindowLocalM {
		src.initial = append(src.initial, OnesLike(ConvertDType(lengths, h.DType())))
	}
	return src
}
