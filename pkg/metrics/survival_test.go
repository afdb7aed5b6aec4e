package metrics

import "testing"

func TestFirstWordSurvival(t *testing.T) {
	hypotheses := sentences("le chat dort", "la chat dort", "le chien dort", "", "oui", "oui oui", "non")
	references := sentences("le chat dort", "le chat dort", "le chat court", "le chat dort", "oui", "oui", "oui oui")
	bins, lengths := []Bin{{1, 9}}, []int{3, 3, 3, 3, 1, 1, 2}
	for _, c := range []struct {
		k                int
		sentences, words Proportion
	}{
		{1, Proportion{4, 7}, Proportion{4, 7}},
		// The second place is the end of "oui", where "oui oui" is wrong.
		{2, Proportion{2, 7}, Proportion{2 + 1 + 1 + 0 + 2 + 1 + 0, 14}},
		// Two references have only two places, one word and the end.
		{3, Proportion{2, 7}, Proportion{3 + 2 + 1 + 0 + 2 + 1 + 0, 19}},
		{4, Proportion{2, 7}, Proportion{4 + 3 + 2 + 0 + 2 + 1 + 0, 23}},
		{100, Proportion{2, 7}, Proportion{4 + 3 + 2 + 0 + 2 + 1 + 0, 23}},
	} {
		got, outside, err := FirstWordSurvival(c.k, bins, lengths, hypotheses, references)
		if err != nil || len(outside) > 0 || len(got) != 1 {
			t.Fatal(got, outside, err)
		}
		if want := (Survival{bins[0], c.k, c.sentences, c.words}); got[0] != want {
			t.Errorf("first %d: %+v, want %+v", c.k, got[0], want)
		}
	}
}

// Survival can only fall with k, and equals exact match in the end.
func TestSurvivalFalls(t *testing.T) {
	hypotheses := sentences("a b c d", "a b x d", "x b c", "a b c d e", "a")
	references := sentences("a b c d", "a b c d", "a b c", "a b c d", "a")
	before := len(references)
	for k := 1; k < 8; k++ {
		got, _, err := FirstWordSurvival(k, []Bin{{0, 9}}, Lengths(references), hypotheses, references)
		if err != nil {
			t.Fatal(err)
		}
		if now := got[0].Sentences.Right; now > before {
			t.Errorf("first %d words survive in %d sentences, one word fewer in %d", k, now, before)
		} else {
			before = now
		}
	}
	if exact, err := ExactMatch(hypotheses, references); err != nil || exact.Right != before {
		t.Errorf("%d sentences survive whole, exact match %v, %v", before, exact, err)
	}
}
