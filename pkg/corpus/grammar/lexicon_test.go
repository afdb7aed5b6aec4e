package grammar

import (
	"slices"
	"testing"
)

// TestLexiconIsWhole: the tables that name words of other tables name words that exist, and can mean something.
func TestLexiconIsWhole(t *testing.T) {
	find := func(english string) *noun {
		if i := slices.IndexFunc(nouns, func(n noun) bool { return n.english == english }); i >= 0 {
			return &nouns[i]
		}
		return nil
	}
	isTopic := func(english string) bool {
		return slices.ContainsFunc(topics, func(n noun) bool { return n.english == english })
	}
	for name, adjectivesOf := range unfit {
		n := find(name)
		if n == nil {
			t.Errorf("unfit: no noun %q", name)
			continue
		}
		for _, a := range adjectivesOf {
			i := slices.IndexFunc(adjectives, func(x adjective) bool { return x.english == a })
			if i < 0 {
				t.Errorf("unfit[%q]: no adjective %q", name, a)
			} else if !slices.Contains(adjectives[i].attributive, n.class) {
				t.Errorf("unfit[%q]: %q does not suit its class anyway", name, a)
			}
		}
	}
	for name, others := range compounds {
		for _, o := range others {
			if find(name) == nil || !isTopic(o) {
				t.Errorf("compounds: no %q of %q", name, o)
			}
		}
	}
	for name, others := range about {
		for _, o := range others {
			if find(name) == nil || !isTopic(o) && find(o) == nil {
				t.Errorf("about: no %q on %q", name, o)
			}
		}
	}
	for name, others := range of {
		for _, o := range others {
			if find(name) == nil || find(o) == nil {
				t.Errorf("of: no %q of %q", name, o)
			}
		}
	}
	for _, tr := range transitives {
		if verbs[tr.verb].infinitive == "" {
			t.Errorf("transitives: no verb %q", tr.verb)
		}
	}
	seen := map[string]bool{}
	for _, n := range nouns {
		if seen[n.english] {
			t.Errorf("noun %q stands twice", n.english)
		}
		seen[n.english] = true
		if (n.englishPlural == "") != (n.frenchPlural == "") {
			t.Errorf("noun %q has a plural in one language only", n.english)
		}
	}
}

func TestVerbForms(t *testing.T) {
	for name, v := range verbs {
		for i, form := range append(v.english[:], append(v.present[:], v.participle, v.infinitive)...) {
			if form == "" {
				t.Errorf("verb %q lacks form %d", name, i)
			}
		}
		if v.is(passive) && !v.is(agreeing) {
			t.Errorf("verb %q is passive, but its participle does not agree", name)
		}
	}
	sing := regular("sing sings sang", "chant", 0)
	if want := [5]string{"chante", "chante", "chantons", "chantez", "chantent"}; sing.present != want || sing.participle != "chanté" || sing.infinitive != "chanter" {
		t.Errorf("regular: %+v", sing)
	}
	if got, want := inflected("vendu"), []string{"vendu", "vendue", "vendus", "vendues"}; !slices.Equal(got, want) {
		t.Errorf("inflected: %q, want %q", got, want)
	}
}
