package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// list is the words of a list, with what English puts before them.
func list(before string, names []name) (ds []draft) {
	for i, n := range names {
		ds = append(ds, leaf(common(float64(i)/3), before+n.english, n.french, n.feminine).saying(naming, n.english))
	}
	return ds
}

// determiner is a way to begin a noun phrase.
type determiner struct {
	weight          float64
	english, french string
	parts           []symbol // before the noun
	flags           flags    // of the noun
	holds           Construction
	roles           []role // that it serves
}

var (
	anywhere   = []role{agent, denied, patient, lacking, oblique, located, known}
	anyone     = []role{agent, denied, patient, lacking, oblique, known}
	affirmed   = []role{agent, patient}
	introduced = []role{patient, oblique, located, unknown}
	counted    = []role{agent, denied, patient, oblique, unknown}
)

var determiners = [2][]determiner{
	{
		{12, "the *1", "@le *1", nil, 0, DefiniteArticle, append(slices.Clone(anywhere), only)},
		{1, "the *1", "@le *1", nil, uncounted, DefiniteArticle, anywhere},
		{5, "a *1", "@un *1", nil, 0, IndefiniteArticle, introduced},
		{2, "a *1", "@un *1", nil, 0, IndefiniteArticle, []role{agent, denied}},
		{2, "this *1", "@ce *1", nil, 0, Demonstrative, anywhere},
		{.5, "my *1", "@mon *1", nil, possessed, Possessive, anywhere},
		{.3, "your *1", "@votre *1", nil, possessed, Possessive, anywhere},
		{.4, "his *1", "@son *1", nil, possessed, Possessive, anywhere},
		{.4, "her *1", "@son *1", nil, possessed, Possessive, anywhere},
		{.3, "our *1", "@notre *1", nil, possessed, Possessive, anywhere},
		{.3, "their *1", "@leur *1", nil, possessed, Possessive, anywhere},
		{.7, "$1 's/4 *2", "@le?/4 *2 de/4 $1", []symbol{{kind: possessor}}, possessed, Genitive, anywhere},
		{.8, "every *1", "chaque *1", nil, 0, Quantifier, affirmed},
		{4, "some *1", "de @le *1", nil, uncounted, Partitive, affirmed},
		{4, "any *1", "de *1", nil, uncounted, Partitive, []role{lacking}},
		{2, "a *1", "de *1", nil, 0, NegatedIndefinite, []role{lacking}},
	},
	{
		{10, "the *1", "@le *1", nil, 0, DefiniteArticle, anyone},
		{3, "some *1", "@un *1", nil, 0, IndefiniteArticle, []role{agent, patient, unknown}},
		{1.5, "these *1", "@ce *1", nil, 0, Demonstrative, anyone},
		{.6, "my *1", "@mon *1", nil, possessed, Possessive, anyone},
		{.4, "your *1", "@votre *1", nil, possessed, Possessive, anyone},
		{.4, "his *1", "@son *1", nil, possessed, Possessive, anyone},
		{.4, "her *1", "@son *1", nil, possessed, Possessive, anyone},
		{.4, "our *1", "@notre *1", nil, possessed, Possessive, anyone},
		{.4, "their *1", "@leur *1", nil, possessed, Possessive, anyone},
		{.6, "$1 's/4 *2", "@le?/4 *2 de/4 $1", []symbol{{kind: possessor}}, possessed, Genitive, anyone},
		{2.5, "$1 *2", "$1 *2", []symbol{{kind: numeral}}, 0, Numeral, counted},
		{.7, "the $1 *2", "@le $1 *2", []symbol{{kind: numeral}}, 0, Numeral, anyone},
		{.7, "many *1", "beaucoup de *1", nil, 0, Quantifier, []role{agent, patient, unknown}},
		{.7, "several *1", "plusieurs *1", nil, 0, Quantifier, []role{agent, patient, unknown}},
		{.8, "all/5 the *1", "@tout/5 @le *1", nil, 0, Quantifier, affirmed},
		{1, "any *1", "de *1", nil, 0, NegatedIndefinite, []role{lacking}},
	},
}

func (s symbol) nounPhrases() (ds []draft) {
	for number, plenty := range [2]float64{singular: 1, plural: .5} {
		for _, d := range determiners[number] {
			if !slices.Contains(d.roles, s.role) || s.class == official && (d.flags == possessed || d.english == "every *1") {
				continue
			}
			noun := symbol{kind: bareNoun, class: s.class, plural: number == plural, flags: s.flags&flat | d.flags}
			if d.holds == Genitive || s.role == located {
				noun.flags |= flat
			}
			ds = append(ds, phrase(plenty*d.weight, d.english, d.french, append(slices.Clone(d.parts), noun)...).holding(d.holds))
		}
	}
	if s.class == person && !s.has(nameless) && (s.role == patient || s.role == lacking || s.role == oblique || s.role == known) {
		ds = append(ds, phrase(6, "*1", "*1", symbol{kind: human}))
	}
	if !s.has(flat) && s.class != zone && s.class != table && s.role != lacking {
		ds = append(ds, phrase(5, "*1 $2", "*1 $2", s.with(flat|nameless), symbol{kind: relative, class: s.class}))
	}
	return ds
}

const (
	singular = 0
	plural   = 1
)

// bareNouns are a class's nouns, alone and with what may stand beside them. Possessed nouns and mass nouns are chosen by flags.
func (s symbol) bareNouns() (ds []draft) {
	rank := 0.0
	for i, n := range nouns {
		if n.class != s.class {
			continue
		}
		rank++
		english, french := n.english, n.french
		if s.plural {
			english, french = n.englishPlural, n.frenchPlural
		}
		if english == "" || s.has(possessed) && n.usage != owned || s.has(uncounted) != (n.usage == mass) {
			continue
		}
		as := agreement{3, s.plural, n.feminine}
		add := func(weight float64, english, french string, parts ...symbol) *draft {
			ds = append(ds, phrase(weight*common(rank), english, french, parts...).as(as).saying(naming, n.english))
			return &ds[len(ds)-1]
		}
		adorned := 1.0
		if s.plural {
			adorned = .5
		}
		adjective := func(p place) symbol { return symbol{kind: modifier, noun: i, place: p} }
		if s.class == zone { // has always its adjectives: the (european) economic area
			add(4, "$1 $2 "+english, french+" $2 $1", adjective(national), adjective(classifying)).holds |= 1 << AdjectiveAfter
			add(1, "$1 "+english, french+" $1", adjective(classifying)).holds |= 1 << AdjectiveAfter
			continue
		}
		add(16, english, french)
		add(4*adorned, "$1 "+english, "$1 "+french, adjective(before)).holds |= 1 << AdjectiveBefore
		for p := behind; p <= classifying; p++ {
			add(1.5*adorned, "$1 "+english, french+" $1", adjective(p)).holds |= 1 << AdjectiveAfter
			add(.5*adorned, "$1 $2 "+english, "$1 "+french+" $2", adjective(before), adjective(p)).holds |= 1<<AdjectiveAfter | 1<<AdjectiveBefore
			for q := p + 1; q <= classifying; q++ {
				add(.5*adorned, "$1 $2 "+english, french+" $2 $1", adjective(p), adjective(q)).holds |= 1 << AdjectiveAfter
				add(.2*adorned, "$1 $2 $3 "+english, "$1 "+french+" $3 $2", adjective(before), adjective(p), adjective(q)).holds |= 1<<AdjectiveAfter | 1<<AdjectiveBefore
			}
		}
		for _, c := range compounds[n.english] {
			c := topicNoun(c)
			add(1.2, c.english+"/5 "+english, french+" de?/5 "+c.french+"/5").holds |= 1 << Compound
			add(.3, "$1 "+c.english+"/5 "+english, "$1 "+french+" de?/5 "+c.french+"/5", adjective(before)).holds |= 1<<Compound | 1<<AdjectiveBefore
		}
		if s.has(flat) {
			continue
		}
		if about[n.english] != nil {
			add(5, english+" on/4 $1", french+" sur/4 $1", symbol{kind: topic, noun: i})
			add(1, "$1 "+english+" on/4 $2", "$1 "+french+" sur/4 $2", adjective(before), symbol{kind: topic, noun: i}).holds |= 1 << AdjectiveBefore
		}
		if s.has(possessed) {
			continue
		}
		for _, o := range of[n.english] {
			whose := symbol{kind: definite, noun: nounIndex(o)}
			add(.6, english+" of/4 $1", french+" de/4 $1", whose).holds |= 1 << Complement
			add(.3, "$1 "+english+" of/4 $2", "$1 "+french+" de/4 $2", adjective(before), whose).holds |= 1<<Complement | 1<<AdjectiveBefore
		}
	}
	return ds
}

func nounIndex(english string) int {
	i := slices.IndexFunc(nouns, func(n noun) bool { return n.english == english })
	if i < 0 {
		panic(fmt.Sprintf("grammar: no noun %q", english))
	}
	return i
}

func topicNoun(english string) noun {
	i := slices.IndexFunc(topics, func(n noun) bool { return n.english == english })
	if i < 0 {
		panic(fmt.Sprintf("grammar: no topic %q", english))
	}
	return topics[i]
}

func (s symbol) topics() (ds []draft) {
	for _, t := range about[nouns[s.noun].english] {
		if t == "area" {
			ds = append(ds, phrase(4, "the *1", "@le *1", symbol{kind: bareNoun, class: zone, flags: flat}).holding(DefiniteArticle))
			continue
		}
		n := topicNoun(t)
		ds = append(ds, phrase(1, n.english, "@le? "+n.french).as(agreement{3, false, n.feminine}))
	}
	return ds
}

// common is how much a word is used that stands so far down in its list.
func common(rank float64) float64 { return 1 / (1 + rank/1.5) }

// adjectives are those that suit the noun, or a class's predicate.
func (s symbol) adjectives() (ds []draft) {
	rank := 0.0
	for _, a := range adjectives {
		var suits bool
		if s.kind == quality {
			suits = slices.Contains(a.predicative, s.class)
		} else {
			n := nouns[s.noun]
			suits = a.place == s.place && slices.Contains(a.attributive, n.class) && !slices.Contains(unfit[n.english], a.english)
		}
		if !suits {
			continue
		}
		french := strings.Join(a.french[:], "|")
		said := asserting
		if s.kind == modifier {
			said = adorning
		}
		rank++
		weight := 3 * common(rank)
		if s.kind == quality && a.french[0] != a.french[1] {
			weight /= 2 // agreement across the verb is hard to learn
		}
		d := phrase(weight, a.english, french).saying(said, a.scale)
		d.french[0].prenominal = s.kind == modifier && a.place == before
		ds = append(ds, d)
		if s.kind != quality {
			continue
		}
		if a.place <= behind {
			ds = append(ds, phrase(1, "very/4 "+a.english, "très/4 "+french).saying(said, a.scale))
		}
		for _, b := range adjectives {
			if a.place == before && b.place == behind && slices.Contains(b.predicative, s.class) {
				ds = append(ds, phrase(.2, a.english+" and/5 "+b.english+"/6", french+" et/5 "+strings.Join(b.french[:], "|")+"/6").holding(Coordination).saying(said, a.scale))
			}
		}
	}
	return ds
}

func possessors() []draft {
	one := symbol{kind: bareNoun, class: person, flags: flat}
	mine := one.with(possessed)
	return []draft{
		phrase(4, "*1", "*1", symbol{kind: human}),
		phrase(2, "the *1", "@le *1", one).holding(DefiniteArticle),
		phrase(.6, "my *1", "@mon *1", mine).holding(Possessive),
	}
}
