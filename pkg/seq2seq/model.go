package seq2seq

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/attention"
	"seq2attn/pkg/corpus"
	"seq2attn/pkg/recurrent"
)

// network builds the graphs of a configuration. The notation is the papers': source x_1…x_S, target y_1…y_T, encoder states h_j,
// decoder states s_i, scores e_ij, weights α_ij, contexts c_i. Arrays of a step per row are [T,B,…], what attention reads is [B,S,…].
type network struct {
	Config
	cell           recurrent.Cell
	score          attention.Score // nil without attention
	source, target int             // sizes of the vocabularies
}

func newNetwork(c Config, source, target int) *network {
	n := &network{Config: c, source: source, target: target}
	switch c.Cell {
	case "rnn":
		n.cell = recurrent.RNN{}
	case "gru":
		n.cell = recurrent.GRU{}
	case "lstm":
		n.cell = recurrent.LSTM{ForgetBias: 1}
	}
	if c.attends() {
		n.score = attention.Additive{Size: c.attentionSize()}
	}
	return n
}

// annotation is the width A of an encoder state h_j: both directions side by side where there are two.
func (n *network) annotation() int {
	if n.Bidirectional {
		return 2 * n.Hidden
	}
	return n.Hidden
}

// contextSize is the width of the context that the wiring feeds to every decoder step, 0 where it feeds none.
func (n *network) contextSize() int {
	switch n.Wiring {
	case WiringCho:
		return n.Hidden
	case WiringBahdanau:
		return n.annotation()
	}
	return 0
}

// weights are the network's parameters, as nodes of a graph.
type weights struct {
	encoder encoder
	bridge  []*Node // from the encoder's last states to s_0
	decoder decoder
}

func (n *network) newWeights(scope *model.Scope, g *Graph) weights {
	p := recurrent.NewParameters(scope.At(weightScope), g, n.Seed)
	return weights{n.newEncoder(p.At("encoder")), n.newBridge(p.At("bridge")), n.newDecoder(p.At("decoder"))}
}

// forward is the logits of every target word, [T,B,V], with the words before it given: the reference's, or by the chance
// 1-TeacherForcing in training the model's own. With attend it also gives the attention α [T,B,S] of a wiring that has it.
//
// x [S,B] and y [T,B] are the ids of source and target, xLengths and yLengths [B] how many of each column are real.
func (n *network) forward(w weights, x, xLengths, y, yLengths *Node, drop dropout, attend bool) (logits, alpha *Node) {
	t, b := y.Shape().Dim(0), y.Shape().Dim(1)
	src := n.read(w, x, xLengths, drop)
	previous := shift(y) // y_{i-1}
	if drop.chance != nil && n.TeacherForcing < 1 {
		previous = n.sample(w.decoder, src, previous, yLengths, drop.chance)
	}
	words := Gather(w.decoder.embedding, ExpandAxes(previous, -1)) // E y_{i-1}, [T,B,E]

	gates := w.decoder.layers[0].Gates(drop.out(words))
	if src.feed != nil {
		gates = Add(gates, ExpandAxes(src.feed, 0)) // C c, the same at every step
	}
	var between []*Node
	for range n.Layers - 1 {
		if !drop.off() {
			between = append(between, drop.mask(shapes.Make(words.DType(), t, b, n.Hidden)))
		}
	}
	step := func(loop *recurrent.Loop, s, x, shared []*Node) (next, out []*Node) {
		d, shared := part(recurrence).within(w.decoder, shared)
		next, c, alpha := n.decoderStep(loop, d, src.within(shared), x[0], s, x[1:])
		out = append([]*Node{n.top(next)}, c...)
		if attend && alpha != nil {
			out = append(out, alpha)
		}
		return next, out
	}
	_, out := recurrent.Scan(step, src.initial, append([]*Node{gates}, between...),
		append(part(recurrence).nodes(w.decoder), src.nodes()...), recurrent.Steps(ReduceAllMax(yLengths)))
	if attend && n.attends() {
		alpha = out[2]
	}
	return n.readout(w.decoder, out[0], words, src, out[1:], drop), alpha
}

// decoderStep is s_i = f(s_{i-1}, y_{i-1}, c_i), and c_i and α_i where there is attention. gates [B,G·H] is what the word y_{i-1} feeds to
// the first layer; between holds the dropout masks above each layer but the last.
func (n *network) decoderStep(loop *recurrent.Loop, d decoder, src source, gates *Node, s, between []*Node) (next, c []*Node, alpha *Node) {
	if n.attends() { // Bahdanau et al. (2015), equations 5 and 6, appendix A.1.2
		e := n.score.Score(loop, d.score, n.top(s), src.keys) // e_ij = a(s_{i-1}, h_j)
		alpha = attention.Weights(e, src.real)                // α_ij = exp(e_ij) / Σ_k exp(e_ik)
		context := attention.Context(loop, alpha, src.h)      // c_i = Σ_j α_ij h_j
		gates = Add(gates, loop.Dot(context, d.context))
		c = []*Node{context}
	}
	states := n.cell.States()
	for l, layer := range d.layers {
		if l > 0 {
			below := next[(l-1)*states]
			if len(between) > 0 {
				below = Mul(below, between[l-1])
			}
			gates = Add(loop.Dot(below, layer.W), ExpandAxes(layer.B, 0))
		}
		next = append(next, n.cell.Step(loop, gates, s[l*states:(l+1)*states], layer.U)...)
	}
	return next, c, alpha
}

// top is the output of the last layer among the states of all.
func (n *network) top(s []*Node) *Node { return s[(n.Layers-1)*n.cell.States()] }

// readout is the logits over the target vocabulary, [T,B,V], of the states s [T,B,H], the words E y_{i-1} [T,B,E] and the contexts c
// [T,B,A] where the wiring has them: g(y_{i-1}, s_i, c_i) of Bahdanau et al. (2015, equation 4). Their appendix A.2.2 prints s_{i-1}
// where this has s_i.
func (n *network) readout(d decoder, s, words *Node, src source, c []*Node, drop dropout) *Node {
	t, b := s.Shape().Dim(0), s.Shape().Dim(1)
	read := []*Node{s}
	switch {
	case src.summary != nil: // Cho et al. (2014), appendix A.2
		read = append(read, words, BroadcastToDims(ExpandAxes(src.summary, 0), t, b, n.Hidden))
	case n.attends(): // Bahdanau et al. (2015), appendix A.2.2
		read = append(read, words, c[0])
	}
	x := drop.out(Reshape(Concatenate(read, -1), t*b, -1))
	if n.Readout == ReadoutMaxout {
		pairs := recurrent.Cut(Add(MatMul(x, d.maxout), ExpandAxes(d.maxoutBias, 0)), -1, 2) // t̃_i
		x = Max(pairs[0], pairs[1])                                                          // t_i: unit j's pair is j and Maxout+j
	}
	return Reshape(Add(MatMul(x, d.output), ExpandAxes(d.outputBias, 0)), t, b, n.target)
}

// shift is y_{i-1} for every y_i of y [T,B]: BOS first.
func shift(y *Node) *Node {
	t, b := y.Shape().Dim(0), y.Shape().Dim(1)
	first := BroadcastToDims(Scalar(y.Graph(), y.DType(), corpus.BOS), 1, b)
	if t == 1 {
		return first
	}
	return Concatenate([]*Node{first, Slice(y, AxisRange(0, t-1))}, 0)
}

// reals tells which of T rows are real in columns of these lengths [B]: Bool [T,B].
func reals(lengths *Node, t int) *Node {
	rows := Iota(lengths.Graph(), shapes.Make(lengths.DType(), t, lengths.Shape().Dim(0)), 0)
	return LessThan(rows, BroadcastToDims(ExpandAxes(lengths, 0), rows.Shape().Dimensions...))
}

// chance is where a graph draws random numbers from: a state that every draw moves on.
type chance struct{ state *Node }

// uniform are numbers from 0 to below 1.
func (c *chance) uniform(shape shapes.Shape) (values *Node) {
	c.state, values = RandomUniform(c.state, shape)
	return values
}

// dropout zeroes values at random, and scales the others up so that the mean stays (Srivastava et al. 2014).
type dropout struct {
	rate    float64
	*chance // nil but in training
}

func (d dropout) off() bool { return d.chance == nil || d.rate == 0 }

// out drops out values of x.
func (d dropout) out(x *Node) *Node {
	if d.off() {
		return x
	}
	return Mul(x, d.mask(x.Shape()))
}

// mask holds 0 by the chance of the rate, else 1/(1-rate).
func (d dropout) mask(shape shapes.Shape) *Node {
	kept := GreaterOrEqual(d.uniform(shape), Scalar(d.state.Graph(), shape.DType, d.rate))
	return MulScalar(ConvertDType(kept, shape.DType), 1/(1-d.rate))
}
