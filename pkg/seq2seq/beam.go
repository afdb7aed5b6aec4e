package seq2seq

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/recurrent"
)

// Beam translates each source by beam search and returns up to width translations of it, all different, best first.
//
// At every step the most likely extensions of all hypotheses are kept, as many as the beam is wide. One that ends leaves the beam,
// which gets narrower by it, and the search goes on until the beam is empty (Sutskever et al. 2014, section 3.2); so
// width 1 is what Translate does. Translations that ended are ranked by Score (see [LengthPenalty], [GNMTLengthPenalty] and
// [CoveragePenalty]); where there are fewer than width, those stopped at the length cap follow.
func (r *Run) Beam(ctx context.Context, sources [][]string, width int, list ...DecodeOption) ([][]Translation, error) {
	if width < 1 {
		return nil, fmt.Errorf("seq2seq: a beam of width %d: take 1 or more", width)
	}
	o := newDecodeOptions(list)
	if err := o.check(r.Config); err != nil {
		return nil, err
	}
	lists, err := r.cache().get(request{Kind: "beam", Sources: sources, Caps: o.caps(sources), Width: width, Ranking: o.ranking}, func() ([][]Translation, error) {
		return r.decode(ctx, sources, nil, func(d *decoding, batch *corpus.Batch) ([][]written, error) {
			extend, err := d.startBeam(batch, width, o.room(batch))
			if err != nil {
				return nil, err
			}
			words := columns(batch, lengths(sources))
			sort := func(column int, list []written) { o.ranking.sort(list, words[column]) }
			return beamSearch(ctx, columns(batch, o.caps(sources)), width, sort, extend)
		}, o)
	})
	return o.replaceUnknown(lists), err
}

// lengths are the numbers of words of all sources.
func lengths(sources [][]string) []int {
	words := make([]int, len(sources))
	for i, source := range sources {
		words[i] = len(source)
	}
	return words
}

// extension is a word that could follow a hypothesis.
type extension struct {
	id      int32
	logProb float32
}

// extender moves the hypotheses on by a word: slot i goes on from what slot parents[i] was, having read words[i]. It returns, for every
// slot, as many of its best extensions as the beam is wide or as there are, best first, and its attention; without attention one row, nil.
// Slot i belongs to sentence i/width.
type extender func(parents, words []int32) (extensions [][]extension, attention [][]float32, err error)

// hypothesis is a translation in the making.
type hypothesis struct {
	written
	slot int // where its state is
}

// beamSearch finds the best translations of as many sentences as there are caps; sort puts those of one sentence in order.
func beamSearch(ctx context.Context, caps []int, width int, sort func(sentence int, list []written), extend extender) ([][]written, error) {
	slots := len(caps) * width
	parents, words := make([]int32, slots), make([]int32, slots)
	live, ended := make([][]hypothesis, len(caps)), make([][]written, len(caps))
	for b, cap := range caps {
		if cap > 0 {
			live[b] = []hypothesis{{slot: b * width}} // one, not width copies, which would all go on alike
		}
	}
	for i := range slots {
		parents[i], words[i] = int32(i), corpus.BOS
	}
	for length := 1; slices.ContainsFunc(live, func(beam []hypothesis) bool { return len(beam) > 0 }); length++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		extensions, attention, err := extend(parents, words)
		if err != nil {
			return nil, err
		}
		for b, beam := range live {
			if len(beam) == 0 {
				continue
			}
			candidates := best(beam, extensions, width-len(ended[b]))
			live[b] = nil
			for _, c := range candidates {
				from := beam[c.from]
				next := hypothesis{written: from.written.clone()}
				next.add(c.id, c.logProb, attention[from.slot%len(attention)])
				if c.id == corpus.EOS {
					ended[b] = append(ended[b], next.written)
					continue
				}
				next.slot = b*width + len(live[b])
				parents[next.slot], words[next.slot] = int32(from.slot), c.id
				live[b] = append(live[b], next)
			}
			if length >= caps[b] || len(live[b]) == 0 {
				sort(b, ended[b])
				var stopped []written
				for _, h := range live[b] {
					stopped = append(stopped, h.written)
				}
				sort(b, stopped)
				ended[b], live[b] = append(ended[b], stopped...), nil
			}
		}
	}
	return ended, nil
}

// clone is a copy that can be added to.
func (w written) clone() written {
	return written{slices.Clone(w.ids), w.logProb, slices.Clone(w.attention)}
}

// candidate is an extension of hypothesis from of a beam.
type candidate struct {
	extension
	from int
}

// best are the count most likely extensions of a beam's hypotheses, best first; among equals, those of the better hypothesis.
func best(beam []hypothesis, extensions [][]extension, count int) []candidate {
	var all []candidate
	for from, h := range beam {
		for _, e := range extensions[h.slot] {
			all = append(all, candidate{e, from})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Compare(beam[b.from].logProb+float64(b.logProb), beam[a.from].logProb+float64(a.logProb))
	})
	return all[:min(count, len(all))]
}

// startBeam encodes a batch and is ready to extend width hypotheses of each column, up to room words.
func (d *decoding) startBeam(batch *corpus.Batch, width, room int) (extender, error) {
	encoded, err := d.encode.Call(inputsOf(batch)[:2]...)
	if err != nil {
		return nil, err
	}
	slots := batch.B * width
	owner := make([]int32, slots)
	for i := range owner {
		owner[i] = int32(i / width)
	}
	if encoded, err = d.spread.Call(append([]any{tensors.FromFlatDataAndDimensions(owner, slots)}, anys(encoded)...)...); err != nil {
		return nil, err
	}
	states, source := d.begin(encoded, slots, room)
	src := anys(source)
	step := d.step(width)
	return func(parents, words []int32) ([][]extension, [][]float32, error) {
		inputs := []any{tensors.FromFlatDataAndDimensions(parents, slots), tensors.FromFlatDataAndDimensions(words, slots)}
		out, err := step.Call(append(append(inputs, anys(states)...), src...)...)
		if err != nil {
			return nil, nil, err
		}
		states, out = out[:d.states()], out[d.states():]
		logProbs, ids := tensors.MustCopyFlatData[float32](out[0]), tensors.MustCopyFlatData[int32](out[1])
		extensions := make([][]extension, slots)
		for i, logProb := range logProbs {
			slot := i * slots / len(logProbs)
			extensions[slot] = append(extensions[slot], extension{ids[i], logProb})
		}
		return extensions, rows(out[2:], batch.S), nil
	}, nil
}

// step is one step of all hypotheses: parents [N], words [N], states and source to the next states, the width best words' log-probabilities
// and ids [N,width], fewer where there are fewer words, and the attention [N,S].
func (d *decoding) step(width int) *model.Exec {
	if d.extend[width] == nil {
		d.extend[width] = d.exec(func(m translator, inputs []*graph.Node) []*graph.Node {
			s, src := inputs[2:2+d.states()], inputs[2+d.states():]
			carry := []*graph.Node{inputs[1]}
			for _, state := range s {
				carry = append(carry, graph.Gather(state, graph.ExpandAxes(inputs[0], -1)))
			}
			step := func(loop *recurrent.Loop, carry, _, shared []*graph.Node) (next, out []*graph.Node) {
				next, logits, alpha := m.nextWord(loop, shared, carry[0], carry[1:])
				out = []*graph.Node{logits}
				if alpha != nil {
					out = append(out, alpha)
				}
				return append(carry[:1:1], next...), out
			}
			last, out := recurrent.Scan(step, carry, nil, m.shared(src), recurrent.Length(1), recurrent.Unrolled())
			ids, logProbs := mostLikely(graph.Squeeze(out[0], 0), min(width, out[0].Shape().Dim(-1)-neverWrittenIDs))
			results := append(last[1:], logProbs, ids)
			if len(out) > 1 {
				results = append(results, graph.Squeeze(out[1], 0))
			}
			return results
		})
	}
	return d.extend[width]
}
