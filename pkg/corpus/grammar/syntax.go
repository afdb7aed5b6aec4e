package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// symbol names a kind of phrase with the features that decide what may stand in it.
type symbol struct {
	kind   kind
	class  class
	object class // of a gap: what kind of thing is missing
	noun   int   // index of the noun that an adjective or a complement must suit
	place  place // of an adjective
	tense  tense
	middle middle
	role   role
	plural bool
	flags  flags
}

type kind uint8

const (
	sentence   kind = iota
	body            // a sentence without its full stop
	unit            // one or two clauses of a body
	clause          // subject and predicate
	question        // a question without its mark
	subject         // a noun phrase, name or pronoun in front of a predicate
	predicate       // a verb with all that belongs to it
	gap             // a predicate whose direct object stands before it: (the book that) mary reads
	nounPhrase      // article and noun
	bareNoun        // a noun with its adjectives
	modifier        // an adjective beside its noun
	quality         // an adjective behind "is"
	definite        // "the" and a given noun
	topic           // what stands behind "on"
	relative        // a relative clause
	possessor       // what stands before "'s"
	accusative      // the pronoun of a direct object
	dative          // the pronoun of an indirect one
	adjunct         // where, when or with whom
	location        // where
	moment          // when
	inverted        // a verb before its subject
	human           // a person's name
	town
	month
	year
	weekday
	numeral
	interjection
)

type tense uint8

const (
	present tense = iota
	past
	future
)

// middle is what stands between subject and verb in English, and behind the finite verb in French.
type middle uint8

const (
	plain middle = iota
	not
	never
	noLonger
	often
	always
	already
	sometimes
	asked    // a question
	excluded // the predicate of "nobody", "no student"
)

var middles = [...]struct {
	english, french string
	negative        bool // with "ne" before the verb
	support         bool // with "do"
}{
	plain:     {},
	not:       {"not", "pas", true, true},
	never:     {"never", "jamais", true, false},
	noLonger:  {"no longer", "plus", true, false},
	often:     {"often", "souvent", false, false},
	always:    {"always", "toujours", false, false},
	already:   {"already", "déjà", false, false},
	sometimes: {"sometimes", "parfois", false, false},
	asked:     {support: true},
	excluded:  {negative: true},
}

// role is what a noun phrase does in its sentence; its articles depend on it.
type role uint8

const (
	agent   role = iota // a subject
	denied              // a subject of a negated verb
	patient             // a direct object
	lacking             // a direct object of a negated verb, whose indefinite article is "de"
	oblique             // behind a preposition
	located             // behind a preposition of place
	unknown             // what "there is" brings up: indefinite
	only                // what there is but one of
	known               // who is known already, inside a longer phrase
)

type flags uint16

const (
	later     flags = 1 << iota // not the first clause: "they" might be mistaken for someone met before
	timed                       // no time is to be said: another phrase says it
	placed                      // no place is to be said
	active                      // no "is": where is john english?
	dynamic                     // nothing that lasts: beside "when" in the past
	sudden                      // events only: in a past clause with "when"
	ongoing                     // no events: in a clause with "while"
	told                        // no reported speech: it is inside one already
	flat                        // no relative clause, and nothing behind the noun
	single                      // no second predicate
	uncounted                   // mass nouns only
	possessed                   // owned nouns only
	alone                       // no company is to be named: it would be taken amiss, or for part of the object
	nameless                    // no proper name: nothing is to be said about which one
)

// has tells whether any of the flags is set.
func (s symbol) has(f flags) bool { return s.flags&f != 0 }

func (s symbol) with(f flags) symbol    { s.flags |= f; return s }
func (s symbol) without(f flags) symbol { s.flags &^= f; return s }
func (s symbol) in(t tense) symbol      { s.tense = t; return s }

// productions writes out what a symbol may be.
func (s symbol) productions() []draft {
	switch s.kind {
	case sentence:
		return sentences()
	case body:
		return s.bodies()
	case unit:
		return s.units()
	case clause:
		return distinct(s.clauses())
	case question:
		return distinct(questions())
	case subject:
		return s.subjects()
	case predicate:
		return s.predicates()
	case gap:
		return s.gaps()
	case nounPhrase:
		return s.nounPhrases()
	case bareNoun:
		return s.bareNouns()
	case modifier, quality:
		return s.adjectives()
	case definite:
		n := nouns[s.noun]
		return []draft{phrase(1, "the/4 "+n.english, "@le/4 "+n.french).as(agreement{3, false, n.feminine}).holding(DefiniteArticle).saying(naming, n.english)}
	case topic:
		return s.topics()
	case relative:
		return s.relatives()
	case possessor:
		return possessors()
	case accusative, dative:
		return s.pronouns()
	case adjunct:
		return s.adjuncts()
	case location:
		return s.locations()
	case moment:
		return s.times()
	case inverted:
		return s.invertedVerbs()
	case human:
		return list("", people)
	case town:
		return list("", cities)
	case month:
		return list("", months)
	case year:
		return list("", years)
	case weekday:
		if s.role == oblique {
			return list("on? ", days)
		}
		return list("", days)
	case numeral:
		return list("", numerals)
	case interjection:
		return list("", interjections)
	}
	panic(fmt.Sprintf("grammar: no productions for %+v", s))
}

// list is the words of a list, with what English puts before them.
func list(before string, names []name) (ds []draft) {
	for i, n := range names {
		ds = append(ds, leaf(common(float64(i)/3), before+n.english, n.french, n.feminine).saying(naming, n.english))
	}
	return ds
}

// tenses and how often they are used.
var tenses = [...]float64{present: 55, past: 32, future: 13}

func sentences() []draft {
	s := symbol{kind: body}
	return []draft{
		phrase(80, "$1 .", "$1 .", s),
		phrase(8, "$1 , $2 .", "$1 , $2 .", symbol{kind: interjection}, s).holding(Interjection),
		phrase(9, "$1 ?", "$1 ?", symbol{kind: question}).holding(Question),
	}
}

// bodies are clauses, or pairs of them, in any number.
func (s symbol) bodies() []draft {
	first := symbol{kind: unit, flags: s.flags}
	next := symbol{kind: body, flags: later}
	again := symbol{kind: clause, flags: later}
	return []draft{
		phrase(75, "$1", "$1", first),
		phrase(8, "$1 , and $2", "$1 , et $2", first, next).holding(Coordination),
		phrase(6, "$1 , but $2", "$1 , mais $2", first, next).holding(Coordination),
		phrase(4, "$1 , so $2", "$1 , donc $2", first, next).holding(Coordination),
		phrase(1.5, "$1 and $2", "$1 et $2", first, again.in(present)).holding(Coordination),
		phrase(1.5, "$1 and $2", "$1 et $2", first, again.in(past)).holding(Coordination),
	}
}

// units are a clause with what opens it, or two that belong together in time.
func (s symbol) units() (ds []draft) {
	c := symbol{kind: clause, flags: s.flags}
	after := c.with(later)
	here := symbol{kind: location, class: person}
	everyday := after.with(placed)
	everyday.class = person
	governing := after.with(placed)
	governing.class = official
	for t, weight := range tenses {
		t := tense(t)
		ds = append(ds,
			phrase(.52*weight, "$1", "$1", c.in(t)),
			phrase(.14*weight, "$1 , $2", "$1 , $2", symbol{kind: moment, tense: t}, after.in(t).with(timed)).holding(Fronting),
			phrase(.05*weight, "$1 , $2", "$1 , $2", here, everyday.in(t)).holding(Fronting),
			phrase(.02*weight, "in/4 $1 , $2", "à/4 $1 , $2", symbol{kind: town}, governing.in(t)).holding(Fronting, Prepositional),
			phrase(.02*weight, "perhaps/4 $1", "peut-être/4 que/4 $1", after.in(t)),
		)
	}
	ds = append(ds, phrase(1.5, "sometimes , $1", "parfois , $1", after.in(present).with(timed)).holding(Fronting))
	for _, c := range []class{person, animal} {
		ds = append(ds,
			phrase(2, "$1 $2 *3", "$1 $2 *3", symbol{kind: location, class: c}, symbol{kind: inverted, class: c},
				symbol{kind: nounPhrase, class: c, role: unknown}).holding(Inversion),
		)
	}
	for _, c := range []class{person, animal, thing} {
		ds = append(ds,
			phrase(1.2, "there/4 @is/5 *1 $2", "il/4 y/4 a/5 *1 $2", symbol{kind: nounPhrase, class: c, role: unknown, flags: flat},
				symbol{kind: location, class: c}).holding(Existence),
			phrase(.3, "there/4 @is/5 no/1 *1 $2", "il/4 ne?/1 y/4 a/5 pas/1 de?/1 *1 $2", symbol{kind: bareNoun, class: c, flags: flat},
				symbol{kind: location, class: c}).holding(Existence, Negation),
		)
	}
	// Two clauses: the tense of one goes with that of the other.
	subordinate := func(weight float64, english, french string, main, sub symbol) {
		ds = append(ds,
			phrase(.6*weight, english+" $1 , $2", french+" $1 , $2", sub.with(later), main.with(later)).holding(Subordination, Fronting),
			phrase(.4*weight, "$1 "+english+" $2", "$1 "+french+" $2", main, sub.with(later)).holding(Subordination))
	}
	during := c.with(timed)
	subordinate(4, "when", "quand", c, during)
	subordinate(4, "when", "quand", during.in(past).with(active|dynamic), during.in(past).with(active|sudden))
	subordinate(3, "if", "si", c, during)
	subordinate(3, "if", "si", c.in(future), during)
	subordinate(3.5, "while", "pendant que", c, during.with(active|ongoing))
	for _, t := range []struct {
		main, sub tense
		weight    float64
	}{{present, present, 3}, {present, past, 1.5}, {past, past, 3}, {future, present, 1.5}, {future, past, 1}} {
		ds = append(ds, phrase(t.weight, "$1 because $2", "$1 parce que $2", c.in(t.main), after.in(t.sub)).holding(Subordination))
	}
	return ds
}

// classesOfSubjects are who does things in sentences, and how often.
var classesOfSubjects = []struct {
	class  class
	weight float64
}{
	{person, 44}, {speaker, 9}, {animal, 9}, {official, 14}, {deed, 8}, {text, 3}, {thing, 4}, {food, 2}, {building, 3}, {home, 1}, {area, 1.5}, {outdoors, 1}, {zone, 1},
}

// spoken is how often a middle is used in a tense.
func (m middle) spoken(t tense) float64 {
	switch m {
	case plain:
		return 75
	case not:
		return 12
	case never:
		return [...]float64{4, 3, 0}[t]
	case noLonger:
		return [...]float64{4, 0, 0}[t]
	case often, always, sometimes:
		return [...]float64{3, 0, 0}[t]
	case already:
		return [...]float64{0, 4, 0}[t]
	}
	return 0
}

func (s symbol) clauses() (ds []draft) {
	for _, c := range classesOfSubjects {
		switch {
		case s.class == person && c.class != person && c.class != speaker && c.class != animal, s.class == official && c.class != official:
			continue
		}
		of := symbol{kind: subject, class: c.class, flags: s.flags & later}
		does := symbol{kind: predicate, class: c.class, tense: s.tense, flags: s.flags &^ later}
		for m := range asked {
			if s.has(timed) && m != plain && m != not || s.has(sudden|ongoing) && m != plain {
				continue // yesterday, she never arrived
			}
			of, does := of, does
			does.middle = m
			if middles[m].negative {
				of.role = denied
			}
			d := phrase(c.weight*m.spoken(s.tense), "*1 $2", "*1 $2", of, does)
			if middles[m].negative {
				d = d.holding(Negation)
			}
			ds = append(ds, d)
			// What is said of all: birds sing, les oiseaux chantent.
			if s.tense == present && !s.has(timed|placed) && (m == plain || m == often || m == never) && (c.class == person || c.class == animal) {
				all := symbol{kind: bareNoun, class: c.class, plural: true, flags: flat}
				ds = append(ds, phrase(.08*c.weight*m.spoken(s.tense), "*1 $2", "@le/7 *1 $2", all, does.with(timed)))
			}
		}
		does.middle = excluded
		if c.class == person {
			nobody := phrase(80, "nobody/1 $1", "personne/1 ne?/1 $1", does).as(agreement{person: 3}).holding(Negation)
			ds = append(ds, nobody)
		}
		if c.class == person || c.class == animal || c.class == deed {
			none := symbol{kind: bareNoun, class: c.class, flags: flat}
			ds = append(ds, phrase(2*c.weight, "no/1 *1 $2", "@aucun/1 *1 ne?/1 $2", none, does).holding(Negation, Quantifier))
		}
	}
	return ds
}

func questions() (ds []draft) {
	const ask = "est?/4 -ce?/4 que?/4 *1 $2"
	for t, weight := range tenses {
		for _, c := range classesOfSubjects {
			weight := weight * c.weight
			who := symbol{kind: subject, class: c.class, role: denied}
			does := symbol{kind: predicate, class: c.class, tense: tense(t), middle: asked}
			ds = append(ds,
				phrase(weight, "^2/4 *1 $2", ask, who, does),
				phrase(.2*weight, "why/5 ^2/4 *1 $2", "pourquoi/5 "+ask, who, does))
			if c.class == person || c.class == speaker || c.class == official {
				ds = append(ds,
					phrase(.2*weight, "when/5 ^2/4 *1 $2", "quand/5 "+ask, who, does.with(timed|placed|flat|active|dynamic)),
					phrase(.2*weight, "where/5 ^2/4 *1 $2", "où/5 "+ask, who, does.with(timed|placed|flat|active)))
			}
			if c.class == person || c.class == speaker {
				for _, o := range []class{thing, text, food} {
					does := symbol{kind: gap, class: c.class, object: o, tense: tense(t), middle: asked}
					ds = append(ds, phrase(.1*weight, "what/5 ^2/4 *1 $2", "que/5 "+ask, who, does))
				}
			}
		}
		who := symbol{kind: predicate, class: person, tense: tense(t)}
		ds = append(ds, phrase(8*weight, "who $1", "qui $1", who).as(agreement{person: 3}))
	}
	return ds
}

func (s symbol) subjects() (ds []draft) {
	switch s.class {
	case speaker:
		return []draft{
			phrase(5, "i", "je").as(agreement{person: 1}),
			phrase(3, "we", "nous").as(agreement{person: 1, plural: true}),
			phrase(3, "you", "vous").as(agreement{person: 2, plural: true}),
		}
	case person:
		ds = append(ds,
			phrase(9, "*1", "*1", symbol{kind: human}),
			phrase(3, "he", "il").as(agreement{person: 3}),
			phrase(3, "she", "elle").as(agreement{3, false, feminine}),
			phrase(1, "$1 and $2", "$1 et $2", symbol{kind: human}, symbol{kind: human}).holding(Coordination),
			phrase(1, "$1 and $2", "$1 et $2", symbol{kind: human}, symbol{kind: nounPhrase, class: person, role: denied, flags: flat}).holding(Coordination),
		)
		ds[len(ds)-2].joint, ds[len(ds)-1].joint = true, true
		if !s.has(later) {
			ds = append(ds, phrase(3, "they", "ils").as(agreement{person: 3, plural: true}))
		}
		if s.role != denied {
			ds = append(ds, phrase(1, "everyone", "tout le monde").as(agreement{person: 3}).holding(Quantifier))
		}
	}
	noun := symbol{kind: nounPhrase, class: s.class, role: s.role, flags: s.flags & flat}
	if s.class == zone {
		noun.role = only
		return []draft{phrase(1, "*1", "*1", noun)}
	}
	ds = append(ds, phrase(18, "*1", "*1", noun))
	if s.class != official {
		noun := noun.with(flat)
		noun.role = denied
		d := phrase(1.5, "$1 and $2", "$1 et $2", noun, noun).holding(Coordination)
		d.joint = true
		ds = append(ds, d)
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

func (s symbol) relatives() (ds []draft) {
	who := "that"
	if s.class == person {
		who = "who"
	}
	for t, weight := range tenses {
		for _, m := range []middle{plain, not, never} {
			if m.spoken(tense(t)) == 0 {
				continue
			}
			does := symbol{kind: predicate, class: s.class, tense: tense(t), middle: m, flags: flat | single | told | timed}
			d := phrase(weight*m.spoken(tense(t)), who+" $1", "qui $1", does).holding(RelativeSubject)
			if middles[m].negative {
				d = d.holding(Negation)
			}
			ds = append(ds, d)
		}
		for _, c := range []class{person, speaker, official} {
			by := symbol{kind: subject, class: c, role: denied, flags: later | flat}
			whom := symbol{kind: gap, class: c, object: s.class, tense: tense(t)}
			ds = append(ds, phrase(30*weight, "that *1 $2", "que *1 $2", by, whom).holding(RelativeObject))
		}
	}
	if s.class == area || s.class == outdoors || s.class == building {
		for _, t := range []tense{present, past} {
			does := symbol{kind: inverted, class: person, tense: t, flags: placed}
			ds = append(ds, phrase(4000, "where *1 $2", "où *1 $2", symbol{kind: subject, class: person, role: denied, flags: later | flat}, does).holding(RelativePlace))
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

func (s symbol) adjuncts() (ds []draft) {
	if !s.has(placed) {
		switch s.class {
		case person, speaker, animal:
			ds = append(ds, phrase(5, "$1", "$1", symbol{kind: location, class: s.class}))
		case official, deed:
			ds = append(ds, phrase(2, "in $1", "à $1", symbol{kind: town}).holding(Prepositional),
				phrase(1, "in $1", "dans $1", symbol{kind: nounPhrase, class: zone, role: only}).holding(Prepositional))
		}
	}
	if (s.class == person || s.class == speaker) && !s.has(alone) {
		ds = append(ds, phrase(2, "with $1", "avec $1", symbol{kind: nounPhrase, class: person, role: oblique, flags: flat}).holding(Prepositional))
	}
	if s.class == deed && s.tense == past {
		ds = append(ds, phrase(5, "by $1", "par $1", symbol{kind: nounPhrase, class: official, role: known, flags: flat}).holding(Prepositional))
	}
	if !s.has(timed) && (s.middle == plain || s.middle == not || s.middle == asked) {
		ds = append(ds, phrase(3, "$1", "$1", symbol{kind: moment, tense: s.tense}))
	}
	return ds
}

func (s symbol) locations() (ds []draft) {
	at := func(c class) symbol { return symbol{kind: nounPhrase, class: c, role: located, flags: flat} }
	ds = append(ds,
		phrase(2, "in $1", "dans $1", at(building)),
		phrase(1, "near $1", "près de $1", at(building)),
		phrase(1.5, "behind $1", "derrière $1", at(building)),
		phrase(1.5, "in front of $1", "devant $1", at(building)),
		phrase(.8, "in $1", "dans $1", at(home)),
		phrase(.4, "behind $1", "derrière $1", at(home)),
		phrase(.4, "in front of $1", "devant $1", at(home)),
	)
	if s.class != thing {
		ds = append(ds, phrase(2.5, "in $1", "dans $1", at(area)), phrase(3, "in $1", "dans $1", at(outdoors)))
	}
	if s.class == animal || s.class == thing {
		ds = append(ds, phrase(2, "under $1", "sous $1", at(table)))
	}
	if s.class == thing {
		ds = append(ds, phrase(3, "on $1", "sur $1", at(table)))
	}
	if s.class == person || s.class == speaker {
		ds = append(ds, phrase(3, "in $1", "à $1", symbol{kind: town}))
		for _, place := range []string{"market", "hospital", "school", "hotel"} {
			ds = append(ds, phrase(.6, "at $1", "à $1", symbol{kind: definite, noun: nounIndex(place)}))
		}
	}
	for i := range ds {
		ds[i] = ds[i].holding(Prepositional)
	}
	return ds
}

func (s symbol) times() []draft {
	day := symbol{kind: weekday}
	on := phrase(1.5, "$1", "$1", symbol{kind: weekday, role: oblique})
	var ds []draft
	switch s.tense {
	case present:
		ds = append(ds, phrase(2, "today", "aujourd'hui"), phrase(2, "now", "maintenant"),
			phrase(1, "every $1", "chaque $1", day).holding(Quantifier))
	case past:
		ds = append(ds, on, phrase(3, "yesterday", "hier"),
			phrase(1, "in $1", "en $1", symbol{kind: year}),
			phrase(1, "in $1", "en $1", symbol{kind: month}),
			phrase(1, "in $1 $2", "en $1 $2", symbol{kind: month}, symbol{kind: year}))
	case future:
		ds = append(ds, on, phrase(3, "tomorrow", "demain"), phrase(1, "today", "aujourd'hui"), phrase(1, "in $1", "en $1", symbol{kind: month}))
	}
	return ds
}
