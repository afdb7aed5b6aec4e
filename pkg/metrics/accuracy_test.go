package metrics

import (
	"slices"
	"testing"
)

func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		name                   string
		hypotheses, references [][]string
		token, word, exact     Proportion
	}{
		{"perfect", sentences("3 1 2"), sentences("3 1 2"), Proportion{4, 4}, Proportion{3, 3}, Proportion{1, 1}},
		{"one word wrong", sentences("3 2 2"), sentences("3 1 2"), Proportion{3, 4}, Proportion{2, 3}, Proportion{0, 1}},
		{"ends early", sentences("3 1"), sentences("3 1 2"), Proportion{2, 4}, Proportion{2, 3}, Proportion{0, 1}},
		{"ends late", sentences("3 1 2 2 2"), sentences("3 1 2"), Proportion{3, 4}, Proportion{3, 3}, Proportion{0, 1}},
		{"shifted by a word", sentences("1 2 3 4"), sentences("0 1 2 3"), Proportion{1, 5}, Proportion{0, 4}, Proportion{0, 1}},
		{"empty hypothesis", sentences("", "a"), sentences("a b", "a"), Proportion{2, 5}, Proportion{1, 3}, Proportion{1, 2}},
		{"both empty", sentences(""), sentences(""), Proportion{1, 1}, Proportion{0, 0}, Proportion{1, 1}},
	} {
		for what, measure := range map[string]struct {
			of   func(h, r [][]string) (Proportion, error)
			want Proportion
		}{"token": {TokenAccuracy, c.token}, "word": {WordAccuracy, c.word}, "exact": {ExactMatch, c.exact}} {
			if got, err := measure.of(c.hypotheses, c.references); err != nil || got != measure.want {
				t.Errorf("%s, %s: %v, %v, want %v", c.name, what, got, err, measure.want)
			}
			if got, err := measure.of(c.hypotheses, nil); err == nil {
				t.Errorf("%s without references: %v, want an error", what, got)
			}
			if got, err := measure.of(nil, nil); err == nil {
				t.Errorf("%s of nothing: %v, want an error", what, got)
			}
		}
	}
}

func TestPositionAccuracy(t *testing.T) {
	hypotheses, references := sentences("a b", "a", "x b c", ""), sentences("a b", "a b c", "a b", "a")
	want := []Proportion{{2, 4}, {2, 4}, {1, 3}, {0, 1}, {0, 0}}
	got, err := PositionAccuracy(hypotheses, references, 5)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	// All places together are the token accuracy.
	var sum Proportion
	for _, p := range got {
		sum.Right += p.Right
		sum.N += p.N
	}
	if all, err := TokenAccuracy(hypotheses, references); err != nil || all != sum {
		t.Errorf("token accuracy %v, %v, over places %v", all, err, sum)
	}
	if _, err := PositionAccuracy(hypotheses, references, 0); err == nil {
		t.Error("accuracy at no place: want an error")
	}
	if _, err := PositionAccuracy(hypotheses, nil, 1); err == nil {
		t.Error("no references: want an error")
	}
}
