package seq2seq

import (
	"cmp"
	"math"
	"slices"
)

// ranking says what a translation's Score is.
type ranking struct {
	Alpha    float64 // exponent of the length penalty
	GNMT     bool    // it is that of Wu et al. (2016)
	Coverage float64 // β, the weight of the coverage penalty
}

// LengthPenalty sets α in a translation's Score, LogProb / length^α, where the length counts EOS. It is 1 by default, the mean
// log-probability of a token; 0 ranks by probability, which favours short translations.
func LengthPenalty(alpha float64) DecodeOption {
	return func(o *decodeOptions) { o.ranking.Alpha, o.ranking.GNMT = alpha, false }
}

// GNMTLengthPenalty takes the length penalty of Wu et al. (2016, equation 14) instead: LogProb / ((5+length)/(5+1))^α, where the length
// counts EOS.
func GNMTLengthPenalty(alpha float64) DecodeOption {
	return func(o *decodeOptions) { o.ranking.Alpha, o.ranking.GNMT = alpha, true }
}

// CoveragePenalty adds to a translation's Score that of Wu et al. (2016, equation 14), β Σ_j log min(Σ_i α_ij, 1) over the words of the
// source, not its EOS: below 0 where a word got less than 1 from all target words. A word that got nothing, as a window can have it, counts
// as one that got a millionth. On a model without attention it is an error.
func CoveragePenalty(beta float64) DecodeOption {
	return func(o *decodeOptions) { o.ranking.Coverage = beta }
}

// score is that of what was written for a source of so many words.
func (r ranking) score(w written, words int) float64 {
	if len(w.ids) == 0 {
		return 0
	}
	s := w.logProb / r.lengthPenalty(len(w.ids))
	if r.Coverage != 0 {
		s += r.Coverage * coverage(w.attention, words)
	}
	return s
}

// lengthPenalty is what the log-probability of so many tokens, EOS included, is divided by.
func (r ranking) lengthPenalty(length int) float64 {
	if r.GNMT {
		return math.Pow(float64(5+length)/(5+1), r.Alpha)
	}
	return math.Pow(float64(length), r.Alpha)
}

// coverage is Σ_j log min(Σ_i α_ij, 1) over the first words positions: the encoder reads EOS and padding after them.
func coverage(attention [][]float32, words int) (sum float64) {
	const least = 1e-6
	if len(attention) == 0 {
		return 0
	}
	for j := range words {
		got := 0.0
		for _, row := range attention {
			got += float64(row[j])
		}
		sum += math.Log(min(max(got, least), 1))
	}
	return sum
}

// sort puts what was written for a source of so many words in order, best first; among equals, what was found first.
func (r ranking) sort(list []written, words int) {
	slices.SortStableFunc(list, func(a, b written) int { return cmp.Compare(r.score(b, words), r.score(a, words)) })
}
