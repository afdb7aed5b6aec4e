package metrics

import (
	"fmt"
	"slices"
)

// TokenAccuracy is the share of the references' tokens, EOS included, that the hypotheses have at the same place. A hypothesis
// that misses or adds a word early is wrong from there on; what it says after its reference's end is not judged, but its EOS is
// then wrong. A model is to be decoded freely for this: fed with the reference, its accuracy is another, kinder number.
func TokenAccuracy(hypotheses, references [][]string) (Proportion, error) {
	return accuracy(hypotheses, references, 1)
}

// WordAccuracy is [TokenAccuracy] without EOS.
func WordAccuracy(hypotheses, references [][]string) (Proportion, error) {
	return accuracy(hypotheses, references, 0)
}

// accuracy judges the words of each reference and so many more.
func accuracy(hypotheses, references [][]string, more int) (total Proportion, err error) {
	if err := sameLength("hypotheses", len(hypotheses), "references", len(references)); err != nil {
		return total, err
	}
	for i, reference := range references {
		words := wordsRight(hypotheses[i], reference, len(reference)+more)
		total.Right += words.Right
		total.N += words.N
	}
	return total, nil
}

// PositionAccuracy is the accuracy at each of the first n target places: element i is the share of the references with at least
// i tokens, EOS included, whose token at place i (0-based) the hypothesis has there too. The further right, the fewer references
// there are.
func PositionAccuracy(hypotheses, references [][]string, n int) ([]Proportion, error) {
	if err := sameLength("hypotheses", len(hypotheses), "references", len(references)); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("metrics: accuracy at the first %d places: at least 1", n)
	}
	places := make([]Proportion, n)
	for i, reference := range references {
		for place := range min(n, len(reference)+1) {
			places[place].count(wordRight(hypotheses[i], reference, place))
		}
	}
	return places, nil
}

// ExactMatch is the share of sentences that equal their reference.
func ExactMatch(hypotheses, references [][]string) (total Proportion, err error) {
	if err := sameLength("hypotheses", len(hypotheses), "references", len(references)); err != nil {
		return total, err
	}
	for i, reference := range references {
		total.count(slices.Equal(hypotheses[i], reference))
	}
	return total, nil
}
