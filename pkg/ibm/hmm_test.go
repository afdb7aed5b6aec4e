package ibm

import (
	"math"
	"testing"
)

// A text in the same order jumps by 1; one in the opposite order by -1.
func TestHMMJumps(t *testing.T) {
	for want, text := range map[int][]string{
		1:  {"a b c ||| x y z", "b c a ||| y z x", "c b a d ||| z y x w", "d a ||| w x"},
		-1: {"a b c ||| z y x", "b c a ||| x z y", "c b a d ||| w x y z", "d a ||| x w"},
	} {
		m := newModel1(t, pairs(text...), Options{})
		m.Train(5)
		h := newHMM(t, m, 0.1)
		h.Train(10)
		best, sum := 0, 0.0
		for d := -3; d <= 4; d++ {
			p, ok := h.JumpProbability(d)
			if !ok {
				t.Fatalf("no jump of %d", d)
			}
			if b, _ := h.JumpProbability(best); p > b && d != 0 && (d < 2 || want != -1) { // the first word's jump is one to the end
				best = d
			}
			sum += p
		}
		if best != want || !near(sum, 1, 1e-9) {
			t.Errorf("the most probable jump is %d, want %d; all sum to %g", best, want, sum)
		}
		for _, d := range []int{-4, 5} {
			if p, ok := h.JumpProbability(d); ok || !math.IsNaN(p) {
				t.Errorf("a jump of %d has %g", d, p)
			}
		}
	}
}

// Sentences so long that unscaled probabilities would underflow.
func TestHMMLong(t *testing.T) {
	text := randomText(2, 3, 4, 9)
	long := text[0]
	for len(long.Target) < 400 {
		long.Source = append(long.Source, text[1].Source...)
		long.Target = append(long.Target, text[1].Target...)
	}
	text = append(text, long)
	for name, m := range priors(t, text, Options{}) {
		if l := m.LogLikelihood(); math.IsNaN(l) || math.IsInf(l, 0) {
			t.Errorf("%s: log-likelihood %g", name, l)
		}
		if _, err := m.Align(long); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
