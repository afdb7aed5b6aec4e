package metrics

import "fmt"

// Survival says how well the beginnings of translations survive: a sentence survives where its first K words are all right. The
// shorter memory a model has, the sooner it loses the first words of long sentences.
//
// Word i is right where the hypothesis has the reference's word at the same place. The end of a sentence counts as a word, so
// that a reference shorter than K is right only in a hypothesis that ends with it; what comes after the end is not judged.
type Survival struct {
	Bin Bin
	// K is the number of words.
	K int
	// Sentences are those whose first K words are all right, of those in the bin.
	Sentences Proportion
	// Words are the right ones among the first K of all sentences.
	Words Proportion
}

// Empty tells that the bin has no sentence.
func (s Survival) Empty() bool { return s.Sentences.Empty() }

// FirstWordSurvival tells for each bin, in the order of bins, how many sentences have their first k words right: k is 1 for the
// first word alone. Each hypothesis has one reference; lengths and outside are as in [BLEUByLength].
func FirstWordSurvival(k int, bins []Bin, lengths []int, hypotheses, references [][]string) (survivals []Survival, outside []int, err error) {
	if k < 1 {
		return nil, nil, fmt.Errorf("metrics: survival of the first %d words: at least 1", k)
	}
	if err := sameLength("lengths", len(lengths), "hypotheses", len(hypotheses)); err != nil {
		return nil, nil, err
	}
	if err := sameLength("hypotheses", len(hypotheses), "references", len(references)); err != nil {
		return nil, nil, err
	}
	groups, outside, err := Group(bins, lengths)
	if err != nil {
		return nil, nil, err
	}
	for b, group := range groups {
		s := Survival{Bin: bins[b], K: k}
		for _, i := range group {
			words := wordsRight(hypotheses[i], references[i], k)
			s.Words.Right += words.Right
			s.Words.N += words.N
			s.Sentences.count(words.Right == words.N)
		}
		survivals = append(survivals, s)
	}
	return survivals, outside, nil
}

// wordsRight judges the first k words of a sentence, the end included.
func wordsRight(hypothesis, reference []string, k int) (words Proportion) {
	for i := range min(k, len(reference)+1) {
		words.count(wordRight(hypothesis, reference, i))
	}
	return words
}

// wordRight tells whether the hypothesis has the reference's word at place i, 0-based, where both sentences end in one more word,
// EOS; i is at most the reference's length.
func wordRight(hypothesis, reference []string, i int) bool {
	if i == len(reference) {
		return len(hypothesis) == len(reference)
	}
	return i < len(hypothesis) && hypothesis[i] == reference[i]
}
