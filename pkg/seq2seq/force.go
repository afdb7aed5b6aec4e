package seq2seq

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
)

// Force makes the model write the target of each pair instead of its own words, and tells how likely it finds it and what it attends
// to: for word alignment, which compares links between the words of a given pair, and for perplexity. The target's words are those
// given, also where the model reads UNK. A pair with an empty source gets a Translation without attention and a LogProb of 0.
func (r *Run) Force(ctx context.Context, pairs []corpus.Pair) ([]Translation, error) {
	sources, targets := make([][]string, len(pairs)), make([][]string, len(pairs))
	for i, p := range pairs {
		sources[i], targets[i] = p.Source, p.Target
	}
	o := newDecodeOptions(nil)
	lists, err := r.cache().get(request{Kind: "force", Sources: sources, Targets: targets}, func() ([][]Translation, error) {
		return r.decode(sources, targets, batchwise(func(d *decoding, batch *corpus.Batch) ([][]written, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return d.forced(batch)
		}), o)
	})
	if err != nil {
		return nil, err
	}
	forced := firsts(lists)
	for i := range forced {
		forced[i].Target = targets[i]
	}
	return forced, nil
}

// forced is what a batch's targets are to the model.
func (d *decoding) forced(batch *corpus.Batch) ([][]written, error) {
	out, err := d.force.Call(inputsOf(batch)...)
	if err != nil {
		return nil, err
	}
	nats, attention := tensors.MustCopyFlatData[float32](out[0]), rows(out[1:], batch.S)
	columns := make([]written, batch.B)
	for i, id := range batch.Target {
		if column := i % batch.B; i/batch.B < int(batch.TargetLengths[column]) {
			columns[column].add(id, -nats[i], attention[i%len(attention)])
		}
	}
	return singles(columns), nil
}

// Perplexity is exp of the mean negative log-probability of a token of the pairs' targets, EOS included. A pair with an empty source is
// an error: its target has no probability.
func (r *Run) Perplexity(ctx context.Context, pairs []corpus.Pair) (float64, error) {
	if i := slices.IndexFunc(pairs, func(p corpus.Pair) bool { return len(p.Source) == 0 }); i >= 0 {
		return 0, fmt.Errorf("seq2seq: perplexity: pair %d has an empty source: leave it out", i)
	}
	forced, err := r.Force(ctx, pairs)
	if err != nil {
		return 0, err
	}
	nats, tokens := 0.0, 0
	for _, t := range forced {
		nats -= t.LogProb
		tokens += t.length()
	}
	if tokens == 0 {
		return 0, fmt.Errorf("seq2seq: perplexity of no pairs: there is no token to take the mean over")
	}
	return metrics.Perplexity(nats, tokens)
}
