package grammar

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
)

// TestLinks: every word has a link, save the article that English does without ("birds sing"); links are in order, inside the
// sentence and none is there twice.
func TestLinks(t *testing.T) {
	g := newGenerator(8, 0)
	free := 0
	for i := range 20000 {
		s, _ := g.next(train, 3+i%50, nil)
		source, target := make([]bool, len(s.Source)), make([]bool, len(s.Target))
		for j, l := range s.Links {
			if l.Source < 0 || l.Source >= len(source) || l.Target < 0 || l.Target >= len(target) {
				t.Fatalf("link %+v lies outside %q", l, s.Source)
			}
			source[l.Source], target[l.Target] = true, true
			if j > 0 {
				before := s.Links[j-1]
				if before.Source > l.Source || before.Source == l.Source && before.Target >= l.Target {
					t.Fatalf("links %+v, %+v of %q are not in order", before, l, s.Source)
				}
			}
		}
		if j := slices.Index(source, false); j >= 0 {
			t.Errorf("%q of %q has no link", s.Source[j], joined(s.Source))
		}
		for j, linked := range target {
			if !linked {
				free++
				if s.Target[j] != "les" {
					t.Errorf("%q of %q has no link", s.Target[j], joined(s.Target))
				}
			}
		}
	}
	if free == 0 {
		t.Error("no generic article was seen")
	}
}

// TestContentWordsAreSure: nouns, names, adjectives and numbers have a sure link, and to a word that the lexicon gives for them.
func TestContentWordsAreSure(t *testing.T) {
	french := map[string][]string{}
	add := func(english string, forms ...string) { french[english] = append(french[english], forms...) }
	for _, n := range append(slices.Clone(nouns), topics...) {
		add(n.english, n.french)
		if n.englishPlural != "" {
			add(n.englishPlural, n.frenchPlural)
		}
	}
	for _, list := range [][]name{people, cities, days, years, numerals} {
		for _, n := range list {
			add(n.english, n.french)
		}
	}
	for _, a := range adjectives {
		add(a.english, a.french[:]...)
	}
	add("beautiful", "bel")
	add("old", "vieil")
	add("new", "nouvel")
	delete(french, "love") // a verb too
	g := newGenerator(9, 0)
	for i := range 5000 {
		s, _ := g.next(train, 3+i%40, nil)
		for j, w := range s.Source {
			if french[w] == nil {
				continue
			}
			right := slices.ContainsFunc(s.Links, func(l corpus.Link) bool {
				return l.Source == j && !l.Possible && slices.Contains(french[w], s.Target[l.Target])
			})
			if !right {
				t.Errorf("%q has no sure link to one of %q in\n%q\n%q", w, french[w], joined(s.Source), joined(s.Target))
			}
		}
	}
}

func TestLinkConventions(t *testing.T) {
	p := NewParser()
	for _, test := range []struct{ source, sure, possible string }{
		{"mary does not sleep .", "mary-marie sleep-dort not-pas .-.", "does-dort not-ne"},
		{"he speaks to the children of the village .", "he-il speaks-parle to-aux the-aux children-enfants of-du the-du village-village .-.", ""},
		{"mary 's car is red .", "mary-marie 's-de car-voiture is-est red-rouge .-.", "'s-la"},
		{"the european economic area is useful .", "the-la european-européenne economic-économique area-zone is-est useful-utile .-.", ""},
		{"does she sing ?", "she-elle sing-chante ?-?", "does-est does--ce does-qu' does-chante"},
		{"the ministers sign a peace treaty .", "the-les ministers-ministres sign-signent a-un peace-paix treaty-traité .-.", "peace-de"},
		{"he ate the apple .", "he-il ate-mangé the-la apple-pomme .-.", "ate-a"},
		{"birds sleep .", "birds-oiseaux sleep-dorment .-.", ""},
		{"they are going to leave .", "they-ils are-vont going-vont leave-partir .-.", "to-partir"},
	} {
		s, err := p.Parse(strings.Fields(test.source))
		if err != nil {
			t.Error(err)
			continue
		}
		got := map[bool][]string{}
		for _, l := range s.Links {
			got[l.Possible] = append(got[l.Possible], s.Source[l.Source]+"-"+s.Target[l.Target])
		}
		for possible, want := range map[bool]string{false: test.sure, true: test.possible} {
			have, want := got[possible], strings.Fields(want)
			slices.Sort(have)
			slices.Sort(want)
			if !slices.Equal(have, want) {
				t.Errorf("%q: links with possible=%v are %q, want %q", test.source, possible, have, want)
			}
		}
	}
}

func TestMeet(t *testing.T) {
	a := anchor{node: 1, slot: 3}
	maybe := a
	maybe.possible = true
	other := anchor{node: 1, slot: 4}
	for _, test := range []struct {
		s, t             [2]anchor
		linked, possible bool
	}{
		{[2]anchor{a}, [2]anchor{a}, true, false},
		{[2]anchor{a}, [2]anchor{maybe}, true, true},
		{[2]anchor{a}, [2]anchor{other}, false, true},
		{[2]anchor{a}, [2]anchor{}, false, true},
		{[2]anchor{maybe, other}, [2]anchor{a, other}, true, false},
	} {
		linked, possible := meet(&token{anchors: test.s}, &token{anchors: test.t})
		if linked != test.linked || possible != test.possible {
			t.Errorf("%v and %v: %v, %v; want %v, %v", test.s, test.t, linked, possible, test.linked, test.possible)
		}
	}
}

// TestTokens: tokens are what the tokeniser makes of the sentence, so that the grammar's words and a text's are the same.
func TestTokens(t *testing.T) {
	g := newGenerator(10, 0)
	for i := range 5000 {
		s, _ := g.next(train, 3+i%50, nil)
		for language, tokens := range map[string][]string{"en": s.Source, "fr": s.Target} {
			tokenizer := corpus.Tokenizer{Language: language, Lower: true}
			if got := tokenizer.Tokenize(tokenizer.Detokenize(tokens)); !reflect.DeepEqual(got, tokens) {
				t.Fatalf("%q comes back as %q", tokens, got)
			}
		}
	}
}
