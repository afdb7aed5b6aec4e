package ibm

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func newLanguageModel(t testing.TB, order int, sentences ...string) *LanguageModel {
	t.Helper()
	var all [][]string
	for _, s := range sentences {
		all = append(all, strings.Fields(s))
	}
	m, err := NewLanguageModel(order, slices.Values(all))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Witten and Bell's formula by hand, on "a b" and "a".
func TestLanguageModelByHand(t *testing.T) {
	m := newLanguageModel(t, 2, "a b", "a")
	// Words a, b, the end and the unknown one: 1/4 each. Unigrams: a 2, b 1, end 2; c() = 5, n() = 3.
	a, b, end := (2+3.0/4)/8, (1+3.0/4)/8, (2+3.0/4)/8
	// After the beginning: a 2; c = 2, n = 1. After a: b 1, end 1; c = 2, n = 2. After b: end 1.
	for _, c := range []struct {
		sentence string
		want     float64
	}{
		{"a b", (2 + a) / 3 * (1 + 2*b) / 4 * (1 + end) / 2},
		{"a", (2 + a) / 3 * (1 + 2*end) / 4},
		{"", end / 3},
		{"c", 3.0 / 4 / 8 / 3 * end}, // nothing is known after an unknown word
	} {
		if got := m.Sentence(strings.Fields(c.sentence)); !near(got, math.Log(c.want), 1e-12) {
			t.Errorf("%q: %g, want %g", c.sentence, got, math.Log(c.want))
		}
	}
}

// After any history the probabilities of all words, the end and the unknown word sum to 1.
func TestLanguageModelSums(t *testing.T) {
	for order := 1; order <= 4; order++ {
		m := newLanguageModel(t, order, "a b c a b", "b a c c", "", "d a b c")
		for _, before := range []string{"", "a", "a b", "b a c c", "zz", "a zz", "d d d d"} {
			history := m.Begin()
			for _, w := range strings.Fields(before) {
				_, history = m.Next(history, w)
			}
			if n := strings.Count(history, " "); n > order-1 {
				t.Errorf("order %d: a history of %d", order, n)
			}
			sum := math.Exp(m.End(history))
			for _, w := range []string{"a", "b", "c", "d", "unseen"} {
				p, _ := m.Next(history, w)
				sum += math.Exp(p)
			}
			if !near(sum, 1, 1e-12) {
				t.Errorf("order %d, after %q: %g", order, before, sum)
			}
		}
	}
}

func TestLanguageModelErrors(t *testing.T) {
	for _, c := range []struct {
		order     int
		sentences [][]string
		part      string
	}{{0, [][]string{{"a"}}, "order 0"}, {2, nil, "no sentence"}, {2, [][]string{{"a"}, {"b c"}}, "sentence 1"}, {2, [][]string{{""}}, "sentence 0"}} {
		if _, err := NewLanguageModel(c.order, slices.Values(c.sentences)); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%v: %v, want an error with %q", c.sentences, err, c.part)
		}
	}
}
