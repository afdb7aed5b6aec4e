package grammar

// Name is a construction of the grammar.
type Name uint8

const (
	DefiniteArticle Name = iota
	IndefiniteArticle
	Partitive
	Elision
	Contraction
	AdjectiveBefore
	AdjectiveAfter
	Compound
	Complement
	Genitive
	Possessive
	Demonstrative
	Numeral
	Quantifier
	Negation
	NegatedIndefinite
	Clitic
	PastAvoir
	PastEtre
	Future
	Passive
	RelativeSubject
	RelativeObject
	RelativePlace
	Relative
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

// Set is a set of constructions: bit i stands for the Name i.
type Set uint64
