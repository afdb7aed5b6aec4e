package seq2seq

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/recurrent"
)

// nextWord is one decoder step with all that surrounds it, from the ids y [B] of the words y_{i-1} to the logits of the
// words y_i, [B,V]. alpha is nil without attention.
func (n *network) nextWord(loop *recurrent.Loop, d decoder, src source, y *Node, s []*Node) (next []*Node, logits, alpha *Node) {
	word := Gather(d.embedding, ExpandAxes(y, -1))
	gates := Add(loop.Dot(word, d.layers[0].W), ExpandAxes(d.layers[0].B, 0))
	if src.feed != nil {
		gates = Add(gates, src.feed)
	}
	next, out, alpha := n.decoderStep(loop, d, src, gates, s, masks{})
	for i := range out {
		out[i] = ExpandAxes(out[i], 0)
	}
	return next, Squeeze(n.readout(d, out, ExpandAxes(word, 0), src, dropout{}, affine), 0), alpha
}

// generate goes on for count steps, a scalar and at most length, from the words y [B] and the states s, with what read gave of the source: each step
// writes the word that it finds most likely and reads it at the next. Columns that ended [B] write PAD, and where all have it stops. It returns the
// last word and state, and of every step the ids [T,B], their log-probabilities [T,B], and the attention [T,B,S] where there is one.
func generate(m translator, source []*Node, y, ended, count *Node, s []*Node, length int) (last, written []*Node) {
	step := func(loop *recurrent.Loop, carry, _, shared []*Node) (next, out []*Node) {
		s, logits, alpha := m.nextWord(loop, shared, carry[0], carry[2:])
		ids, logProbs := mostLikely(logits, 1)
		y, logProb, ended := Squeeze(ids, -1), Squeeze(logProbs, -1), carry[1]
		out = []*Node{
			Where(ended, ZerosLike(y), y),
			Where(ended, ZerosLike(logProb), logProb),
		}
		if alpha != nil {
			out = append(out, alpha)
		}
		ended = LogicalOr(ended, Equal(y, Scalar(y.Graph(), y.DType(), corpus.EOS)))
		return append([]*Node{y, ended}, s...), out
	}
	all := func(carry []*Node) *Node { return LogicalAll(carry[1]) }
	return recurrent.Scan(step, append([]*Node{y, ended}, s...), nil, m.shared(source), recurrent.Length(length), recurrent.Steps(count), recurrent.Until(all))
}

// sample is what the decoder reads in training with scheduled sampling (Bengio et al. 2015): of the reference's words y_{i-1} [T,B],
// each by the chance of TeacherForcing; otherwise the word that the model itself wrote at that place, having read the
// same mixture so far. The first word stays BOS.
//
// The words are found without dropout and before the pass that the gradient goes through: a choice has none.
func (n *network) sample(d decoder, src source, previous, lengths *Node, random *chance) *Node {
	g, t, b := previous.Graph(), previous.Shape().Dim(0), previous.Shape().Dim(1)
	forced := LessThan(random.uniform(shapes.Make(dtypes.Float32, t, b)), Scalar(g, dtypes.Float32, n.TeacherForcing))
	forced = LogicalOr(forced, Equal(Iota(g, shapes.Make(dtypes.Int32, t, b), 0), ScalarZero(g, dtypes.Int32)))
	step := func(loop *recurrent.Loop, carry, x, shared []*Node) (next, read []*Node) {
		d, shared := part(everything).within(d, shared)
		y := Where(x[1], x[0], carry[0])
		s, logits, _ := n.nextWord(loop, d, src.within(shared), y, carry[1:])
		ids, _ := mostLikely(logits, 1)
		return append([]*Node{Squeeze(ids, -1)}, s...), []*Node{y}
	}
	stop := func(nodes []*Node) (stopped []*Node) {
		for _, node := range nodes {
			stopped = append(stopped, StopGradient(node))
		}
		return stopped
	}
	_, read := recurrent.Scan(step, append([]*Node{Squeeze(Slice(previous, AxisRange(0, 1)), 0)}, stop(src.initial)...), []*Node{previous, forced},
		stop(append(part(everything).nodes(d), src.nodes()...)), recurrent.Steps(ReduceAllMax(lengths)))
	return read[0]
}
