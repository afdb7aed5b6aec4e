package lesson

import (
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/ibm"
)

func TestPosteriorsAndLinks(t *testing.T) {
	pair := corpus.Pair{Source: []string{"the", "house"}, Target: []string{"das", "Haus"}, Links: []corpus.Link{{}, {Source: 1, Target: 1}}}
	other := corpus.Pair{Source: []string{"the", "book"}, Target: []string{"das", "Buch"}}
	for _, o := range []ibm.Options{{}, {NoNull: true}} {
		m, err := ibm.NewModel1([]corpus.Pair{pair, other}, o)
		if err != nil {
			t.Fatal(err)
		}
		m.Train(5)
		posteriors, err := m.Posteriors(pair)
		if err != nil {
			t.Fatal(err)
		}
		h := Posteriors("Model 1", pair, posteriors)
		if last := h.Source[len(h.Source)-1]; (last == "NULL") == o.NoNull || len(pair.Source) != 2 {
			t.Errorf("%+v: the columns are %q", o, h.Source)
		}
		figure, err := h.Figure()
		if err != nil {
			t.Fatal(err)
		}
		if alt := figure.Alt(); !strings.Contains(alt, "posterior probability") || !strings.Contains(alt, "Haus – house") {
			t.Errorf("%+v: %s", o, alt)
		}
	}
	h := Links("found", pair, []corpus.Link{{Source: 1, Target: 0}})
	if !slices.Equal(h.Weights[0], []float64{0, 1}) || !slices.Equal(h.Weights[1], []float64{0, 0}) || len(h.Gold) != 2 {
		t.Errorf("%v, %v", h.Weights, h.Gold)
	}
	if _, err := h.Figure(); err != nil {
		t.Error(err)
	}
}
