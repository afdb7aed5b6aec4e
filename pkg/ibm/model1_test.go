package ibm

import (
	"math"
	"testing"
)

// The textbooks' example with NULL, two iterations derived by hand. In the first every word of a pair gets a third of each target word. Then, with
// t(das|NULL) = 1/3, t(Haus|NULL) = 1/6, t(Buch|NULL) = 1/3, t(ein|NULL) = 1/6 and the others 1/4 or 1/2, the posteriors are
//
//	the house / das Haus: das: the 3/8, house 3/8, NULL 1/4     Haus: the 3/11, house 6/11, NULL 2/11
//	the book / das Buch:  das: the 6/13, book 3/13, NULL 4/13   Buch: the 3/13, book 6/13, NULL 4/13
//	a book / ein Buch:    ein: a 6/11, book 3/11, NULL 2/11     Buch: a 3/8, book 3/8, NULL 1/4
func TestModel1ByHand(t *testing.T) {
	m := newModel1(t, pairs("the house ||| das Haus", "the book ||| das Buch", "a book ||| ein Buch"), Options{})
	check := func(iteration int, want map[[2]string]float64) {
		t.Helper()
		for words, p := range want {
			if got := m.Probability(words[0], words[1]); math.Abs(got-p) > 1e-12 {
				t.Errorf("iteration %d: t(%s|%s) = %.9f, want %.9f", iteration, words[0], words[1], got, p)
			}
		}
	}
	if got, want := m.LogLikelihood(), 6*math.Log(0.25); !near(got, want, 1e-12) {
		t.Errorf("log-likelihood before: %g, want %g", got, want)
	}
	m.Train(1)
	check(1, map[[2]string]float64{
		{"das", "the"}: 0.5, {"Haus", "the"}: 0.25, {"Buch", "the"}: 0.25, {"das", "house"}: 0.5, {"Haus", "house"}: 0.5,
		{"das", "book"}: 0.25, {"Buch", "book"}: 0.5, {"ein", "book"}: 0.25, {"ein", "a"}: 0.5, {"Buch", "a"}: 0.5,
		{"das", Null}: 1.0 / 3, {"Haus", Null}: 1.0 / 6, {"Buch", Null}: 1.0 / 3, {"ein", Null}: 1.0 / 6, {"ein", "the"}: 0,
	})
	// Each target word: the sum of its three probabilities, over 3.
	want := 2*math.Log(4.0/9) + 2*math.Log(11.0/36) + 2*math.Log(13.0/36)
	if got := m.LogLikelihood(); !near(got, want, 1e-12) {
		t.Errorf("log-likelihood after one iteration: %g, want %g", got, want)
	}
	m.Train(1)
	the := 3.0/8 + 3.0/11 + 6.0/13 + 3.0/13
	book := 3.0/13 + 6.0/13 + 3.0/11 + 3.0/8
	null := 1.0/4 + 2.0/11 + 4.0/13 + 4.0/13 + 2.0/11 + 1.0/4
	check(2, map[[2]string]float64{
		{"das", "the"}: (3.0/8 + 6.0/13) / the, {"Haus", "the"}: 3.0 / 11 / the, {"Buch", "the"}: 3.0 / 13 / the,
		{"das", "house"}: 3.0 / 8 / (3.0/8 + 6.0/11), {"Haus", "house"}: 6.0 / 11 / (3.0/8 + 6.0/11),
		{"das", "book"}: 3.0 / 13 / book, {"Buch", "book"}: (6.0/13 + 3.0/8) / book, {"ein", "book"}: 3.0 / 11 / book,
		{"das", Null}: (1.0/4 + 4.0/13) / null, {"Haus", Null}: 2.0 / 11 / null, {"Buch", Null}: (4.0/13 + 1.0/4) / null,
	})
}

// A word that stands twice on a side counts twice.
func TestModel1Repeats(t *testing.T) {
	m := newModel1(t, pairs("a a ||| x x y", "a ||| x"), Options{NoNull: true})
	m.Train(1)
	if got := m.Probability("x", "a"); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("t(x|a) = %g, want 3/4", got)
	}
}
