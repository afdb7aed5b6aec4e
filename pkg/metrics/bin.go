package metrics

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bin is a range of sentence lengths, both ends included, in words without BOS or EOS.
type Bin struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

// Bins cuts the lengths from 1 to longest into bins of width words: Bins(10, 60) is 1-10, 11-20, … 51-60. The last bin is
// narrower where width does not divide longest.
func Bins(width, longest int) ([]Bin, error) {
	if width < 1 || longest < 1 {
		return nil, fmt.Errorf("metrics: bins of width %d up to length %d: both must be at least 1", width, longest)
	}
	var bins []Bin
	for low := 1; low <= longest; low += width {
		bins = append(bins, Bin{low, min(low+width-1, longest)})
	}
	return bins, nil
}

// Contains tells whether a sentence of length words belongs to the bin.
func (b Bin) Contains(length int) bool { return b.Low <= length && length <= b.High }

// String is "11-20", or "7" where the bin is one length.
func (b Bin) String() string {
	if b.Low == b.High {
		return strconv.Itoa(b.Low)
	}
	return fmt.Sprintf("%d-%d", b.Low, b.High)
}

// ParseBin reads what [Bin.String] writes.
func ParseBin(s string) (Bin, error) {
	low, high, isRange := strings.Cut(s, "-")
	if !isRange {
		high = low
	}
	l, errLow := strconv.Atoi(strings.TrimSpace(low))
	h, errHigh := strconv.Atoi(strings.TrimSpace(high))
	if err := errors.Join(errLow, errHigh); err != nil {
		return Bin{}, fmt.Errorf("metrics: length bin %q is neither a range such as 11-20 nor one length", s)
	}
	b := Bin{l, h}
	return b, b.valid()
}

// ParseBins reads bins with commas between them: "1-10,11-20,21-40". They must not overlap.
func ParseBins(s string) ([]Bin, error) {
	var bins []Bin
	for _, part := range strings.Split(s, ",") {
		b, err := ParseBin(part)
		if err != nil {
			return nil, err
		}
		bins = append(bins, b)
	}
	return bins, disjoint(bins)
}

func (b Bin) valid() error {
	if b.Low < 0 || b.High < b.Low {
		return fmt.Errorf("metrics: length bin %d-%d: it begins at 0 or above and ends where it begins or later", b.Low, b.High)
	}
	return nil
}

// disjoint reports bins that are invalid, absent or share a length.
func disjoint(bins []Bin) error {
	if len(bins) == 0 {
		return errors.New("metrics: no length bins")
	}
	for i, b := range bins {
		if err := b.valid(); err != nil {
			return err
		}
		for _, other := range bins[:i] {
			if b.Low <= other.High && other.Low <= b.High {
				return fmt.Errorf("metrics: length bins %v and %v overlap: a sentence belongs to one bin", other, b)
			}
		}
	}
	return nil
}

// Lengths counts the tokens of every sentence.
func Lengths(sentences [][]string) []int {
	lengths := make([]int, len(sentences))
	for i, s := range sentences {
		lengths[i] = len(s)
	}
	return lengths
}

// Group sorts sentences into bins by their lengths: groups[k] are the positions of those in bins[k], outside the positions of
// those in none. The order of sentences is kept.
func Group(bins []Bin, lengths []int) (groups [][]int, outside []int, err error) {
	if err := disjoint(bins); err != nil {
		return nil, nil, err
	}
	groups = make([][]int, len(bins))
sentences:
	for i, length := range lengths {
		for k, b := range bins {
			if b.Contains(length) {
				groups[k] = append(groups[k], i)
				continue sentences
			}
		}
		outside = append(outside, i)
	}
	return groups, outside, nil
}

// Pick gives the items at the positions, such as those of a group of [Group].
func Pick[T any](items []T, positions []int) []T {
	picked := make([]T, len(positions))
	for i, p := range positions {
		picked[i] = items[p]
	}
	return picked
}

// BinScore is the corpus BLEU of the sentences of one length bin.
type BinScore struct {
	Bin Bin
	// N is the number of sentences.
	N int
	// BLEU is their score; where N is 0 its Score is NaN, so that it can be taken for no result, and certainly not for 0.
	BLEU BLEU
}

// Empty tells that the bin has no sentence, and so no score.
func (s BinScore) Empty() bool { return s.N == 0 }

// String is the bin with its number of sentences and its score.
func (s BinScore) String() string {
	if s.Empty() {
		return fmt.Sprintf("%v (n = 0) no score", s.Bin)
	}
	return fmt.Sprintf("%v (n = %d) %v", s.Bin, s.N, s.BLEU)
}

// BLEUByLength is the corpus BLEU of each bin, in the order of bins. Sentences are sorted by lengths, which are those of the
// sources in words (see [Lengths]), one for each hypothesis; outside are the positions of the sentences in no bin, which no score
// counts. For the other arguments see [CorpusBLEU].
func BLEUByLength(bins []Bin, lengths []int, hypotheses [][]string, references [][][]string, options ...BLEUOption) (scores []BinScore, outside []int, err error) {
	if err := disjoint(bins); err != nil {
		return nil, nil, err
	}
	s, outside, err := BLEUInAll(bins, lengths, hypotheses, references, options...)
	return s.Bins, outside, err
}

// Scores are the corpus BLEU of a whole text, and that of each length bin.
type Scores struct {
	Total BLEU
	Bins  []BinScore
}

// BLEUInAll is [CorpusBLEU] and [BLEUByLength] in one: sentences in no bin are in the total. Without bins there is the total alone.
func BLEUInAll(bins []Bin, lengths []int, hypotheses [][]string, references [][][]string, options ...BLEUOption) (scores Scores, outside []int, err error) {
	c, err := newScoring(false, options)
	if err != nil {
		return Scores{}, nil, err
	}
	if err := sameLength("lengths", len(lengths), "hypotheses", len(hypotheses)); err != nil {
		return Scores{}, nil, err
	}
	var groups [][]int
	if len(bins) > 0 {
		if groups, outside, err = Group(bins, lengths); err != nil {
			return Scores{}, nil, err
		}
	}
	sentences, err := count(hypotheses, references)
	if err != nil {
		return Scores{}, nil, err
	}
	var all statistics
	for _, s := range sentences {
		all.add(s)
	}
	scores.Total = all.bleu(c)
	for k, group := range groups {
		var total statistics
		for _, i := range group {
			total.add(sentences[i])
		}
		score := BinScore{bins[k], len(group), total.bleu(c)}
		if score.Empty() {
			score.BLEU.Score = math.NaN()
		}
		scores.Bins = append(scores.Bins, score)
	}
	return scores, outside, nil
}
