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
	caps, words := o.caps(sources), lengths(sources)
	lists, err := r.cache().get(request{Kind: "beam", Sources: sources, Caps: caps, Width: width, Ranking: o.ranking}, func() ([][]Translation, error) {
		return r.decode(sources, nil, func(d *decoding, batches []*corpus.Batch) ([][]written, error) {
			step, searches := d.step(width), searchesFor(batches, caps)
			of, err := sideBySide(len(searches), func(i int) ([][]written, error) {
				s := searches[i]
				caps, words := s.of(caps), s.of(words)
				sort := func(sentence int, list []written) { o.ranking.sort(list, words[sentence]) }
				return beamSearch(ctx, caps, width, beamSentences*width, sort, d.newHypotheses(s, step, o.room(s.batches...)))
			})
			return slices.Concat(of...), err
		}, o)
	})
	return o.replaceUnknown(lists), err
}

// beamSentences is the number of sentences that a beam search has room for. With 16 or 24 it is about as quick, with 12 or 32 slower.
const beamSentences = 20

// search is for the translations of some columns of batches of one shape.
type search struct {
	batches  []*corpus.Batch
	from, to int // the columns, counted through all the batches
}

// of are the values of its columns.
func (s search) of(values []int) []int { return columns(values, s.batches...)[s.from:s.to] }

// searchesFor cuts batches, those of a shape together, into searches to be made side by side: as many of a shape as a batch has parts where they are full,
// each for sentences that may become about as long together.
func searchesFor(batches []*corpus.Batch, caps []int) (searches []search) {
	for len(batches) > 0 {
		count := 1
		for count < len(batches) && batches[count].S == batches[0].S {
			count++
		}
		sentences, total, of := 0, 0, columns(caps, batches[:count]...)
		sums := make([]int, len(of))
		for column, cap := range of {
			if cap > 0 {
				sentences++
			}
			total += cap
			sums[column] = total
		}
		n := max(1, min(parts, (sentences+beamSentences-1)/beamSentences))
		for i, from := 1, 0; i <= n; i++ {
			to := len(of)
			if i < n {
				to, _ = slices.BinarySearch(sums, total*i/n)
			}
			searches = append(searches, search{batches[:count], from, to})
			from = to
		}
		batches = batches[count:]
	}
	return searches
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

// extender keeps the states of hypotheses, each in a slot.
type extender interface {
	// enter begins sentences: each slot that owner names one for then holds its state before the first word, and of the others, with -1, slot i what
	// slot parents[i] was. Every slot is its own parent afterwards.
	enter(parents []int32, owner []int) error
	// extend moves the hypotheses on by a word: slot i goes on from what slot parents[i] was, having read words[i]. It returns, for every slot, as
	// many of its best extensions as the beam is wide or as there are, best first, and its attention; without attention one row, nil.
	extend(parents, words []int32) (extensions [][]extension, attention [][]float32, err error)
}

// hypothesis is a translation in the making: one more word than the one before, whose others are looked up when it is done.
type hypothesis struct {
	before    *hypothesis // nil where there is no word yet
	length    int
	id        int32
	logProb   float64   // of all words
	attention []float32 // of the last
	slot      int       // where its state is
}

// written is the whole of it.
func (h *hypothesis) written() written {
	w := written{ids: make([]int32, h.length), logProb: h.logProb}
	if h.attention != nil {
		w.attention = make([][]float32, h.length)
	}
	for ; h.length > 0; h = h.before {
		w.ids[h.length-1] = h.id
		if w.attention != nil {
			w.attention[h.length-1] = h.attention
		}
	}
	return w
}

// beam is the search for one sentence's translations.
type beam struct {
	sentence int
	slots    []int // that are its own; a narrower beam has fewer
	live     []*hypothesis
	ended    []written
}

// beamSearch finds the best translations of as many sentences as there are caps; sort puts those of one sentence in order. The states of
// hypotheses have so many slots, enough for one sentence or more. As beams get narrower and end, others take their slots: of those that all begin
// together half would be left idle.
func beamSearch(ctx context.Context, caps []int, width, slots int, sort func(sentence int, list []written), states extender) ([][]written, error) {
	found := make([][]written, len(caps))
	var waiting, free []int
	for sentence, cap := range caps {
		if cap > 0 {
			waiting = append(waiting, sentence)
		}
	}
	parents, words := make([]int32, slots), make([]int32, slots)
	for i := range slots {
		free, parents[i] = append(free, i), int32(i)
	}
	var beams []*beam
	for len(waiting)+len(beams) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if count := min(len(free)/width, len(waiting)); count > 0 && (len(beams) == 0 || 4*len(free) >= slots) { // it takes as long as a step or two
			owner := slices.Repeat([]int{-1}, slots)
			for _, sentence := range waiting[:count] {
				b := &beam{sentence: sentence, slots: slices.Clone(free[:width])}
				b.live = []*hypothesis{{slot: b.slots[0]}} // one, not width copies, which would all go on alike
				for _, slot := range b.slots {
					owner[slot], words[slot] = sentence, corpus.BOS
				}
				beams, free = append(beams, b), free[width:]
			}
			waiting = waiting[count:]
			if err := states.enter(parents, owner); err != nil {
				return nil, err
			}
		}
		extensions, attention, err := states.extend(parents, words)
		if err != nil {
			return nil, err
		}
		for _, b := range beams {
			b.extend(extensions, attention, width, parents, words)
			if len(b.live) == 0 || b.live[0].length >= caps[b.sentence] {
				found[b.sentence] = b.finish(sort)
			}
			needed := 0
			if len(b.live) > 0 {
				needed = width - len(b.ended)
			}
			b.slots, free = b.slots[:needed], append(free, b.slots[needed:]...)
		}
		beams = slices.DeleteFunc(beams, func(b *beam) bool { return len(b.live) == 0 })
	}
	return found, nil
}

// extend goes on with the best extensions of a beam's hypotheses, and notes in parents and words what their slots do next.
func (b *beam) extend(extensions [][]extension, attention [][]float32, width int, parents, words []int32) {
	candidates := best(b.live, extensions, width-len(b.ended))
	b.live = nil
	for _, c := range candidates {
		next := &hypothesis{before: c.from, length: c.from.length + 1, id: c.id, logProb: c.total(), attention: attention[c.from.slot%len(attention)]}
		if c.id == corpus.EOS {
			b.ended = append(b.ended, next.written())
			continue
		}
		next.slot = b.slots[len(b.live)]
		parents[next.slot], words[next.slot] = int32(c.from.slot), c.id
		b.live = append(b.live, next)
	}
}

// finish gives what was found: translations that ended, then those stopped at the cap.
func (b *beam) finish(sort func(sentence int, list []written)) []written {
	sort(b.sentence, b.ended)
	var stopped []written
	for _, h := range b.live {
		stopped = append(stopped, h.written())
	}
	sort(b.sentence, stopped)
	b.live = nil
	return append(b.ended, stopped...)
}

// candidate is a hypothesis with an extension of it.
type candidate struct {
	extension
	from *hypothesis
}

// total is the log-probability of all words, the extension's too.
func (c candidate) total() float64 { return c.from.logProb + float64(c.logProb) }

// best are the count most likely extensions of hypotheses, best first; among equals, those of the better hypothesis.
func best(live []*hypothesis, extensions [][]extension, count int) []candidate {
	all := make([]candidate, 0, len(live)*len(extensions[0]))
	for _, h := range live {
		for _, e := range extensions[h.slot] {
			all = append(all, candidate{e, h})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.total(), a.total()) })
	return all[:min(count, len(all))]
}

// hypotheses are the states of a beam search in a model.
type hypotheses struct {
	search
	d              *decoding
	step           *model.Exec // see decoding.step
	room           int
	states, source []*tensors.Tensor // of all slots; nil at first
	batch          int               // which is encoded: -1 at first
	encoded        []*tensors.Tensor
}

// newHypotheses are ready for the sentences of a search, to be moved on by a step, for hypotheses of up to room words.
func (d *decoding) newHypotheses(s search, step *model.Exec, room int) *hypotheses {
	return &hypotheses{search: s, d: d, step: step, room: room, batch: -1}
}

func (h *hypotheses) enter(parents []int32, owner []int) error {
	size := h.batches[0].B
	for batch := range h.batches {
		from, some := slices.Clone(parents), false
		for slot, sentence := range owner {
			if column := h.from + sentence; sentence >= 0 && column/size == batch {
				from[slot], some = int32(len(owner)+column%size), true
			}
		}
		if !some {
			continue
		}
		if h.batch != batch {
			encoded, err := h.d.encode.Call(inputsOf(h.batches[batch])[:2]...)
			if err != nil {
				return err
			}
			states, source := h.d.begin(encoded, size, h.room)
			h.batch, h.encoded = batch, append(states, source...)
		}
		if h.states == nil {
			for i, t := range h.encoded {
				shape := t.Shape().Clone()
				shape.Dimensions[0] = len(owner)
				if i < h.d.states() {
					h.states = append(h.states, tensors.FromShape(shape))
				} else {
					h.source = append(h.source, tensors.FromShape(shape))
				}
			}
		}
		all := slices.Concat([]any{tensors.FromFlatDataAndDimensions(from, len(from))}, anys(h.states), anys(h.source), anys(h.encoded))
		out, err := h.d.enter.Call(all...)
		if err != nil {
			return err
		}
		h.states, h.source = out[:h.d.states()], out[h.d.states():]
		for i := range parents { // all have moved
			parents[i] = int32(i)
		}
	}
	return nil
}

func (h *hypotheses) extend(parents, words []int32) ([][]extension, [][]float32, error) {
	slots := len(parents)
	inputs := []any{tensors.FromFlatDataAndDimensions(parents, slots), tensors.FromFlatDataAndDimensions(words, slots)}
	out, err := h.step.Call(slices.Concat(inputs, anys(h.states), anys(h.source))...)
	if err != nil {
		return nil, nil, err
	}
	h.states, out = out[:h.d.states()], out[h.d.states():]
	logProbs, ids := tensors.MustCopyFlatData[float32](out[0]), tensors.MustCopyFlatData[int32](out[1])
	all := make([]extension, len(ids))
	for i, id := range ids {
		all[i] = extension{id, logProbs[i]}
	}
	return slices.Collect(slices.Chunk(all, len(all)/slots)), rows(out[2:], h.batches[0].S), nil
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
