package ibm

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

// Four sentences of two words, every combination: the right word's probability p becomes 2p/(1+p), so that what it lacks of 1 is 1/2, 1/3, 1/5, 1/9.
func TestFractionsByHand(t *testing.T) {
	text := pairs("das Haus ||| the house", "das Buch ||| the book", "ein Haus ||| a house", "ein Buch ||| a book")
	p, err := NewFractions(text, Options{NoNull: true})
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]string{"das": "the", "ein": "a", "Haus": "house", "Buch": "book"}
	for n, want := range []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(2, 3), big.NewRat(4, 5), big.NewRat(8, 9)} {
		for x, y := range right {
			if got := p.Probability(y, x); got.Cmp(want) != 0 {
				t.Errorf("iteration %d: t(%s|%s) = %v, want %v", n, y, x, got, want)
			}
		}
		if got := p.Probability("a", "das"); got.Sign() != 0 {
			t.Errorf("t(a|das) = %v", got)
		}
		p = p.Expect(text).Maximize()
	}
	// 1/4, 1/3 and 1/3 with NULL: each takes a third of every word.
	if p, err = NewFractions(text, Options{}); err != nil {
		t.Fatal(err)
	}
	for j, got := range p.Posterior(text[0], 1) {
		if got.Cmp(big.NewRat(1, 3)) != 0 {
			t.Errorf("before, house looks at place %d with %v", j, got)
		}
	}
}

// The model that learns in floating point learns the same, words that repeat included.
func TestFractionsEqualModel1(t *testing.T) {
	for seed := range uint64(4) {
		text := randomText(seed, 5, 3, 3)
		for _, o := range []Options{{}, {NoNull: true}} {
			exact, err := NewFractions(text, o)
			if err != nil {
				t.Fatal(err)
			}
			m := newModel1(t, text, o)
			for n := range 4 {
				compared := 0
				for x, row := range exact {
					for y, p := range row {
						want, _ := p.Float64()
						if got := m.Probability(y, x); math.Abs(got-want) > 1e-12 {
							t.Errorf("seed %d, %+v, iteration %d: t(%s|%s) = %g, want %v", seed, o, n, y, x, got, p)
						}
						compared++
					}
				}
				if compared < 6 {
					t.Fatalf("only %d probabilities", compared)
				}
				for i := range text[0].Target {
					posteriors, err := m.Posteriors(text[0])
					if err != nil {
						t.Fatal(err)
					}
					for j, p := range exact.Posterior(text[0], i) {
						want, _ := p.Float64()
						columns := len(posteriors[i]) // NULL is the first of the fractions and the last of the model
						if got := posteriors[i][(j+columns-m.text.nulls)%columns]; math.Abs(got-want) > 1e-12 {
							t.Errorf("seed %d, %+v, iteration %d: word %d looks at %d with %g, want %v", seed, o, n, i, j, got, p)
						}
					}
				}
				exact = exact.Expect(text).Maximize()
				m.Train(1)
			}
		}
	}
}

func TestFractionsErrors(t *testing.T) {
	if _, err := NewFractions(pairs("a ||| b", "||| b"), Options{}); err == nil || !strings.Contains(err.Error(), "pair 1 has 0 source") {
		t.Errorf("%v", err)
	}
}
