package grammar

import (
	"fmt"
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

func (s symbol) with(f flags) symbol { s.flags |= f; return s }
func (s symbol) in(t tense) symbol   { s.tense = t; return s }

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
