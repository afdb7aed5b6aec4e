package metrics

import (
	"fmt"
	"math"

	"seq2attn/pkg/corpus"
)

// AlignmentScore counts how the predicted links A of a text meet its gold links (Och and Ney 2003, "A Systematic Comparison of Various
// Statistical Alignment Models"): S are the sure links, P the possible ones, of which the sure ones are part.
type AlignmentScore struct {
	// Predicted is |A|, Sure is |S|, PredictedSure |A∩S| and PredictedPossible |A∩P|.
	Predicted, Sure, PredictedSure, PredictedPossible int
}

// AER compares the links predicted for each sentence pair with the pair's gold links, summed over all pairs, so that a long sentence
// weighs more than a short one. A word that is linked to nothing (NULL) has no link on either side. A link listed twice
// counts once, and as sure where one of them is. A link outside its sentence, on either side, is an error, and so are a
// pair whose gold alignment is unknown and an unequal number of sentences.
//
// The links must be between the words of the pair: attention makes them where the model is made to read the pair's own
// target, not where it translates freely.
func AER(predicted [][]corpus.Link, gold []corpus.Pair) (AlignmentScore, error) {
	var a AlignmentScore
	if err := sameLength("alignments", len(predicted), "sentence pairs", len(gold)); err != nil {
		return a, err
	}
	for i, pair := range gold {
		if pair.Links == nil {
			return a, fmt.Errorf("metrics: pair %d has no gold alignment", i)
		}
		possible := map[corpus.Link]bool{} // whether the link is sure
		for _, l := range pair.Links {
			if err := l.Within(pair); err != nil {
				return a, fmt.Errorf("metrics: gold link of pair %d: %w", i, err)
			}
			key := corpus.Link{Source: l.Source, Target: l.Target}
			possible[key] = possible[key] || !l.Possible
		}
		for _, sure := range possible {
			if sure {
				a.Sure++
			}
		}
		seen := map[corpus.Link]bool{}
		for _, l := range predicted[i] {
			if err := l.Within(pair); err != nil {
				return a, fmt.Errorf("metrics: predicted link of pair %d: %w", i, err)
			}
			key := corpus.Link{Source: l.Source, Target: l.Target}
			if seen[key] {
				continue
			}
			seen[key] = true
			a.Predicted++
			sure, isPossible := possible[key]
			if isPossible {
				a.PredictedPossible++
			}
			if sure {
				a.PredictedSure++
			}
		}
	}
	return a, nil
}

// AER is the alignment error rate 1 − (|A∩S| + |A∩P|)/(|A| + |S|), 0 for a perfect alignment, which finds every sure link and
// nothing impossible. It is 0 where there is neither a predicted nor a sure link.
func (a AlignmentScore) AER() float64 {
	if a.Predicted+a.Sure == 0 {
		return 0
	}
	return 1 - float64(a.PredictedSure+a.PredictedPossible)/float64(a.Predicted+a.Sure)
}

// Precision is |A∩P|/|A|, or 1 where nothing is predicted and so nothing is wrong.
func (a AlignmentScore) Precision() float64 {
	if a.Predicted == 0 {
		return 1
	}
	return float64(a.PredictedPossible) / float64(a.Predicted)
}

// Recall is |A∩S|/|S|, or 1 where there is no sure link to find.
func (a AlignmentScore) Recall() float64 {
	if a.Sure == 0 {
		return 1
	}
	return float64(a.PredictedSure) / float64(a.Sure)
}

// F is the harmonic mean of precision and recall, 0 where both are 0. Where all gold links are sure it is 1 − AER.
func (a AlignmentScore) F() float64 {
	p, r := a.Precision(), a.Recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// String is the rate with what it is made of: "AER = 0.12 (precision 0.90, recall 0.86, 50 predicted, 52 sure)".
func (a AlignmentScore) String() string {
	return fmt.Sprintf("AER = %.2f (precision %.2f, recall %.2f, %d predicted, %d sure)", a.AER(), a.Precision(), a.Recall(), a.Predicted, a.Sure)
}

// AlignmentOfAttention links each target word to the source word that it attends to most; of equal weights the first wins. The
// weights are [T,S], one row for each target word and one column for each source word. One row more is that of the target's EOS
// and is left out; any columns more are EOS and padding: a word that attends most to one of these has no link. Nor has one whose
// weights are all 0.
func AlignmentOfAttention(weights [][]float64, targetWords, sourceWords int) ([]corpus.Link, error) {
	if err := validAttention(weights, targetWords, sourceWords); err != nil {
		return nil, err
	}
	links := []corpus.Link{}
	for i, row := range weights[:targetWords] {
		best, weight := -1, 0.0
		for j, w := range row {
			if w > weight {
				best, weight = j, w
			}
		}
		if best >= 0 && best < sourceWords {
			links = append(links, corpus.Link{Source: best, Target: i})
		}
	}
	return links, nil
}

// AlignmentAbove links each target word to all source words whose weight is at least the threshold, above 0 and at most 1. EOS and
// padding are treated as in [AlignmentOfAttention].
func AlignmentAbove(threshold float64, weights [][]float64, targetWords, sourceWords int) ([]corpus.Link, error) {
	if !(threshold > 0 && threshold <= 1) {
		return nil, fmt.Errorf("metrics: attention threshold %g: above 0 and at most 1", threshold)
	}
	if err := validAttention(weights, targetWords, sourceWords); err != nil {
		return nil, err
	}
	links := []corpus.Link{}
	for i, row := range weights[:targetWords] {
		for j, w := range row[:sourceWords] {
			if w >= threshold {
				links = append(links, corpus.Link{Source: j, Target: i})
			}
		}
	}
	return links, nil
}

func validAttention(weights [][]float64, targetWords, sourceWords int) error {
	if targetWords < 0 || sourceWords < 0 {
		return fmt.Errorf("metrics: attention between %d target and %d source words", targetWords, sourceWords)
	}
	if len(weights) != targetWords && len(weights) != targetWords+1 {
		return fmt.Errorf("metrics: attention has %d rows for %d target words: one for each, and one more for EOS if any", len(weights), targetWords)
	}
	for i, row := range weights {
		if len(row) < sourceWords {
			return fmt.Errorf("metrics: attention row %d has %d columns for %d source words", i, len(row), sourceWords)
		}
		if len(row) != len(weights[0]) {
			return fmt.Errorf("metrics: attention row %d has %d columns, row 0 has %d", i, len(row), len(weights[0]))
		}
		for j, w := range row {
			if !(w >= 0 && w <= 1+rounding) {
				return fmt.Errorf("metrics: attention weight %g in row %d, column %d is not between 0 and 1", w, i, j)
			}
		}
	}
	return nil
}

// rounding is what float32 weights may be off by, in a weight and in the sum of a row.
const rounding = 1e-3

// AttentionEntropy is the entropy −Σ_j α_ij log α_ij of each row i of the weights [T,S], in nats: 0 where a target word attends to
// one place only, log S where it attends to all alike. A row must be a distribution. What a model attends to on EOS counts too, so
// leave the row out, where it should not. The mean over rows is the Mean of [Summarize].
func AttentionEntropy(weights [][]float64) ([]float64, error) {
	entropies := make([]float64, len(weights))
	for i, row := range weights {
		sum := 0.0
		for j, w := range row {
			if !(w >= 0) {
				return nil, fmt.Errorf("metrics: attention weight %g in row %d, column %d is not between 0 and 1", w, i, j)
			}
			sum += w
			if w > 0 {
				entropies[i] -= w * math.Log(w)
			}
		}
		if !(math.Abs(sum-1) <= rounding) {
			return nil, fmt.Errorf("metrics: attention row %d sums to %g, not to 1", i, sum)
		}
		entropies[i] = max(entropies[i], 0)
	}
	return entropies, nil
}
