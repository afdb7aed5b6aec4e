package metrics

import (
	"fmt"
	"math"

	"seq2attn/pkg/corpus"
)

// AERAbove is the error of attention as alignment at each of several thresholds, see [AlignmentAbove]. The weights are those of each pair, as
// in [AlignmentOfAttention]. A threshold that is chosen by it must be chosen on other pairs than those it is reported on.
func AERAbove(thresholds []float64, weights [][][]float64, gold []corpus.Pair) ([]AlignmentScore, error) {
	if err := sameLength("attention matrices", len(weights), "sentence pairs", len(gold)); err != nil {
		return nil, err
	}
	scores := make([]AlignmentScore, len(thresholds))
	for k, threshold := range thresholds {
		var err error
		scores[k], err = aerBy(weights, gold, func(w [][]float64, targetWords, sourceWords int) ([]corpus.Link, error) {
			return AlignmentAbove(threshold, w, targetWords, sourceWords)
		})
		if err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// AERArgmax is the error of attention as alignment where each target word is linked to the place that it attends to most, see
// [AlignmentOfAttention].
func AERArgmax(weights [][][]float64, gold []corpus.Pair) (AlignmentScore, error) {
	return aerBy(weights, gold, AlignmentOfAttention)
}

// aerBy is the error of the links that are read off each pair's attention.
func aerBy(weights [][][]float64, gold []corpus.Pair, links func(weights [][]float64, targetWords, sourceWords int) ([]corpus.Link, error)) (AlignmentScore, error) {
	if err := sameLength("attention matrices", len(weights), "sentence pairs", len(gold)); err != nil {
		return AlignmentScore{}, err
	}
	predicted := make([][]corpus.Link, len(gold))
	for i, p := range gold {
		var err error
		if predicted[i], err = links(weights[i], len(p.Target), len(p.Source)); err != nil {
			return AlignmentScore{}, fmt.Errorf("pair %d: %w", i, err)
		}
	}
	return AER(predicted, gold)
}

// BestThreshold is the threshold of those given with the least error on development pairs, the first of equal ones, and its score.
func BestThreshold(thresholds []float64, weights [][][]float64, gold []corpus.Pair) (threshold float64, score AlignmentScore, err error) {
	if len(thresholds) == 0 {
		return 0, score, fmt.Errorf("metrics: no threshold to choose from")
	}
	scores, err := AERAbove(thresholds, weights, gold)
	if err != nil {
		return 0, score, err
	}
	best := 0
	for k, s := range scores {
		if s.AER() < scores[best].AER() {
			best = k
		}
	}
	return thresholds[best], scores[best], nil
}

// Evenness is the entropy of attention relative to that of attending to all places alike, over the target words of a text: 0 where each
// attends to one place only, 1 where all are attended to alike. It is the sum of the rows' entropies over the sum of the logarithms of
// their numbers of columns, so that sentences of different lengths can be compared. Rows for EOS are left out; columns for EOS count, so leave columns for
// padding out. Where no row has a choice it is 0.
func Evenness(weights [][][]float64, pairs []corpus.Pair) (float64, error) {
	if err := sameLength("attention matrices", len(weights), "sentence pairs", len(pairs)); err != nil {
		return 0, err
	}
	sum, most := 0.0, 0.0
	for i, p := range pairs {
		if err := validAttention(weights[i], len(p.Target), len(p.Source)); err != nil {
			return 0, fmt.Errorf("pair %d: %w", i, err)
		}
		rows := weights[i][:len(p.Target)]
		entropies, err := AttentionEntropy(rows)
		if err != nil {
			return 0, fmt.Errorf("pair %d: %w", i, err)
		}
		for j, e := range entropies {
			sum += e
			most += math.Log(float64(len(rows[j])))
		}
	}
	if most == 0 {
		return 0, nil
	}
	return min(sum/most, 1), nil
}
