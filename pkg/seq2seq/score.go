package seq2seq

import (
	"context"
	"fmt"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
)

// Score is how well a run translates a test set by itself.
type Score struct {
	Translations []Translation
	// Scores have the bins by the number of source words; pairs in no bin are only in Total.
	metrics.Scores
}

// Score translates the pairs' sources greedily and compares with their targets, in total and by bins of source length, of which there may
// be none.
func (r *Run) Score(ctx context.Context, pairs []corpus.Pair, bins []metrics.Bin) (Score, error) {
	sources, references := make([][]string, len(pairs)), make([][]string, len(pairs))
	for i, p := range pairs {
		sources[i], references[i] = p.Source, p.Target
	}
	translations, err := r.Translate(ctx, sources)
	if err != nil {
		return Score{}, err
	}
	s := Score{Translations: translations}
	if s.Scores, _, err = metrics.BLEUInAll(bins, metrics.Lengths(sources), Targets(translations), metrics.OneReference(references)); err != nil {
		return Score{}, fmt.Errorf("seq2seq: %w", err)
	}
	return s, nil
}

// Targets are the words of translations, as [metrics] takes them.
func Targets(translations []Translation) [][]string {
	targets := make([][]string, len(translations))
	for i, t := range translations {
		targets[i] = t.Target
	}
	return targets
}
