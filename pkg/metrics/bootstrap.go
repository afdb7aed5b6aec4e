package metrics

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Bootstrap says how to draw test sets from a test set (Koehn 2004, "Statistical Significance Tests for Machine Translation
// Evaluation"): each as large as the original, with replacement. It tells how much a score owes to the choice of test sentences; how
// much it owes to the seed, [Summarize] tells.
type Bootstrap struct {
	// Samples is the number of test sets drawn; 0 means Koehn's 1,000.
	Samples int
	// Confidence is that of the interval; 0 means 0.95.
	Confidence float64
	// Seed makes the draws repeatable.
	Seed uint64
}

// Comparison is the result of a paired bootstrap.
type Comparison struct {
	// Difference is the BLEU of the first system less that of the second on the whole test set, in points of 100.
	Difference float64
	// Interval is that of the difference.
	Interval Interval
	// Better, Worse and Equal are the numbers of samples in which the first system scores so.
	Better, Worse, Equal int
}

// BLEU gives the interval of the corpus BLEU of the hypotheses: the middle part of the scores of all samples. For the other
// arguments see [CorpusBLEU].
func (b Bootstrap) BLEU(hypotheses [][]string, references [][][]string, options ...BLEUOption) (Interval, error) {
	b, c, err := b.prepare(options)
	if err != nil {
		return Interval{}, err
	}
	sentences, err := count(hypotheses, references)
	if err != nil {
		return Interval{}, err
	}
	scores := make([]float64, 0, b.Samples)
	for drawn := range b.samples(len(sentences)) {
		scores = append(scores, score(sentences, drawn, c))
	}
	return b.interval(scores), nil
}

// Compare draws samples for two systems' hypotheses at once, so that each sample has the same sentences for both. Better/Samples
// above 0.95 is Koehn's sign that the first system is better.
func (b Bootstrap) Compare(first, second [][]string, references [][][]string, options ...BLEUOption) (Comparison, error) {
	b, c, err := b.prepare(options)
	if err != nil {
		return Comparison{}, err
	}
	sentences, err := count(first, references)
	if err != nil {
		return Comparison{}, fmt.Errorf("first system: %w", err)
	}
	others, err := count(second, references)
	if err != nil {
		return Comparison{}, fmt.Errorf("second system: %w", err)
	}
	all := make([]int, len(sentences))
	for i := range all {
		all[i] = i
	}
	result := Comparison{Difference: score(sentences, all, c) - score(others, all, c)}
	differences := make([]float64, 0, b.Samples)
	for drawn := range b.samples(len(sentences)) {
		d := score(sentences, drawn, c) - score(others, drawn, c)
		differences = append(differences, d)
		switch {
		case d > 0:
			result.Better++
		case d < 0:
			result.Worse++
		default:
			result.Equal++
		}
	}
	result.Interval = b.interval(differences)
	return result, nil
}

// prepare fills in the defaults.
func (b Bootstrap) prepare(options []BLEUOption) (Bootstrap, scoring, error) {
	c, err := newScoring(false, options)
	if err != nil {
		return b, c, err
	}
	if b.Samples == 0 {
		b.Samples = 1000
	}
	if b.Confidence == 0 {
		b.Confidence = 0.95
	}
	if b.Samples < 0 {
		return b, c, fmt.Errorf("metrics: %d bootstrap samples: at least 1, or 0 for 1,000", b.Samples)
	}
	return b, c, validConfidence(b.Confidence)
}

// samples draws the positions of each sample's sentences; the slice is reused.
func (b Bootstrap) samples(sentences int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		random := rand.New(rand.NewPCG(b.Seed, 0))
		drawn := make([]int, sentences)
		for range b.Samples {
			for i := range drawn {
				drawn[i] = random.IntN(sentences)
			}
			if !yield(drawn) {
				return
			}
		}
	}
}

func score(sentences []statistics, positions []int, c scoring) float64 {
	var total statistics
	for _, i := range positions {
		total.add(sentences[i])
	}
	return total.bleu(c).Score
}

// interval is the middle part of the values.
func (b Bootstrap) interval(values []float64) Interval {
	slices.Sort(values)
	tail := (1 - b.Confidence) / 2
	return Interval{stat.Quantile(tail, stat.Empirical, values, nil), stat.Quantile(1-tail, stat.Empirical, values, nil), b.Confidence}
}
