package ibm

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
)

// consistent is the definition.
func consistent(ph PhrasePair, links []corpus.Link) bool {
	inside := false
	for _, l := range links {
		s := l.Source >= ph.Source.From && l.Source < ph.Source.To
		t := l.Target >= ph.Target.From && l.Target < ph.Target.To
		if s != t {
			return false
		}
		inside = inside || s
	}
	return inside
}

func TestPhrasePairs(t *testing.T) {
	p := pair("european economic area ||| zone économique européenne")
	got, err := PhrasePairs(p, links(t, "2-0 1-1 0-2"), 2)
	want := []PhrasePair{{Span{0, 1}, Span{2, 3}}, {Span{0, 2}, Span{1, 3}}, {Span{1, 2}, Span{1, 2}}, {Span{1, 3}, Span{0, 2}}, {Span{2, 3}, Span{0, 1}}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if got, err := PhrasePairs(p, nil, 3); err != nil || len(got) != 0 {
		t.Errorf("without links: %v, %v", got, err)
	}
	if _, err := PhrasePairs(p, links(t, "3-0"), 3); err == nil || !strings.Contains(err.Error(), "source word 3") {
		t.Errorf("a link too far: %v", err)
	}
	if _, err := PhrasePairs(p, nil, 0); err == nil {
		t.Error("no error for phrases of 0 words")
	}
	// All pairs of spans tried, on random links and lengths.
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := corpus.Pair{Source: make([]string, 1+r.IntN(6)), Target: make([]string, 1+r.IntN(6))}
		var links []corpus.Link
		for range r.IntN(8) {
			links = append(links, corpus.Link{Source: r.IntN(len(p.Source)), Target: r.IntN(len(p.Target))})
		}
		longest := 1 + r.IntN(6)
		var want []PhrasePair
		for from := range p.Source {
			for to := from + 1; to <= min(len(p.Source), from+longest); to++ {
				for first := range p.Target {
					for last := first + 1; last <= min(len(p.Target), first+longest); last++ {
						if ph := (PhrasePair{Span{from, to}, Span{first, last}}); consistent(ph, links) {
							want = append(want, ph)
						}
					}
				}
			}
		}
		got, err := PhrasePairs(p, links, longest)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d and %d words, %v, at most %d: %v, %v, want %v", len(p.Source), len(p.Target), links, longest, got, err, want)
		}
	}
}

func TestPhraseTable(t *testing.T) {
	text := pairs("a b ||| x y", "a ||| x", "a ||| z", "c ||| x")
	alignments := [][]corpus.Link{links(t, "0-0 1-1"), links(t, "0-0"), links(t, "0-0"), links(t, "0-0")}
	table, err := NewPhraseTable(text, alignments, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	// a translates to x twice and to z once; x comes from a twice and from c once.
	want := []PhraseTranslation{{[]string{"x"}, 2.0 / 3, 2.0 / 3, 2}, {[]string{"z"}, 1.0 / 3, 1, 1}}
	if got := table.Translations([]string{"a"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := table.Translations([]string{"a", "b"}); len(got) != 1 || strings.Join(got[0].Target, " ") != "x y" || table.Translations([]string{"d"}) != nil {
		t.Errorf("%v", got)
	}
	if table.Len() != 5 {
		t.Errorf("%d phrase pairs, want 5", table.Len())
	}
	if best, err := NewPhraseTable(text, alignments, 2, 1); err != nil || best.Len() != 4 || !reflect.DeepEqual(best.Translations([]string{"a"}), want[:1]) {
		t.Errorf("the best one: %v, %v", best, err)
	}
	for _, c := range []struct {
		name          string
		text          []corpus.Pair
		alignments    [][]corpus.Link
		longest, best int
		part          string
	}{
		{"unequal", text, alignments[:3], 2, 0, "4 sentence pairs with 3 alignments"},
		{"a link too far", text[:2], [][]corpus.Link{nil, links(t, "1-0")}, 2, 0, "pair 1: ibm: link from source word 1"},
		{"a space", []corpus.Pair{{Source: []string{"a b"}, Target: []string{"c"}}}, alignments[1:2], 2, 0, "pair 0: token"},
		{"length", text, alignments, 0, 0, "0"},
		{"best", text, alignments, 2, -1, "-1"},
	} {
		if _, err := NewPhraseTable(c.text, c.alignments, c.longest, c.best); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.part)
		}
	}
}
