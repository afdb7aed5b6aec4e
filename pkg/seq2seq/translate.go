package seq2seq

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
)

// DecodeOption changes how [Run.Translate] and [Run.Beam] decode.
type DecodeOption func(*decodeOptions)

type decodeOptions struct {
	cap   func(sourceWords int) int
	alpha float64
}

func newDecodeOptions(list []DecodeOption) decodeOptions {
	o := decodeOptions{cap: func(n int) int { return 2*n + 10 }, alpha: 1}
	for _, option := range list {
		option(&o)
	}
	return o
}

// LengthCap stops a translation that has not ended after so many tokens for a source of n words. It is 2n+10 by default, which
// no reference comes near.
func LengthCap(cap func(n int) int) DecodeOption { return func(o *decodeOptions) { o.cap = cap } }

// LengthPenalty sets α in a translation's Score, LogProb / length^α, where the length counts EOS. It is 1 by default, the mean
// log-probability of a token; 0 ranks by probability, which favours short translations.
func LengthPenalty(alpha float64) DecodeOption { return func(o *decodeOptions) { o.alpha = alpha } }

// Translate translates each source by the word that the model finds most likely at every step, in the order given. Words outside the
// vocabulary are read as UNK; an empty source has an empty translation.
//
// Each shape of batch is compiled once in a Run's life: sources of 8, 16, 32… tokens.
func (r *Run) Translate(ctx context.Context, sources [][]string, list ...DecodeOption) ([]Translation, error) {
	o := newDecodeOptions(list)
	translations := make([]Translation, len(sources))
	err := r.eachBatch(ctx, sources, func(d *decoding, batch *corpus.Batch) error {
		columns, err := d.greedy(ctx, batch, capsOf(batch, sources, o))
		for column, i := range batch.Index {
			if i >= 0 && err == nil {
				translations[i] = r.translation(sources[i], columns[column], o)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, source := range sources {
		if len(source) == 0 {
			translations[i] = Translation{Source: source, Target: []string{}, Ended: true}
		}
	}
	return translations, nil
}

// decodeBatch is the number of sentences that are translated together: one shape for a sentence as for a thousand.
const decodeBatch = 32

// eachBatch calls f for the sources in batches, whose Index tells which they are. Empty sources are left out.
func (r *Run) eachBatch(ctx context.Context, sources [][]string, f func(*decoding, *corpus.Batch) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var pairs []corpus.Encoded
	var which []int
	longest := 0
	for i, source := range sources {
		if len(source) == 0 {
			continue
		}
		ids := r.Source.Encode(source)
		if r.Config.ReverseSource {
			slices.Reverse(ids)
		}
		pairs, which = append(pairs, corpus.Encoded{Source: ids}), append(which, i)
		longest = max(longest, len(ids)+1)
	}
	if len(pairs) == 0 {
		return nil
	}
	buckets := []corpus.Bucket{{S: 8, T: 1}}
	for buckets[len(buckets)-1].S < longest {
		buckets = append(buckets, corpus.Bucket{S: 2 * buckets[len(buckets)-1].S, T: 1})
	}
	batches, err := corpus.NewBatches(pairs, corpus.BatchOptions{Size: decodeBatch, Buckets: buckets, NoSourceEOS: !r.Config.SourceEOS})
	if err != nil {
		return fmt.Errorf("seq2seq: %w", err)
	}
	if err := r.openDecoding(); err != nil {
		return err
	}
	for batch := range batches.Epoch(0) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("seq2seq: translation stopped: %w", err)
		}
		for column, i := range batch.Index {
			if i >= 0 {
				batch.Index[column] = which[i]
			}
		}
		if err := exceptions.TryCatch[error](func() {
			if err := f(r.decoding, batch); err != nil {
				panic(err)
			}
		}); err != nil {
			return fmt.Errorf("seq2seq: translation: %w", err)
		}
	}
	return nil
}

// capsOf are the length caps of a batch's columns, 0 for filler columns.
func capsOf(batch *corpus.Batch, sources [][]string, o decodeOptions) []int {
	caps := make([]int, batch.B)
	for column, i := range batch.Index {
		if i >= 0 {
			caps[column] = o.cap(len(sources[i]))
		}
	}
	return caps
}

// written is what a model wrote for one sentence so far.
type written struct {
	ids       []int32 // EOS included
	logProb   float64
	attention [][]float32 // a row for each id, over the encoder's positions
}

func (w *written) ended() bool { return len(w.ids) > 0 && w.ids[len(w.ids)-1] == corpus.EOS }

// add takes one more id, unless the sentence has ended or is as long as it may be.
func (w *written) add(id int32, logProb float32, attention []float32, cap int) {
	if w.ended() || len(w.ids) >= cap {
		return
	}
	w.ids = append(w.ids, id)
	w.logProb += float64(logProb)
	if attention != nil {
		w.attention = append(w.attention, attention)
	}
}

// translation puts what was written into words.
func (r *Run) translation(source []string, w written, o decodeOptions) Translation {
	t := Translation{Source: source, Target: r.Target.Decode(w.ids), LogProb: w.logProb, Ended: w.ended()}
	t.Score = score(t.LogProb, len(w.ids), o.alpha)
	for _, row := range w.attention {
		t.Attention = append(t.Attention, r.originalOrder(row, len(source)))
	}
	return t
}

// score is the log-probability of so many tokens, EOS included, over length^α.
func score(logProb float64, length int, alpha float64) float64 {
	if length == 0 {
		return 0
	}
	return logProb / math.Pow(float64(length), alpha)
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

// decoding holds the compiled graphs of a run's translations.
type decoding struct {
	n        *network
	backend  *engine.Engine
	store    *model.Store
	encode   *model.Exec         // source [S,B] and lengths [B] to s_0 and what the decoder reads
	generate *model.Exec         // chunk steps of greedy decoding
	spread   *model.Exec         // what encode makes, each sentence's repeated for its hypotheses
	extend   map[int]*model.Exec // one step of beam search, by width
}

// chunk is the number of steps between two looks at whether all sentences have ended.
const chunk = 8

// openDecoding makes ready to decode, with the engine opened if it was not yet.
func (r *Run) openDecoding() (err error) {
	if r.decoding != nil {
		return nil
	}
	if r.engine == nil {
		if r.engine, err = engine.Open(); err != nil {
			return err
		}
	}
	d := &decoding{n: newNetwork(r.Config, r.Source.Size(), r.Target.Size()), backend: r.engine, store: r.store, extend: map[int]*model.Exec{}}
	d.encode = d.exec(func(w weights, inputs []*graph.Node) []*graph.Node {
		src := d.n.read(w, inputs[0], inputs[1], dropout{})
		return append(src.initial, src.nodes()...)
	})
	d.generate = d.exec(func(w weights, inputs []*graph.Node) []*graph.Node {
		s, src := d.split(inputs[2:])
		last, written := d.n.generate(w.decoder, src, inputs[0], inputs[1], s, chunk)
		return append(last, written...)
	})
	d.spread = d.exec(func(_ weights, inputs []*graph.Node) (repeated []*graph.Node) {
		for _, of := range inputs[1:] {
			repeated = append(repeated, graph.Gather(of, graph.ExpandAxes(inputs[0], -1)))
		}
		return repeated
	})
	r.decoding = d
	return nil
}

// exec makes an executor of a graph that reads the weights.
func (d *decoding) exec(f func(w weights, inputs []*graph.Node) []*graph.Node) *model.Exec {
	return model.MustNewExec(d.backend.Backend, d.store, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return f(d.n.newWeights(scope, inputs[0].Graph()), inputs)
	}).SetMaxCache(-1)
}

// states is the number of state vectors of all layers.
func (d *decoding) states() int { return d.n.Layers * d.n.cell.States() }

// split tells the states from the source in what encode made.
func (d *decoding) split(nodes []*graph.Node) (s []*graph.Node, src source) {
	return nodes[:d.states()], d.n.sourceOf(nodes[d.states():])
}

// greedy decodes a batch, each column up to its cap.
func (d *decoding) greedy(ctx context.Context, batch *corpus.Batch, caps []int) ([]written, error) {
	encoded, err := d.encode.Call(anys(inputsOf(batch)[:2])...)
	if err != nil {
		return nil, err
	}
	words, ended := make([]int32, batch.B), make([]bool, batch.B)
	for column, i := range batch.Index {
		words[column], ended[column] = corpus.BOS, i < 0
	}
	carry := append([]*tensors.Tensor{tensors.FromFlatDataAndDimensions(words, batch.B), tensors.FromFlatDataAndDimensions(ended, batch.B)}, encoded[:d.states()]...)
	columns := make([]written, batch.B)
	going := func(column int) bool { return !columns[column].ended() && len(columns[column].ids) < caps[column] }
	for slices.ContainsFunc(upTo(batch.B), going) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, err := d.generate.Call(anys(append(slices.Clone(carry), encoded[d.states():]...))...)
		if err != nil {
			return nil, err
		}
		carry = out[:len(carry)]
		made := out[len(carry):]
		ids, logProbs := tensors.MustCopyFlatData[int32](made[0]), tensors.MustCopyFlatData[float32](made[1])
		var attention []float32
		if len(made) > 2 {
			attention = tensors.MustCopyFlatData[float32](made[2])
		}
		for i, id := range ids {
			column := i % batch.B
			var row []float32
			if attention != nil {
				row = attention[i*batch.S : (i+1)*batch.S]
			}
			columns[column].add(id, logProbs[i], row, caps[column])
		}
	}
	return columns, nil
}

// upTo is 0, 1, …, n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
