package ibm

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
)

func links(t testing.TB, text string) []corpus.Link {
	t.Helper()
	l, err := corpus.ParsePharaoh(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestSymmetrize(t *testing.T) {
	for _, c := range []struct {
		name, forward, backward string
		want                    map[Heuristic]string
	}{
		{"the same", "0-0 1-1", "0-0 1-1", map[Heuristic]string{Intersection: "0-0 1-1", Union: "0-0 1-1", GrowDiag: "0-0 1-1", GrowDiagFinalAnd: "0-0 1-1"}},
		{"nothing in common", "0-0", "1-1", map[Heuristic]string{Intersection: "", Union: "0-0 1-1", GrowDiag: "", GrowDiagFinalAnd: "0-0 1-1"}},
		// 1-1 touches 0-0 at a corner. 3-3 touches nothing, and both its words are free. 0-3 touches nothing, and 0 is not free.
		{"corner and far", "0-0 1-1 0-3", "0-0 3-3", map[Heuristic]string{Intersection: "0-0", Union: "0-0 1-1 0-3 3-3", GrowDiag: "0-0 1-1",
			GrowDiagFinalAnd: "0-0 1-1 3-3"}},
		// 0-1 has a free target word; 1-0 then a free source word; 1-1 has no free word left when its turn comes.
		{"no free word left", "0-0 0-1", "0-0 1-0 1-1", map[Heuristic]string{Intersection: "0-0", Union: "0-0 1-0 0-1 1-1", GrowDiag: "0-0 1-0 0-1",
			GrowDiagFinalAnd: "0-0 1-0 0-1"}},
		{"a chain grows in rounds", "0-0 1-1 2-2", "0-0 3-3", map[Heuristic]string{Intersection: "0-0", Union: "0-0 1-1 2-2 3-3", GrowDiag: "0-0 1-1 2-2 3-3",
			GrowDiagFinalAnd: "0-0 1-1 2-2 3-3"}},
		// The forward alignment comes first: 2-2 takes both words from 2-3 and 3-2.
		{"final, forward first", "0-0 2-2", "0-0 2-3 3-2", map[Heuristic]string{Intersection: "0-0", Union: "0-0 2-2 3-2 2-3", GrowDiag: "0-0", GrowDiagFinalAnd: "0-0 2-2"}},
		{"marks are not looked at", "0?0", "0-0", map[Heuristic]string{Intersection: "0-0", Union: "0-0", GrowDiag: "0-0", GrowDiagFinalAnd: "0-0"}},
		{"empty", "", "", map[Heuristic]string{Intersection: "", Union: "", GrowDiag: "", GrowDiagFinalAnd: ""}},
	} {
		for h, want := range c.want {
			got, err := Symmetrize(h, links(t, c.forward), links(t, c.backward))
			if err != nil || corpus.FormatPharaoh(got) != want || got == nil {
				t.Errorf("%s, %s: %s, %v, want %s", c.name, h, corpus.FormatPharaoh(got), err, want)
			}
		}
	}
	if _, err := Symmetrize("grow", nil, nil); err == nil || !strings.Contains(err.Error(), `no heuristic "grow"`) {
		t.Errorf("unknown heuristic: %v", err)
	}
	if _, err := SymmetrizeAll(Union, make([][]corpus.Link, 2), make([][]corpus.Link, 1)); err == nil || !strings.Contains(err.Error(), "2 alignments forward and 1") {
		t.Errorf("unequal: %v", err)
	}
}

// Links of both directions are from source to target, and each direction has one at most for each word that it explains.
func TestDirections(t *testing.T) {
	text := pairs("the house ||| das Haus", "the book ||| das Buch", "a book ||| ein Buch", "the red house ||| das Haus")
	forward, backward := bothWays(t, text)
	for n, p := range text {
		sources, targets := map[int]bool{}, map[int]bool{}
		for _, l := range forward[n] {
			if err := l.Within(p); err != nil || targets[l.Target] {
				t.Errorf("forward, pair %d: %v, %v", n, forward[n], err)
			}
			targets[l.Target] = true
		}
		for _, l := range backward[n] {
			if err := l.Within(p); err != nil || sources[l.Source] {
				t.Errorf("backward, pair %d: %v, %v", n, backward[n], err)
			}
			sources[l.Source] = true
		}
	}
	if got := corpus.FormatPharaoh(backward[1]); got != "0-0 1-1" {
		t.Errorf("the book, das Buch: %s", got)
	}
	m := newModel1(t, text, Options{})
	if _, _, err := (Directions{m, m}).AlignAll(pairs("a |||")); err == nil || !strings.Contains(err.Error(), "pair 0") {
		t.Errorf("an empty side: %v", err)
	}
}

// intersection ⊆ grow-diag ⊆ grow-diag-final-and ⊆ union; the order of the links changes nothing.
func TestSymmetrizeProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() (all []corpus.Link) {
		for j := range 6 {
			if r.IntN(4) > 0 {
				all = append(all, corpus.Link{Source: r.IntN(6), Target: j})
			}
		}
		return all
	}
	for range 200 {
		forward, backward := random(), corpus.ReverseLinks(random())
		var last []corpus.Link
		for _, h := range []Heuristic{Intersection, GrowDiag, GrowDiagFinalAnd, Union} {
			got, err := Symmetrize(h, forward, backward)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range last {
				if !slices.Contains(got, l) {
					t.Errorf("%s lacks %v of the one before: %v, %v", h, l, forward, backward)
				}
			}
			last = got
			turned := slices.Clone(forward)
			slices.Reverse(turned)
			if again, _ := Symmetrize(h, turned, backward); !slices.Equal(again, got) {
				t.Errorf("%s: %v and, in another order, %v", h, got, again)
			}
		}
	}
}
