package ibm

import (
	"fmt"
	"math"
	"strings"
)

// LanguageModel gives the probability of a word after those before it. Sentences begin and end with a mark of their own, which no token can be.
//
// It is interpolated as Witten and Bell do it (Chen and Goodman 1999, section 2.5): with c(h) the number of words seen after the history h and n(h) that of
// different ones,
//
//	p(w|h) = (c(h,w) + n(h) p(w|h')) / (c(h) + n(h))
//
// where h' is h without its first word. Below the shortest history every word of the text, the end, and one for all words that are not in it
// have the same probability.
//
// A history is its words, each with a space behind it.
type LanguageModel struct {
	order   int
	counts  map[string]float64 // c(h,w), by h and w
	totals  map[string]float64 // c(h)
	kinds   map[string]float64 // n(h)
	words   map[string]bool
	uniform float64
}

// The marks have a line end in them, which no token has.
const (
	sentenceBegin = "\nbegin"
	sentenceEnd   = "\nend"
	unknownWord   = "\nunknown"
)

// NewLanguageModel counts the n-grams, of order words and less, of sentences: the Target of pairs, by [corpus.Targets]. An empty
// sentence counts as one.
func NewLanguageModel(order int, sentences func(yield func([]string) bool)) (*LanguageModel, error) {
	if order < 1 {
		return nil, fmt.Errorf("ibm: a language model of order %d: give 1 or more", order)
	}
	m := &LanguageModel{order: order, counts: map[string]float64{}, totals: map[string]float64{}, kinds: map[string]float64{}, words: map[string]bool{}}
	n := 0
	for s := range sentences {
		history := m.Begin()
		for i := range len(s) + 1 {
			w := sentenceEnd
			if i < len(s) {
				if w = s[i]; w == "" || strings.ContainsAny(w, " \n") {
					return nil, fmt.Errorf("ibm: sentence %d: token %q is empty or has a space or a line end in it", n, w)
				}
				m.words[w] = true
			}
			for h := history; ; h = shorter(h) {
				if m.counts[h+w] == 0 {
					m.kinds[h]++
				}
				m.counts[h+w]++
				m.totals[h]++
				if h == "" {
					break
				}
			}
			history = m.extend(history, w)
		}
		n++
	}
	if n == 0 {
		return nil, fmt.Errorf("ibm: no sentence to learn a language model from")
	}
	m.uniform = 1 / float64(len(m.words)+2)
	return m, nil
}

// shorter is a history without its first word.
func shorter(history string) string {
	_, rest, _ := strings.Cut(history, " ")
	return rest
}

// Begin is the history of a sentence's first word.
func (m *LanguageModel) Begin() string { return m.extend("", sentenceBegin) }

// extend is the history after one more word: the last order-1.
func (m *LanguageModel) extend(history, word string) string {
	history += word + " "
	for strings.Count(history, " ") >= m.order {
		history = shorter(history)
	}
	return history
}

// Next is the log-probability of a word after a history, in nats, and the history after that. Words that the text lacks share one probability.
func (m *LanguageModel) Next(history, word string) (logProbability float64, next string) {
	if !m.words[word] {
		word = unknownWord
	}
	return m.log(history, word), m.extend(history, word)
}

// End is the log-probability that the sentence ends after a history, in nats.
func (m *LanguageModel) End(history string) float64 { return m.log(history, sentenceEnd) }

func (m *LanguageModel) log(history, word string) float64 {
	return math.Log(m.probability(history, word))
}

func (m *LanguageModel) probability(history, word string) float64 {
	p := m.uniform
	if history != "" {
		p = m.probability(shorter(history), word)
	}
	total := m.totals[history]
	if total == 0 {
		return p
	}
	kinds := m.kinds[history]
	return (m.counts[history+word] + kinds*p) / (total + kinds)
}

// Sentence is the log-probability of a whole sentence and its end, in nats.
func (m *LanguageModel) Sentence(words []string) (logProbability float64) {
	history := m.Begin()
	for _, w := range words {
		var p float64
		p, history = m.Next(history, w)
		logProbability += p
	}
	return logProbability + m.End(history)
}
