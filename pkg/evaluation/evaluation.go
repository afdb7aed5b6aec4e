// Package evaluation measures a trained run on a test set, in the form in which results are kept and drawn.
package evaluation

import (
	"context"
	"errors"
	"fmt"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// firstWords are the numbers of words whose survival is measured: does the first word of a translation come out, do the first three?
var firstWords = [...]int{1, 3}

// Run translates the pairs' sources, greedily and free-running, and measures the translations: BLEU, token accuracy and exact match of all,
// and in each length bin of source words BLEU, exact match and the survival of the first words. The perplexity is that of the pairs' own targets. Where
// the run has attention and all pairs have gold links, their alignment error rate is measured with the run made to
// write the pairs' own targets. BLEU is left out where no sentence is long
// enough for it to be anything but 0.
func Run(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair, bins []metrics.Bin) (results.Seed, error) {
	s := results.Seed{Seed: run.Config.Seed, Updates: run.Updates, Seconds: run.Seconds, Measures: results.Measures{}, Curve: curve(run)}
	if len(pairs) == 0 {
		return s, errors.New("evaluation: no test pairs")
	}
	score, err := run.Score(ctx, pairs, bins)
	if err != nil {
		return s, err
	}
	if score.Total.Defined() {
		s.Measures[results.BLEU] = score.Total.Score
	}
	hypotheses := seq2seq.Targets(score.Translations)
	sources, targets := make([][]string, len(pairs)), make([][]string, len(pairs))
	for i, p := range pairs {
		sources[i], targets[i] = p.Source, p.Target
	}
	var survivals [][]metrics.Survival
	for _, k := range firstWords {
		survival, _, err := metrics.FirstWordSurvival(k, bins, metrics.Lengths(sources), hypotheses, targets)
		if err != nil {
			return s, err
		}
		survivals = append(survivals, survival)
	}
	if s.Bins, err = results.ByLength(score.Bins, survivals...); err != nil {
		return s, err
	}
	accuracy, err := metrics.TokenAccuracy(hypotheses, targets)
	if err != nil {
		return s, err
	}
	s.Measures[results.TokenAccuracy] = accuracy.Share()
	groups, _, err := metrics.Group(bins, metrics.Lengths(sources))
	if err != nil {
		return s, err
	}
	for i, group := range groups {
		if len(group) == 0 {
			continue
		}
		if err := exactMatch(s.Bins[i].Measures, metrics.Pick(hypotheses, group), metrics.Pick(targets, group)); err != nil {
			return s, err
		}
	}
	if err := exactMatch(s.Measures, hypotheses, targets); err != nil {
		return s, err
	}
	if s.Measures[results.Perplexity], err = run.Perplexity(ctx, pairs); err != nil {
		return s, err
	}
	return s, alignment(ctx, run, pairs, bins, &s)
}

// exactMatch adds the share of hypotheses that equal their targets.
func exactMatch(m results.Measures, hypotheses, targets [][]string) error {
	exact, err := metrics.ExactMatch(hypotheses, targets)
	if err == nil {
		m[results.ExactMatch] = exact.Share()
	}
	return err
}

// alignment adds the alignment error rate of the attention's argmax to s, of all pairs and in each bin.
func alignment(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair, bins []metrics.Bin, s *results.Seed) error {
	if run.Config.Attention == "" {
		return nil
	}
	lengths := make([]int, len(pairs))
	for i, p := range pairs {
		if p.Links == nil {
			return nil
		}
		lengths[i] = len(p.Source)
	}
	links, err := Links(ctx, run, pairs)
	if err != nil {
		return err
	}
	groups, _, err := metrics.Group(bins, lengths)
	if err != nil {
		return err
	}
	for i, group := range groups {
		if len(group) == 0 {
			continue
		}
		score, err := metrics.AER(metrics.Pick(links, group), metrics.Pick(pairs, group))
		if err != nil {
			return err
		}
		s.Bins[i].Measures[results.AER] = score.AER()
	}
	score, err := metrics.AER(links, pairs)
	if err != nil {
		return err
	}
	s.Measures[results.AER] = score.AER()
	return nil
}

// Links are the alignments of the run's attention, by argmax, with the run made to write each pair's own target.
func Links(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair) ([][]corpus.Link, error) {
	forced, err := run.Force(ctx, pairs)
	if err != nil {
		return nil, err
	}
	links := make([][]corpus.Link, len(pairs))
	for i, t := range forced {
		if links[i], err = metrics.AlignmentOfAttention(t.Attention, len(t.Target), len(t.Source)); err != nil {
			return nil, fmt.Errorf("evaluation: pair %d: %w", i+1, err)
		}
	}
	return links, nil
}

// curve is how the losses of a run went.
func curve(run *seq2seq.Run) (points []results.Point) {
	dev := map[int]float64{}
	for _, p := range run.Dev {
		dev[p.Update] = p.Loss
	}
	for _, p := range run.Train {
		point := results.Point{Update: p.Update, Measures: results.Measures{results.TrainLoss: p.Loss}}
		if loss, ok := dev[p.Update]; ok {
			point.Measures[results.DevLoss] = loss
		}
		points = append(points, point)
	}
	return points
}
