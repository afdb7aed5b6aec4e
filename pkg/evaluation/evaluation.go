// Package evaluation measures a trained run, or what another model has found, on a test set, in the form in which results are kept and drawn.
package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	sources, _ := sides(pairs)
	translations, err := run.Translate(ctx, sources)
	if err != nil {
		return s, err
	}
	if err := translated(&s, seq2seq.Targets(translations), pairs, bins); err != nil {
		return s, err
	}
	if s.Measures[results.Perplexity], err = run.Perplexity(ctx, pairs); err != nil {
		return s, err
	}
	return s, alignment(ctx, run, pairs, bins, &s)
}

// Translation is how good translations of the pairs' sources are, by whatever model, with the measures of [Run] that need no more than those, as a
// model of one seed without updates.
func Translation(name string, hypotheses [][]string, pairs []corpus.Pair, bins []metrics.Bin) (results.Model, error) {
	s := results.Seed{Measures: results.Measures{}}
	if len(pairs) == 0 {
		return results.Model{}, errors.New("evaluation: no test pairs")
	}
	if len(hypotheses) != len(pairs) {
		return results.Model{}, fmt.Errorf("evaluation: %d translations of %d test pairs", len(hypotheses), len(pairs))
	}
	if err := translated(&s, hypotheses, pairs, bins); err != nil {
		return results.Model{}, err
	}
	return results.Model{Name: name, Seeds: []results.Seed{s}}, nil
}

// Alignment is the alignment error rate of the links that any model predicts for the pairs, of all and in each length bin of source words, as a model
// of one seed without updates: an aligner of pkg/ibm beside attention. All pairs must have gold links.
func Alignment(name string, links [][]corpus.Link, pairs []corpus.Pair, bins []metrics.Bin) (results.Model, error) {
	s := results.Seed{Measures: results.Measures{}}
	if len(pairs) == 0 {
		return results.Model{}, errors.New("evaluation: no test pairs")
	}
	for _, bin := range bins {
		s.Bins = append(s.Bins, results.Bin{Bin: bin})
	}
	if err := aligned(&s, links, pairs, bins); err != nil {
		return results.Model{}, err
	}
	return results.Model{Name: name, Seeds: []results.Seed{s}}, nil
}

func sides(pairs []corpus.Pair) (sources, targets [][]string) {
	for _, p := range pairs {
		sources, targets = append(sources, p.Source), append(targets, p.Target)
	}
	return sources, targets
}

// translated adds what the translations of the pairs are worth to s, and makes its bins.
func translated(s *results.Seed, hypotheses [][]string, pairs []corpus.Pair, bins []metrics.Bin) error {
	sources, targets := sides(pairs)
	scores, _, err := metrics.BLEUInAll(bins, metrics.Lengths(sources), hypotheses, metrics.OneReference(targets))
	if err != nil {
		return err
	}
	if scores.Total.Defined() {
		s.Measures[results.BLEU] = scores.Total.Score
	}
	var survivals [][]metrics.Survival
	for _, k := range firstWords {
		survival, _, err := metrics.FirstWordSurvival(k, bins, metrics.Lengths(sources), hypotheses, targets)
		if err != nil {
			return err
		}
		survivals = append(survivals, survival)
	}
	if s.Bins, err = results.ByLength(scores.Bins, survivals...); err != nil {
		return err
	}
	accuracy, err := metrics.TokenAccuracy(hypotheses, targets)
	if err != nil {
		return err
	}
	s.Measures[results.TokenAccuracy] = accuracy.Share()
	groups, _, err := metrics.Group(bins, metrics.Lengths(sources))
	if err != nil {
		return err
	}
	for i, group := range groups {
		if len(group) == 0 {
			continue
		}
		if err := exactMatch(s.Bins[i].Measures, metrics.Pick(hypotheses, group), metrics.Pick(targets, group)); err != nil {
			return err
		}
	}
	return exactMatch(s.Measures, hypotheses, targets)
}

// exactMatch adds the share of hypotheses that equal their targets.
func exactMatch(m results.Measures, hypotheses, targets [][]string) error {
	exact, err := metrics.ExactMatch(hypotheses, targets)
	if err == nil {
		m[results.ExactMatch] = exact.Share()
	}
	return err
}

// alignment adds the alignment error rate of the attention's argmax to s, where there is attention and all pairs have gold links.
func alignment(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair, bins []metrics.Bin, s *results.Seed) error {
	if run.Config.Attention == "" || slices.ContainsFunc(pairs, func(p corpus.Pair) bool { return p.Links == nil }) {
		return nil
	}
	links, err := Links(ctx, run, pairs)
	if err != nil {
		return err
	}
	return aligned(s, links, pairs, bins)
}

// aligned adds the alignment error rate of links to s, of all pairs and in each bin.
func aligned(s *results.Seed, links [][]corpus.Link, pairs []corpus.Pair, bins []metrics.Bin) error {
	score, err := metrics.AER(links, pairs)
	if err != nil {
		return err
	}
	s.Measures[results.AER] = score.AER()
	sources, _ := sides(pairs)
	groups, _, err := metrics.Group(bins, metrics.Lengths(sources))
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
		if s.Bins[i].N = len(group); s.Bins[i].Measures == nil {
			s.Bins[i].Measures = results.Measures{}
		}
		s.Bins[i].Measures[results.AER] = score.AER()
	}
	return nil
}

// Links are the alignments of the run's attention, by argmax, with the run made to write each pair's own target: step i's row is that of the word
// y_i, which it writes.
func Links(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair) ([][]corpus.Link, error) {
	return links(ctx, run, pairs, 0)
}

// LinksOfInput are as [Links], but step i's row is that of the word y_{i-1}, which it reads: so Luong, Pham and Manning (2015, footnote 14) take the
// alignments of the scores that look at words.
func LinksOfInput(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair) ([][]corpus.Link, error) {
	return links(ctx, run, pairs, 1)
}

// links leaves the attention of the first steps out.
func links(ctx context.Context, run *seq2seq.Run, pairs []corpus.Pair, first int) ([][]corpus.Link, error) {
	forced, err := run.Force(ctx, pairs)
	if err != nil {
		return nil, err
	}
	links := make([][]corpus.Link, len(pairs))
	for i, t := range forced {
		if links[i], err = metrics.AlignmentOfAttention(t.Attention[first:], len(t.Target), len(t.Source)); err != nil {
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
