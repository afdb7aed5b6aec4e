package seq2seq

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/recurrent"
)

// DecodeOption changes how [Run.Translate] and [Run.Beam] decode.
type DecodeOption func(*decodeOptions)

type decodeOptions struct {
	cap     func(sourceWords int) int
	ranking ranking
	unknown *unknown // how to replace words outside the vocabulary; nil not at all
}

func newDecodeOptions(list []DecodeOption) decodeOptions {
	o := decodeOptions{cap: func(n int) int { return 2*n + 10 }, ranking: ranking{Alpha: 1}}
	for _, option := range list {
		option(&o)
	}
	return o
}

// LengthCap stops a translation that has not ended after so many tokens for a source of n words. It is 2n+10 by default, which
// no reference comes near.
func LengthCap(cap func(n int) int) DecodeOption { return func(o *decodeOptions) { o.cap = cap } }

// check is an error where an option needs what the model does not have.
func (o decodeOptions) check(c Config) error {
	for option, set := range map[string]bool{"CoveragePenalty": o.ranking.Coverage != 0, "ReplaceUnknown": o.unknown != nil} {
		if set && !c.attends() {
			return fmt.Errorf("seq2seq: option %s needs attention, and the wiring %q has none: leave it out, or translate with another model", option, c.Wiring)
		}
	}
	return nil
}

// Translate translates each source by the word that the model finds most likely at every step, in the order given. Words outside the
// vocabulary are read as UNK; an empty source has an empty translation.
//
// Each shape of batch is compiled once on a [Workbench]: sources of up to 16, 32, 64… tokens.
func (r *Run) Translate(ctx context.Context, sources [][]string, list ...DecodeOption) ([]Translation, error) {
	o := newDecodeOptions(list)
	if err := o.check(r.Config); err != nil {
		return nil, err
	}
	caps := o.caps(sources)
	lists, err := r.cache().get(request{Kind: "greedy", Sources: sources, Caps: caps, Ranking: o.ranking}, func() ([][]Translation, error) {
		return r.decode(sources, nil, batchwise(func(d *decoding, batch *corpus.Batch) ([][]written, error) {
			return d.greedy(ctx, batch, columns(caps, batch), o.room(batch))
		}), o)
	})
	return firsts(o.replaceUnknown(lists)), err
}

// firsts is the first of each list.
func firsts(lists [][]Translation) []Translation {
	var all []Translation
	for _, list := range lists {
		all = append(all, list[0])
	}
	return all
}

// caps are the length caps of all sources.
func (o decodeOptions) caps(sources [][]string) []int {
	caps := make([]int, len(sources))
	for i, source := range sources {
		caps[i] = o.cap(len(source))
	}
	return caps
}

// room is the number of words that the translations of batches of a shape may come to have. It is the same for all of them, but where a cap
// falls as sources get longer.
func (o decodeOptions) room(batches ...*corpus.Batch) int {
	room := max(1, o.cap(batches[0].S))
	for _, batch := range batches {
		for _, n := range batch.SourceLengths {
			room = max(room, o.cap(int(n)))
		}
	}
	return room
}

// columns are the values of the columns of batches, one batch after another; 0 for filler columns.
func columns(values []int, batches ...*corpus.Batch) (of []int) {
	for _, batch := range batches {
		for _, i := range batch.Index {
			value := 0
			if i >= 0 {
				value = values[i]
			}
			of = append(of, value)
		}
	}
	return of
}

// batchwise is what f makes of batches, some of them side by side.
func batchwise(f func(*decoding, *corpus.Batch) ([][]written, error)) func(*decoding, []*corpus.Batch) ([][]written, error) {
	return func(d *decoding, batches []*corpus.Batch) ([][]written, error) {
		of, err := sideBySide(len(batches), func(i int) ([][]written, error) { return f(d, batches[i]) })
		return slices.Concat(of...), err
	}
}

// decode translates the sources by a function that gives for each column of batches, one batch after another, what was written for it, one list or
// more. The batches come longest first, those of a shape together: what is left for the end, when a core has nothing else to do, is short. With targets
// a batch also holds these. An empty source has an empty translation.
func (r *Run) decode(sources, targets [][]string, f func(*decoding, []*corpus.Batch) ([][]written, error), o decodeOptions) ([][]Translation, error) {
	translations := make([][]Translation, len(sources))
	var pairs []corpus.Encoded
	var which []int
	shape := corpus.Bucket{S: 1, T: 1}
	for i, source := range sources {
		if len(source) == 0 {
			translations[i] = []Translation{{Source: source, Target: []string{}, Ended: true}}
			continue
		}
		p := corpus.Encoded{Source: r.Source.Encode(source)}
		if r.Config.ReverseSource {
			slices.Reverse(p.Source)
		}
		if targets != nil {
			p.Target = r.Target.Encode(targets[i])
		}
		pairs, which = append(pairs, p), append(which, i)
		shape = corpus.Bucket{S: max(shape.S, len(p.Source)+1), T: max(shape.T, len(p.Target)+1)}
	}
	if len(pairs) == 0 {
		return translations, nil
	}
	batches, err := corpus.NewBatches(pairs, corpus.BatchOptions{Size: decodeBatch, Buckets: ladder(shape), NoSourceEOS: !r.Config.SourceEOS})
	if err != nil {
		return nil, fmt.Errorf("seq2seq: %w", err)
	}
	d, err := r.bench.decoder(r.Config, r.Source.Size(), r.Target.Size())
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.use(r.store); err != nil {
		return nil, fmt.Errorf("seq2seq: %w", err)
	}
	var all []*corpus.Batch
	for batch := range batches.Epoch(0) {
		for column, i := range batch.Index {
			if i >= 0 {
				batch.Index[column] = which[i]
			}
		}
		all = append(all, batch)
	}
	slices.SortStableFunc(all, func(a, b *corpus.Batch) int {
		return cmp.Or(cmp.Compare(b.S, a.S), cmp.Compare(slices.Max(b.SourceLengths), slices.Max(a.SourceLengths)))
	})
	var found [][]written
	failed := exceptions.TryCatch[error](func() { found, err = f(d, all) })
	if err = errors.Join(failed, err); err != nil {
		return nil, fmt.Errorf("seq2seq: translation: %w", err)
	}
	for _, batch := range all {
		for column, i := range batch.Index {
			if i >= 0 {
				for _, w := range found[column] {
					translations[i] = append(translations[i], r.translation(sources[i], w, o))
				}
			}
		}
		found = found[batch.B:]
	}
	return translations, nil
}

// ladder is a series of shapes, each twice as large as the one before, up to one that holds the given: few, and the same for any text.
func ladder(largest corpus.Bucket) []corpus.Bucket {
	var shapes []corpus.Bucket
	for size := 16; ; size *= 2 {
		shape := corpus.Bucket{S: size, T: size}
		if largest.T == 1 { // no targets
			shape.T = 1
		}
		shapes = append(shapes, shape)
		if shape.S >= largest.S && shape.T >= largest.T {
			return shapes
		}
	}
}

// decodeBatch is the number of sentences that are translated together: one shape for a sentence as for a thousand. With 32, medium models
// took half as long again on one of two processors, and as long on the other.
const decodeBatch = 64

// written is what a model wrote for one sentence so far.
type written struct {
	ids       []int32 // EOS included
	logProb   float64
	attention [][]float32 // a row for each id, over the encoder's positions
}

func (w *written) ended() bool { return len(w.ids) > 0 && w.ids[len(w.ids)-1] == corpus.EOS }

// add takes one more id.
func (w *written) add(id int32, logProb float32, attention []float32) {
	w.ids = append(w.ids, id)
	w.logProb += float64(logProb)
	if attention != nil {
		w.attention = append(w.attention, attention)
	}
}

// translation puts what was written into words.
func (r *Run) translation(source []string, w written, o decodeOptions) Translation {
	t := Translation{Source: source, Target: r.Target.Decode(w.ids), LogProb: w.logProb, Ended: w.ended()}
	t.Score = o.ranking.score(w, len(source))
	for i, id := range w.ids {
		if id == corpus.UNK {
			t.Unknown = append(t.Unknown, i)
		}
	}
	for _, row := range w.attention {
		t.Attention = append(t.Attention, r.originalOrder(row, len(source)))
	}
	return t
}

// originalOrder is a row of attention over the encoder's positions in the order of the source's words, EOS last where it is read.
func (r *Run) originalOrder(row []float32, words int) []float64 {
	columns := words
	if r.Config.SourceEOS {
		columns++
	}
	ordered := make([]float64, columns)
	for j := range ordered {
		ordered[j] = float64(row[j])
	}
	if r.Config.ReverseSource {
		slices.Reverse(ordered[:words])
	}
	return ordered
}

// decoding holds the compiled graphs of translations by models of one structure.
type decoding struct {
	architecture
	engine   *engine.Engine
	chunk    int                 // steps of greedy decoding between two looks at how far the sentences are
	encode   *model.Exec         // source [S,B] and lengths [B] to s_0 and what the decoder reads
	generate *model.Exec         // up to chunk steps of greedy decoding
	force    *model.Exec         // source and target, with their lengths, to nats [T·B] and attention [T,B,S]
	heads    *model.Exec         // the same to the weights of every layer's heads, of a Transformer
	enter    *model.Exec         // puts sentences that encode has read among the hypotheses of a beam search
	extend   map[int]*model.Exec // one step of beam search, by width

	mu    sync.Mutex   // held by who decodes
	store *model.Store // with the weights of whom
	of    *model.Store
}

// A loop stops by itself where all sentences have ended. Steps that are written out are all made, so there are fewer in a chunk.
const (
	chunkOfLoop = 64
	writtenOut  = 8
)

// decoder is what decodes for a configuration.
func (w *Workbench) decoder(c Config, source, target int) (*decoding, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, err := w.open()
	if err != nil {
		return nil, err
	}
	key := c.decodingGraph(source, target)
	if d := w.decoding[key]; d != nil {
		return d, nil
	}
	d := &decoding{architecture: newArchitecture(c, source, target), engine: e, chunk: chunkOfLoop, store: model.NewStore(), extend: map[int]*model.Exec{}}
	if recurrent.CanLoop(e.Backend) != nil {
		d.chunk = writtenOut
	}
	d.encode = d.exec(func(m translator, inputs []*graph.Node) []*graph.Node {
		state, source := m.read(inputs[0], inputs[1])
		return append(state, source...)
	})
	d.generate = d.exec(func(m translator, inputs []*graph.Node) []*graph.Node {
		s, source := inputs[3:3+d.states()], inputs[3+d.states():]
		last, written := generate(m, source, inputs[1], inputs[2], inputs[0], s, d.chunk)
		return append(last, written...)
	})
	d.force = d.exec(func(m translator, in []*graph.Node) []*graph.Node {
		logits, alpha := m.forward(in[0], in[1], in[2], in[3], dropout{}, true)
		real := graph.Reshape(reals(in[3], in[2].Shape().Dim(0)), -1)
		out := []*graph.Node{nats(graph.Reshape(logits, -1, target), graph.Reshape(in[2], -1), real)}
		if alpha != nil {
			out = append(out, alpha)
		}
		return out
	})
	d.heads = d.exec(func(m translator, in []*graph.Node) []*graph.Node {
		return append(m.(parallelTranslator).heads(in[0], in[1], in[2]), in[3])
	})
	d.enter = d.exec(func(_ translator, inputs []*graph.Node) (all []*graph.Node) {
		from, before, entering := graph.ExpandAxes(inputs[0], -1), inputs[1:1+len(inputs)/2], inputs[1+len(inputs)/2:]
		for i := range before {
			all = append(all, graph.Gather(graph.Concatenate([]*graph.Node{before[i], entering[i]}, 0), from))
		}
		return all
	})
	w.decoding[key] = d
	return d, nil
}

// use makes the weights those of a run.
func (d *decoding) use(weights *model.Store) error {
	if d.of == weights {
		return nil
	}
	d.of = nil
	for v := range weights.IterVariables() {
		value, err := v.Value()
		if err != nil {
			return err
		}
		if mine := d.store.GetVariable(v.Path()); mine != nil {
			err = mine.SetValuePreservingOld(value) // the old one is another run's
		} else {
			_, err = d.store.CreateVariable(v.Path(), value)
		}
		if err != nil {
			return err
		}
	}
	d.of = weights
	return nil
}

// exec makes an executor of a graph that reads the weights.
func (d *decoding) exec(f func(m translator, inputs []*graph.Node) []*graph.Node) *model.Exec {
	return model.MustNewExec(d.engine.Backend, d.store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return f(d.with(scope, inputs[0].Graph()), inputs)
	}).SetMaxCache(-1)
}

// begin is the state before the first word, with room for so many, and what a step reads of the source, of what encode made of so many sentences.
func (d *decoding) begin(encoded []*tensors.Tensor, sentences, room int) (states, source []*tensors.Tensor) {
	memory := d.memory(sentences, room)
	read := d.states() - len(memory)
	states, source = slices.Clone(encoded[:read]), encoded[read:]
	for _, shape := range memory {
		states = append(states, tensors.FromShape(shape))
	}
	return states, source
}

// greedy decodes a batch, each column up to its cap, which is at most room.
func (d *decoding) greedy(ctx context.Context, batch *corpus.Batch, caps []int, room int) ([][]written, error) {
	encoded, err := d.encode.Call(inputsOf(batch)[:2]...)
	if err != nil {
		return nil, err
	}
	words, ended := make([]int32, batch.B), make([]bool, batch.B)
	for column, i := range batch.Index {
		words[column], ended[column] = corpus.BOS, i < 0
	}
	states, source := d.begin(encoded, batch.B, room)
	carry := append([]*tensors.Tensor{tensors.FromFlatDataAndDimensions(words, batch.B), tensors.FromFlatDataAndDimensions(ended, batch.B)}, states...)
	columns := make([]written, batch.B)
	left := func(column int) int { // words that may still be written
		if columns[column].ended() {
			return 0
		}
		return caps[column] - len(columns[column].ids)
	}
	for {
		count := 0 // of the steps to make
		for column := range columns {
			count = max(count, min(d.chunk, left(column)))
		}
		if count == 0 {
			return singles(columns), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, err := d.generate.Call(append([]any{int32(count)}, anys(append(slices.Clone(carry), source...))...)...)
		if err != nil {
			return nil, err
		}
		carry = out[:len(carry)]
		made := out[len(carry):]
		ids, logProbs := tensors.MustCopyFlatData[int32](made[0]), tensors.MustCopyFlatData[float32](made[1])
		attention := rows(made[2:], batch.S)
		for i, id := range ids[:count*batch.B] {
			if column := i % batch.B; left(column) > 0 {
				columns[column].add(id, logProbs[i], attention[i%len(attention)])
			}
		}
	}
}

// rows cuts an attention, where there is one, into rows over positions; without, there is one row, nil.
func rows(attention []*tensors.Tensor, positions int) [][]float32 {
	if len(attention) == 0 {
		return [][]float32{nil}
	}
	return slices.Collect(slices.Chunk(tensors.MustCopyFlatData[float32](attention[0]), positions))
}

// singles are lists of one.
func singles(columns []written) [][]written {
	lists := make([][]written, len(columns))
	for i, w := range columns {
		lists[i] = []written{w}
	}
	return lists
}

func anys(list []*tensors.Tensor) []any {
	all := make([]any, len(list))
	for i, t := range list {
		all[i] = t
	}
	return all
}
