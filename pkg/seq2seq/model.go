package seq2seq

import (
	"slices"

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
	score          attention.Score  // nil without attention
	window         attention.Window // nil without attention
	source, target int              // sizes of the vocabularies
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
		n.score, n.window = c.score(), c.window()
	}
	return n
}

// fed is the width of what the wiring feeds to every decoder step beside the word: a context, or the attentional state; 0 where it
// feeds nothing.
func (n *network) fed() int {
	switch n.Wiring {
	case WiringCho, WiringLuongFeeding:
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
	var masks masks
	for range n.Layers - 1 {
		if !drop.off() {
			masks.between = append(masks.between, drop.mask(shapes.Make(words.DType(), t, b, n.Hidden)))
		}
	}
	if drop := (dropout{n.AttentionDropout, drop.chance}); n.attends() && !drop.off() {
		masks.attention = drop.mask(shapes.Make(words.DType(), t, b, x.Shape().Dim(0)))
	}
	step := func(loop *recurrent.Loop, s, x, shared []*Node) (next, out []*Node) {
		d, shared := part(recurrence).within(w.decoder, shared)
		next, out, alpha := n.decoderStep(loop, d, src.within(shared), x[0], s, masks.within(x[1:]))
		if attend && alpha != nil {
			out = append(out, alpha)
		}
		return next, out
	}
	_, out := recurrent.Scan(step, src.initial, append([]*Node{gates}, masks.nodes()...),
		append(part(recurrence).nodes(w.decoder), src.nodes()...), recurrent.Steps(ReduceAllMax(yLengths)))
	if attend && n.attends() {
		alpha, out = out[len(out)-1], out[:len(out)-1]
	}
	return n.readout(w.decoder, out, words, src, drop, recurrent.Affine), alpha
}

// decoderStep is one step from the states s, s_{i-1}, to the next, s_i; with what the readout reads of it and α_i where there is attention.
// gates [B,G·H] is what the word y_{i-1} feeds to the first layer.
func (n *network) decoderStep(loop *recurrent.Loop, d decoder, src source, gates *Node, s []*Node, m masks) (next, out []*Node, alpha *Node) {
	var c *Node
	if n.Wiring == WiringBahdanau { // Bahdanau et al. (2015), section 3.1: s_i = f(s_{i-1}, y_{i-1}, c_i), where c_i is by s_{i-1}
		c, alpha = n.attend(loop, d, src, n.top(s), s, m)
		gates = Add(gates, loop.Dot(c, d.context))
	}
	if n.Wiring == WiringLuongFeeding { // Luong et al. (2015), section 3.3: s_i = f(s_{i-1}, [y_{i-1}; s̃_{i-1}])
		gates = Add(gates, loop.Dot(n.attentionalState(s), d.context))
	}
	states := n.cell.States()
	for l, layer := range d.layers {
		if l > 0 {
			below := next[(l-1)*states]
			if len(m.between) > 0 {
				below = Mul(below, m.between[l-1])
			}
			gates = Add(loop.Dot(below, layer.W), ExpandAxes(layer.B, 0))
		}
		next = append(next, n.cell.Step(loop, gates, s[l*states:(l+1)*states], layer.U)...)
	}
	out = []*Node{n.top(next)}
	if n.Wiring == WiringBahdanau {
		out = append(out, c)
	}
	if n.attentional() { // Luong et al. (2015), equation 5: s̃_i = tanh(W_c [c_i; s_i]), where c_i is by s_i
		c, alpha = n.attend(loop, d, src, n.top(next), s, m)
		out[0] = Tanh(loop.Dot(Concatenate([]*Node{c, n.top(next)}, -1), d.combine))
	}
	if n.Wiring == WiringLuongFeeding {
		next = append(next, out[0])
	}
	if n.Window == WindowLocalM {
		next = append(next, AddScalar(n.targetPosition(s), 1))
	}
	return next, out, alpha
}

// attend is the context c_i by the decoder state query, and its weights α_i (Bahdanau et al. 2015, equations 5 and 6).
func (n *network) attend(loop *recurrent.Loop, d decoder, src source, query *Node, s []*Node, m masks) (c, alpha *Node) {
	var t *Node
	if n.Window == WindowLocalM {
		t = n.monotonic(src, n.targetPosition(s))
	}
	e := n.score.Score(loop, d.score, query, src.keys) // e_ij = score(s, h_j)
	e, real := n.window.Narrow(loop, d.window, e, src.real, query, t)
	alpha = attention.Weights(e, real) // α_ij = exp(e_ij) / Σ_k exp(e_ik)
	kept := alpha
	if m.attention != nil {
		kept = Mul(alpha, m.attention)
	}
	return attention.Context(loop, kept, src.h), alpha // c_i = Σ_j α_ij h_j
}

// monotonic is the encoder's position, from 1, of the source word with the number t [B], or of the last word where t is beyond it.
func (n *network) monotonic(src source, t *Node) *Node {
	words := ReduceSum(ConvertDType(src.real, t.DType()), -1)
	if n.SourceEOS {
		words = AddScalar(words, -1)
	}
	t = MaxScalar(Min(t, words), 1)
	if n.ReverseSource {
		t = AddScalar(Sub(words, t), 1)
	}
	return t
}

// masks are what dropout multiplies with inside the decoder.
type masks struct {
	between   []*Node // above each layer but the last, [T,B,H]; none without dropout
	attention *Node   // on the attention weights, [T,B,S]; nil without
}

// nodes lists the masks.
func (m masks) nodes() []*Node {
	if m.attention == nil {
		return m.between
	}
	return append(slices.Clone(m.between), m.attention)
}

// within is one row of the masks, given those of what nodes lists.
func (m masks) within(rows []*Node) masks {
	inside := masks{between: rows[:len(m.between)]}
	if m.attention != nil {
		inside.attention = rows[len(m.between)]
	}
	return inside
}

// The state s of the decoder is that of each layer; with input feeding the attentional state s̃_{i-1} [B,H]; in a monotonic window the number
// i of the target word, [B].

// states is the number of vectors in it.
func (n *network) states() int {
	count := n.Layers * n.cell.States()
	if n.Wiring == WiringLuongFeeding {
		count++
	}
	if n.Window == WindowLocalM {
		count++
	}
	return count
}

// top is the output of the last layer.
func (n *network) top(s []*Node) *Node { return s[(n.Layers-1)*n.cell.States()] }

// attentionalState is s̃_{i-1}, with input feeding.
func (n *network) attentionalState(s []*Node) *Node { return s[n.Layers*n.cell.States()] }

// targetPosition is i, in a monotonic window.
func (n *network) targetPosition(s []*Node) *Node { return s[n.states()-1] }

// readout is the logits over the target vocabulary, [T,B,V], of what decoderStep gave out, [T,B,…], and the words E y_{i-1} [T,B,E] where the
// wiring reads them: g(y_{i-1}, s_i, c_i) of Bahdanau et al. (2015, equation 4). Their appendix A.2.2 prints s_{i-1} where this has s_i.
//
// layer is x·w + b of rows x: [recurrent.Affine], or [affine] in a step that is made many times.
func (n *network) readout(d decoder, out []*Node, words *Node, src source, drop dropout, layer func(x, w, b *Node) *Node) *Node {
	t, b := words.Shape().Dim(0), words.Shape().Dim(1)
	read := out[:1] // s_i of Sutskever et al. (2014); s̃_i of Luong et al. (2015, equation 6)
	switch n.Wiring {
	case WiringCho: // Cho et al. (2014), appendix A.2
		read = []*Node{out[0], words, BroadcastToDims(ExpandAxes(src.summary, 0), t, b, n.Hidden)}
	case WiringBahdanau: // Bahdanau et al. (2015), appendix A.2.2
		read = []*Node{out[0], words, out[1]}
	}
	x := drop.out(Reshape(Concatenate(read, -1), t*b, -1))
	if n.Readout == ReadoutMaxout {
		pairs := recurrent.Cut(layer(x, d.maxout, d.maxoutBias), -1, 2) // t̃_i
		x = Max(pairs[0], pairs[1])                                     // t_i: unit j's pair is j and Maxout+j
	}
	return Reshape(layer(x, d.output, d.outputBias), t, b, n.target)
}

// affine is x·w + b of rows x [N,in].
func affine(x, w, b *Node) *Node { return Add(MatMul(x, w), ExpandAxes(b, 0)) }

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
