package grammar

import (
	"fmt"
	"strings"

	"seq2attn/pkg/corpus"
)

// Construction is something that a sentence may hold and a reader may look for: an adjective behind its noun, say.
type Construction uint8

const (
	DefiniteArticle Construction = iota
	IndefiniteArticle
	Partitive
	Elision
	Contraction
	AdjectiveBefore
	AdjectiveAfter
	Predicative
	Compound
	Complement
	Genitive
	Possessive
	Demonstrative
	Numeral
	Quantifier
	Negation
	NegatedIndefinite
	Adverb
	Clitic
	PastAvoir
	PastEtre
	ObjectAgreement
	Imperfect
	Future
	Passive
	RelativeSubject
	RelativeObject
	RelativePlace
	Coordination
	Subordination
	Reported
	Question
	Prepositional
	Fronting
	Inversion
	Existence
	Interjection
)

// constructions says what each is, with an English sentence of the grammar that holds it.
var constructions = [...]struct{ name, description, example string }{
	DefiniteArticle:   {"definite article", "le, la, l', les agree with the noun in gender and number", "the key is in the house ."},
	IndefiniteArticle: {"indefinite article", "un, une, des; des becomes de before an adjective", "some old friends read a letter ."},
	Partitive:         {"partitive", "some bread is du pain, and any bread, where a verb is negated, de pain", "she eats some soup ."},
	Elision:           {"elision", "le, la, de, que, ne, je, me and si lose their vowel before the next word's; h aspiré keeps it", "i love the child ."},
	Contraction:       {"contraction", "de and à melt with le and les into du, des, au, aux", "he speaks to the children of the village ."},
	AdjectiveBefore:   {"adjective before noun", "big, small, beautiful, old, new, good and young stand before the noun in both languages; beau, vieux, nouveau are bel, vieil, nouvel before a vowel", "the old friend sleeps ."},
	AdjectiveAfter:    {"adjective after noun", "all other adjectives change sides; several stand in mirrored order", "the european economic area is useful ."},
	Predicative:       {"predicative adjective", "agrees with the subject from behind the verb", "the houses were very beautiful ."},
	Compound:          {"compound noun", "noun noun is noun de noun", "the ministers sign a peace treaty ."},
	Complement:        {"noun with of", "of is de", "the children of the village sing ."},
	Genitive:          {"possessor with 's", "changes sides: mary 's car is la voiture de marie", "mary 's car is red ."},
	Possessive:        {"possessive", "agrees with what is owned, not with the owner; mon before a feminine noun with a vowel", "her friends eat my orange ."},
	Demonstrative:     {"demonstrative", "ce, cet before a vowel, cette, ces", "this hotel is near these villages ."},
	Numeral:           {"numeral", "does not agree", "ten owls sleep ."},
	Quantifier:        {"quantifier", "every, all the, many, several, no; everyone is tout le monde", "many children read all the books ."},
	Negation:          {"negation", "ne before the verb and its pronouns, pas, jamais or plus behind the finite verb; personne and aucun with ne alone", "mary did not sleep ."},
	NegatedIndefinite: {"indefinite under negation", "a and any are de in the object of a negated verb", "he never reads any books ."},
	Adverb:            {"adverb between subject and verb", "stands behind the finite verb in French", "peter often sings ."},
	Clitic:            {"object pronoun", "stands before the verb, or before the infinitive", "she is going to give him a flower ."},
	PastAvoir:         {"past with avoir", "passé composé: one English word, two French ones", "the cat ate the apple ."},
	PastEtre:          {"past with être", "passé composé of verbs of movement, whose participle agrees with the subject", "the queens returned ."},
	ObjectAgreement:   {"participle agreeing with an object", "where the direct object stands before avoir", "the flowers that mary sold were beautiful ."},
	Imperfect:         {"imparfait", "was is était, except in the passive", "the garden was small ."},
	Future:            {"future", "is going to is va with the infinitive", "they are going to leave ."},
	Passive:           {"passive", "was signed is a été signé, agreeing with the subject", "the law was signed by the minister ."},
	RelativeSubject:   {"relative clause with qui", "who and that are qui where they are the subject", "the man who reads the book sings ."},
	RelativeObject:    {"relative clause with que", "that is que where it is the object", "the book that mary reads is good ."},
	RelativePlace:     {"relative clause with où", "where is où", "the village where mary works is small ."},
	Coordination:      {"coordination", "and, but, so, of sentences, predicates, nouns and adjectives", "the dog and the cat sleep , but she works ."},
	Subordination:     {"subordinate clause", "because, when, if, while: parce que, quand, si, pendant que", "if he returns , the children leave ."},
	Reported:          {"reported speech", "says that is dit que", "he says that mary sings ."},
	Question:          {"question", "est-ce que, without inversion; who, what, why, when, where", "does the minister sign the treaty ?"},
	Prepositional:     {"prepositional phrase", "of place, time, company; in is dans a garden, à paris, en a month", "she works in the garden ."},
	Fronting:          {"fronted phrase", "a time, a place or a clause opens the sentence", "in august , the minister worked ."},
	Inversion:         {"verb before subject", "behind a fronted place, in both languages", "behind the church sleeps a dog ."},
	Existence:         {"there is", "il y a", "there are two keys on the table ."},
	Interjection:      {"interjection", "opens the sentence: yes, no, alas, of course, …", "of course , we sing ."},
}

func (c Construction) String() string {
	if int(c) < len(constructions) {
		return constructions[c].name
	}
	return fmt.Sprintf("construction %d", uint8(c))
}

// Entry is a construction with what there is to say about it.
type Entry struct {
	Construction
	Description string
	Example     Sentence
}

// Constructions is all of them, in the order of docs/grammar.md.
func Constructions() []Entry {
	p := NewParser()
	entries := make([]Entry, len(constructions))
	for i, c := range constructions {
		example, err := p.Parse(strings.Fields(c.example))
		if err != nil {
			panic(err) // the table's own sentence
		}
		entries[i] = Entry{Construction(i), c.description, example}
	}
	return entries
}

// Example is the sentence of figure 3 in Bahdanau, Cho and Bengio (2015), with its alignment.
func Example() corpus.Pair {
	s, err := NewParser().Parse(strings.Fields("the agreement on the european economic area was signed in august 1992 ."))
	if err != nil {
		panic(err)
	}
	return s.Pair
}

// Set is a set of constructions.
type Set uint64

// Has tells whether the set holds all of the constructions.
func (s Set) Has(constructions ...Construction) bool {
	for _, c := range constructions {
		if s&(1<<c) == 0 {
			return false
		}
	}
	return true
}
