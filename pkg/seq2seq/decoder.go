package seq2seq

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// decoder holds the decoder's weights, as nodes of a graph or of a loop's step. Fields that the configuration does not need are nil.
type decoder struct {
	// The recurrence.
	layers  []recurrent.Weights // the first one's W reads the word, the others' the layer below
	context *Node               // C: from the context, or with input feeding from s̃, to the first layer's gates [A,G·H]
	score   []*Node             // of the attention
	window  []*Node             // of the attention
	combine *Node               // W_c: from context and state to the attentional state [A+H,H]
	// The words' vectors, E [V,E].
	embedding *Node
	// The readout: to pairs of maxout units, and from these, or from what they would read, to the logits.
	maxout, maxoutBias, output, outputBias *Node
}

func (n *network) newDecoder(p recurrent.Parameters) decoder {
	d := decoder{embedding: p.Value("embedding", recurrent.Normal(n.EmbeddingDeviation), n.target, n.Embedding)}
	input := n.Embedding
	for l := range n.Layers {
		d.layers = append(d.layers, recurrent.NewWeights(p.At(fmt.Sprintf("layer%d", l+1)), n.cell, input, n.Hidden, recurrent.Start{}))
		input = n.Hidden
	}
	read := n.Hidden
	if fed := n.fed(); fed > 0 {
		d.context = p.Value("C", recurrent.Glorot(n.cell.Gates()), fed, n.cell.Gates()*n.Hidden)
		if !n.attentional() {
			read += n.Embedding + fed
		}
	}
	if n.attends() {
		for _, w := range n.score.Parameters(n.Hidden, n.annotation()) {
			d.score = append(d.score, p.At("score").Value(w.Name, recurrent.Glorot(1), w.Dims...))
		}
		for _, w := range n.window.Parameters(n.Hidden) {
			d.window = append(d.window, p.At("window").Value(w.Name, recurrent.Glorot(1), w.Dims...))
		}
	}
	if n.attentional() {
		d.combine = p.Value("W_c", recurrent.Glorot(1), n.annotation()+n.Hidden, n.Hidden)
	}
	p = p.At("readout")
	if n.Readout == ReadoutMaxout {
		d.maxout = p.Value("W_t", recurrent.Glorot(2), read, 2*n.Maxout)
		d.maxoutBias = p.Value("b_t", recurrent.Constant(0), 2*n.Maxout)
		read = n.Maxout
	}
	d.output = p.Value("W_o", recurrent.Glorot(1), read, n.target)
	d.outputBias = p.Value("b_o", recurrent.Constant(0), n.target)
	return d
}

// part selects weights of a decoder to hand to a loop.
type part func(d *decoder) []**Node

// recurrence selects what decoderStep reads.
func recurrence(d *decoder) (fields []**Node) {
	fields = append(fields, &d.context)
	for l := range d.layers {
		fields = append(fields, &d.layers[l].W, &d.layers[l].B)
		for u := range d.layers[l].U {
			fields = append(fields, &d.layers[l].U[u])
		}
	}
	for i := range d.score {
		fields = append(fields, &d.score[i])
	}
	for i := range d.window {
		fields = append(fields, &d.window[i])
	}
	return append(fields, &d.combine)
}

// everything selects what a step reads that also embeds its word and reads out its logits.
func everything(d *decoder) []**Node {
	return append(recurrence(d), &d.embedding, &d.maxout, &d.maxoutBias, &d.output, &d.outputBias)
}

// nodes lists the weights of the part that there are.
func (p part) nodes(d decoder) (nodes []*Node) {
	for _, field := range p(&d) {
		if *field != nil {
			nodes = append(nodes, *field)
		}
	}
	return nodes
}

// within is the decoder inside a loop, whose step is given what nodes lists first among its shared nodes, and the rest of these.
func (p part) within(d decoder, shared []*Node) (inside decoder, rest []*Node) {
	layers := make([]recurrent.Weights, len(d.layers))
	for l, w := range d.layers {
		layers[l] = recurrent.Weights{W: w.W, B: w.B, U: append([]*Node(nil), w.U...)}
	}
	inside = d
	inside.layers, inside.score, inside.window = layers, append([]*Node(nil), d.score...), append([]*Node(nil), d.window...)
	for _, field := range p(&inside) {
		if *field != nil {
			*field, shared = shared[0], shared[1:]
		}
	}
	return inside, shared
}
