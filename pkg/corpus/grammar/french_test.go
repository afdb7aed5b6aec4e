package grammar

import (
	"regexp"
	"strings"
	"testing"
)

func TestSmooth(t *testing.T) {
	for _, test := range []struct {
		words string // "+" marks a plural, "^" an adjective before its noun
		want  string
		holds Set
	}{
		{"le chat", "le chat", 0},
		{"le ami", "l' ami", 1 << Elision},
		{"la histoire", "l' histoire", 1 << Elision},
		{"le héros", "le héros", 0},
		{"le hibou", "le hibou", 0},
		{"de haricots", "de haricots", 0},
		{"que huit hommes", "que huit hommes", 0},
		{"de enfants", "d' enfants", 1 << Elision},
		{"je ne aime pas", "je n' aime pas", 1 << Elision},
		{"je ai", "j' ai", 1 << Elision},
		{"il ne y a pas de oiseau", "il n' y a pas d' oiseau", 1 << Elision},
		{"que il me a vu", "qu' il m' a vu", 1 << Elision},
		{"elle la a vue", "elle l' a vue", 1 << Elision},
		{"si il dort", "s' il dort", 1 << Elision},
		{"si ils dorment", "s' ils dorment", 1 << Elision},
		{"si elle dort", "si elle dort", 0},
		{"si alice dort", "si alice dort", 0},
		{"de le chat", "du chat", 1 << Contraction},
		{"à le chat", "au chat", 1 << Contraction},
		{"de les enfants", "des enfants", 1 << Contraction},
		{"à les héros", "aux héros", 1 << Contraction},
		{"de la reine", "de la reine", 0},
		{"de le homme", "de l' homme", 1 << Elision},
		{"à le hôtel", "à l' hôtel", 1 << Elision},
		{"près de le ami de les amis", "près de l' ami des amis", 1<<Elision | 1<<Contraction},
		{"ma orange", "mon orange", 0},
		{"sa ^grande orange", "sa grande orange", 0},
		{"ce hôtel", "cet hôtel", 0},
		{"ce hibou", "ce hibou", 0},
		{"ce ^vieux hôtel", "ce vieil hôtel", 0},
		{"le ^beau enfant", "le bel enfant", 0},
		{"le ^beau héros", "le beau héros", 0},
		{"un ^nouveau accord", "un nouvel accord", 0},
		{"les ^vieux+ amis", "les vieux amis", 0},
		{"il est beau et vieux", "il est beau et vieux", 0},
		{"des chats", "des chats", 0},
		{"des ^beaux+ chats", "de beaux chats", 0},
		{"des amis ^vieux+", "des amis vieux", 0},
	} {
		var words []token
		for field := range strings.FieldsSeq(test.words) {
			text, plural := strings.CutSuffix(field, "+")
			text, prenominal := strings.CutPrefix(text, "^")
			words = append(words, token{text: text, plural: plural, prenominal: prenominal})
		}
		got, holds := smooth(words)
		if joined(texts(got)) != test.want || holds != test.holds {
			t.Errorf("smooth(%q) = %q, %b; want %q, %b", test.words, joined(texts(got)), holds, test.want, test.holds)
		}
	}
}

func TestContractionKeepsAnchors(t *testing.T) {
	of, the := anchor{node: 1}, anchor{node: 2}
	words, _ := smooth([]token{{text: "de", anchors: [2]anchor{of}}, {text: "le", anchors: [2]anchor{the}}, {text: "chat"}})
	if words[0].anchors != [2]anchor{of, the} {
		t.Errorf("du is anchored to %v, want both of de and le", words[0].anchors)
	}
}

func TestIndefinite(t *testing.T) {
	for words, want := range map[string]string{
		"a cat": "a cat", "a old cat": "an old cat", "a owl": "an owl", "a european law": "a european law", "a useful law": "a useful law",
		"a hospital": "a hospital", "a economic law": "an economic law", "i love a": "i love a",
	} {
		var tokens []token
		for field := range strings.FieldsSeq(words) {
			tokens = append(tokens, token{text: field})
		}
		indefinite(tokens)
		if got := joined(texts(tokens)); got != want {
			t.Errorf("indefinite(%q) = %q, want %q", words, got, want)
		}
	}
}

// wrongFrench finds what no French sentence may have, whatever it says. The vowels are listed here once more, independently.
var wrongFrench = []*regexp.Regexp{
	// A full form before a vowel or mute h. "y" counts as a vowel; h aspiré and "oui" do not.
	regexp.MustCompile(`(^| )(le|la|de|que|ne|je|me|ce|ma|sa) ([aeiouyàâéèêîôû]|h(omme|istoire|ôtel|ôpital|enri))`),
	regexp.MustCompile(`(^| )si (il|ils) `),
	// An elided form before a consonant or h aspiré.
	regexp.MustCompile(`(^| )([ldnjm]|qu|s)' ([^aeiouyàâéèêîôûh ]|héros|hibou|haricot|huit)`),
	regexp.MustCompile(`(^| )(de le|de les|à le|à les|de du|de des) `),
	regexp.MustCompile(`(^| )(ne|n') (ne|n'|pas|jamais|plus) `),
	regexp.MustCompile(`(^| )(beau|nouveau|ce|cette) (hommes|enfants|amis|oiseaux|étudiants|hôtels|hôpitaux|accords)`),
	regexp.MustCompile(`(^| )(beau|nouveau|ce) (homme|enfant|ami|oiseau|étudiant|hôtel|hôpital|accord) `),
	regexp.MustCompile(`(^| )(bel|nouvel|vieil|cet) (grand|petit|h(éros|ibou|aricot))`),
	regexp.MustCompile(`(^| )(il|elle) (sont|ont|vont|étaient) `),
	regexp.MustCompile(`(^| )(ils) (ne |n' )?(est|a|va|était) `),
}

// wholePartitive is the plural partitive before an adjective, where it is "de": "de bons amis". The same letters are right where they are
// the contraction of "de les": "of the good friends".
var wholePartitive = regexp.MustCompile(`(^| )des (grand|petit|beaux|belles|vieux|vieilles|nouveaux|nouvelles|bon|jeune)[a-z]* (étudiant|ami|chat|chien)s `)

func TestFrenchIsRight(t *testing.T) {
	n := 50000
	if testing.Short() {
		n = 5000
	}
	g := newGenerator(5, 0)
	for i := range n {
		s, _ := g.next(train, 3+i%48, nil)
		french := joined(s.Target)
		if english := joined(s.Source); wholePartitive.MatchString(french) && !strings.Contains(english, " of ") && !strings.Contains(english, " from ") {
			t.Errorf("%q\nin %q\n of %q", wholePartitive.FindString(french), french, english)
		}
		for _, wrong := range wrongFrench {
			if wrong.MatchString(french) {
				t.Errorf("%q\nin %q\n of %q", wrong.FindString(french), french, joined(s.Source))
			}
		}
	}
}

// TestAgreement: articles and adjectives agree with the noun they stand beside, by a lexicon of forms instead of the tree.
func TestAgreement(t *testing.T) {
	type form struct{ plural, feminine bool }
	// What the lexicon says about every French form.
	nounForms, adjectiveForms := map[string][]form{}, map[string][]form{}
	for _, n := range nouns {
		nounForms[n.french] = append(nounForms[n.french], form{false, n.feminine})
		if n.frenchPlural != "" {
			nounForms[n.frenchPlural] = append(nounForms[n.frenchPlural], form{true, n.feminine})
		}
	}
	four := []form{{false, masculine}, {false, feminine}, {true, masculine}, {true, feminine}}
	for _, a := range adjectives {
		for i, f := range a.french {
			adjectiveForms[f] = append(adjectiveForms[f], four[i])
		}
	}
	for _, special := range []string{"bel", "nouvel", "vieil"} {
		adjectiveForms[special] = []form{{false, masculine}}
	}
	articleForms := map[string][]form{
		"le": four[:1], "la": four[1:2], "un": four[:1], "une": four[1:2], "du": four[:1], "au": four[:1], "l'": four[:2],
		"les": four[2:], "aux": four[2:], "ce": four[:1], "cet": four[:1], "cette": four[1:2], "ces": four[2:],
		"mon": four[:2], "ma": four[1:2], "mes": four[2:], "son": four[:2], "sa": four[1:2], "ses": four[2:],
		"notre": four[:2], "nos": four[2:], "votre": four[:2], "vos": four[2:], "leurs": four[2:], "chaque": four[:2],
		"aucun": four[:1], "aucune": four[1:2], "deux": four[2:], "trois": four[2:], "dix": four[2:], "plusieurs": four[2:],
	}
	fits := func(candidates, allowed []form) []form {
		var kept []form
		for _, c := range candidates {
			for _, a := range allowed {
				if c == a {
					kept = append(kept, c)
					break
				}
			}
		}
		return kept
	}
	g := newGenerator(6, 0)
	phrases := 0
	for i := range 10000 {
		s, _ := g.next(train, 3+i%30, nil)
		for j, w := range s.Target {
			candidates := nounForms[w]
			if candidates == nil || j > 0 && s.Target[j-1] == "d'" || w == "orange" && j == 0 {
				continue
			}
			// Left of the noun its adjectives and its article, right of it the adjectives that stand there.
			k := j - 1
			for ; k >= 0 && adjectiveForms[s.Target[k]] != nil && nounForms[s.Target[k]] == nil; k-- {
				candidates = fits(candidates, adjectiveForms[s.Target[k]])
			}
			if k >= 0 && articleForms[s.Target[k]] != nil {
				candidates = fits(candidates, articleForms[s.Target[k]])
				phrases++
			}
			for k := j + 1; k < len(s.Target) && adjectiveForms[s.Target[k]] != nil; k++ {
				candidates = fits(candidates, adjectiveForms[s.Target[k]])
			}
			if len(candidates) == 0 {
				t.Errorf("%q does not agree in %q\n of %q", w, joined(s.Target), joined(s.Source))
			}
		}
	}
	if phrases < 10000 {
		t.Errorf("only %d noun phrases were checked", phrases)
	}
}

// TestVerbsAgreeWithPronouns: behind je, il, elle, ils and their ne and objects stands the verb's form for them.
func TestVerbsAgreeWithPronouns(t *testing.T) {
	persons := map[string]map[int]bool{} // of every finite form: je 0, il 1, nous 2, vous 3, ils 4
	add := func(forms [5]string) {
		for i, f := range forms {
			if persons[f] == nil {
				persons[f] = map[int]bool{}
			}
			persons[f][i] = true
		}
	}
	for _, v := range verbs {
		add(v.present)
	}
	add(have)
	add(be)
	add(was)
	subjects := map[string]int{"je": 0, "j'": 0, "il": 1, "elle": 1, "ils": 4}
	between := map[string]bool{"ne": true, "n'": true, "le": true, "la": true, "l'": true, "les": true, "lui": true, "leur": true,
		"me": true, "m'": true, "nous": true, "y": true}
	g := newGenerator(7, 0)
	checked := 0
	for i := range 10000 {
		s, _ := g.next(train, 3+i%30, nil)
		for j, w := range s.Target {
			person, isSubject := subjects[w]
			if !isSubject {
				if (w == "nous" || w == "vous") && j == 0 {
					person = map[string]int{"nous": 2, "vous": 3}[w]
				} else {
					continue
				}
			}
			k := j + 1
			for between[s.Target[k]] {
				k++
			}
			checked++
			if !persons[s.Target[k]][person] {
				t.Errorf("%s … %s in %q", w, s.Target[k], joined(s.Target))
			}
		}
	}
	if checked < 2000 {
		t.Errorf("only %d pronouns were checked", checked)
	}
}
