package grammar

import (
	"slices"
	"strings"
)

// The verb group: what English and French put around a verb to say when, whether and about whom.

// The auxiliary verbs as verbs: "be" has a past of its own (était), the passive's "been" has not (a été).
var (
	copula = verb{english: [3]string{"be"}, present: be, imparfait: &was, infinitive: "être"}
	been   = verb{english: [3]string{"be"}, present: be, participle: "été", infinitive: "être"}
)

func (v verb) auxiliary() bool { return v.english[0] == "be" }

// group is a predicate of verb v in the symbol's tense and with its middle. The templates are what follows the verb. In the
// French one "^1" marks a pronoun, part 1, that goes before the verb, and "~word" an adverb that goes before the participle.
// object is what a participle conjugated with avoir agrees with, 0 where no direct object stands before it.
func (s symbol) group(weight float64, v verb, object controller, english, french string, parts ...symbol) draft {
	d := phrase(weight, english, "", parts...)
	d.english = append(englishGroup(v, s.tense, s.middle), d.english...)
	if s.middle == asked {
		d.front, d.english = &d.english[0], d.english[1:]
	}
	var pronoun, adverb []item
	var rest []string
	for field := range strings.FieldsSeq(french) {
		switch field[0] {
		case '^':
			pronoun, _ = items("$" + field[1:])
		case '~':
			adverb, _ = items(field[1:])
		default:
			rest = append(rest, field)
		}
	}
	behind, _ := items(strings.Join(rest, " "))
	d.french = append(frenchGroup(v, s.tense, s.middle, object, pronoun, adverb), behind...)
	switch {
	case s.tense == future:
		d = d.holding(Future)
	case s.tense == past && v.imparfait != nil:
		d = d.holding(Imperfect)
	case s.tense == past && v.is(être):
		d = d.holding(PastEtre)
	case s.tense == past && !v.auxiliary():
		d = d.holding(PastAvoir)
		if object != 0 {
			d = d.holding(ObjectAgreement)
		}
	}
	if !v.auxiliary() {
		d = d.saying(doing, v.infinitive)
	}
	if m := middles[s.middle]; m.english != "" && !m.negative {
		d = d.holding(Adverb)
	}
	return d
}

func word(slot uint8, possible bool, forms ...string) item {
	return item{forms: forms, slot: slot, possible: possible}
}

func englishGroup(v verb, t tense, m middle) (row []item) {
	between := func() {
		for w := range strings.FieldsSeq(middles[m].english) {
			row = append(row, word(middleSlot, false, w))
		}
	}
	base, third, before := v.english[0], v.english[1], v.english[2]
	switch {
	case t == future:
		row = append(row, word(futureSlot, false, "am", "is", "are"))
		between()
		return append(row, word(futureSlot, false, "going"), word(verbSlot, true, "to"), word(verbSlot, false, base))
	case v.auxiliary() && t == present:
		row = append(row, word(verbSlot, false, "am", "is", "are"))
		between()
		return row
	case v.auxiliary():
		row = append(row, word(verbSlot, false, "was", "was", "were"))
		between()
		return row
	case middles[m].support && t == present:
		row = append(row, word(verbSlot, true, "do", "does", "do"))
		between()
		return append(row, word(verbSlot, false, base))
	case middles[m].support:
		row = append(row, word(verbSlot, true, "did"))
		between()
		return append(row, word(verbSlot, false, base))
	}
	between()
	if t == present {
		return append(row, word(verbSlot, false, base, third, base))
	}
	return append(row, word(verbSlot, false, before))
}

func frenchGroup(v verb, t tense, m middle, object controller, pronoun, adverb []item) (row []item) {
	if middles[m].negative && m != excluded { // "personne ne" has it
		row = append(row, word(middleSlot, true, "ne"))
	}
	if t != future {
		row = append(row, pronoun...)
	}
	var rest []item
	switch {
	case t == present:
		row = append(row, word(verbSlot, false, v.present[:]...))
	case t == future:
		row = append(row, word(futureSlot, false, goes[:]...))
		rest = append(slices.Clone(pronoun), word(verbSlot, false, v.infinitive))
	case v.imparfait != nil:
		row = append(row, word(verbSlot, false, v.imparfait[:]...))
	case v.is(être):
		row = append(row, word(verbSlot, true, be[:]...))
		rest = append(rest, word(verbSlot, false, inflected(v.participle)...))
	default:
		row = append(row, word(verbSlot, !v.auxiliary(), have[:]...))
		participle := word(verbSlot, false, v.participle)
		if object != 0 {
			participle.forms, participle.with = inflected(v.participle), object
		}
		rest = append(rest, participle)
	}
	if french := middles[m].french; french != "" {
		row = append(row, word(middleSlot, false, french))
	}
	return append(append(row, adverb...), rest...)
}

// transitives are the verbs that take a direct object: who does it to what.
var transitives = []struct {
	verb    string
	by      []class
	objects []class
	weight  float64
	without flags // what is not said with it
}{
	{"read", []class{person, speaker}, []class{text}, 5, 0},
	{"write", []class{person}, []class{text}, 4, 0},
	{"take", []class{person, speaker}, []class{thing, food}, 4, 0},
	{"sell", []class{person}, []class{thing, food, home}, 4, 0},
	{"eat", []class{person, speaker}, []class{food}, 4, 0},
	{"eat", []class{animal}, []class{food}, 6, 0},
	{"see", []class{person, speaker}, []class{person, animal, thing, building, home}, 5, alone},
	{"see", []class{animal}, []class{person, animal}, 5, alone},
	{"find", []class{person}, []class{thing, animal, text}, 4, alone},
	{"look", []class{person}, []class{thing, animal, person}, 4, alone},
	{"look", []class{animal}, []class{food, animal}, 5, alone},
	{"love", []class{person, speaker}, []class{person, animal, area, outdoors, text}, 4, alone | timed | placed},
	{"sign", []class{official}, []class{deed}, 8, 0},
	{"adopt", []class{official}, []class{deed}, 8, 0},
	{"reject", []class{official}, []class{deed}, 6, 0},
}

// particle is the English preposition that French does without.
func particle(verb string) string {
	if verb == "look" {
		return "for?/v "
	}
	return ""
}

// usable tells whether the tense and middle of the symbol go with the verb.
func (s symbol) usable(v verb) bool {
	if s.tense == past && v.is(samePast) && !middles[s.middle].support {
		return false
	}
	if v.is(feeling) && (s.tense == future || s.has(placed)) {
		return false
	}
	return !(s.has(dynamic) && v.is(state) || s.has(sudden) && !v.is(event) || s.has(ongoing) && v.is(event))
}

// phraseOf is a noun phrase that does not say more than the symbol allows.
func (s symbol) phraseOf(c class, r role) symbol {
	if r == patient && middles[s.middle].negative {
		r = lacking
	}
	return symbol{kind: nounPhrase, class: c, role: r, flags: s.flags & flat}
}

func (s symbol) predicates() (ds []draft) {
	// add adds a predicate alone, and one with an adjunct that says neither what the symbol nor what the flags forbid.
	add := func(weight float64, name string, object controller, english, french string, without flags, parts ...symbol) {
		v := verbs[name]
		if !s.usable(v) {
			return
		}
		ds = append(ds, s.group(weight, v, object, english, french, parts...))
		if s.has(single) && s.has(flat) {
			weight /= 3
		}
		where := symbol{kind: adjunct, class: s.class, tense: s.tense, middle: s.middle, flags: s.flags&(timed|placed) | without}
		parts = slices.Clone(parts)
		for i, p := range parts {
			if p.kind == nounPhrase {
				parts[i] = p.with(flat) // what follows belongs to the verb
			}
		}
		last := " $" + string(rune('1'+len(parts)))
		ds = append(ds, s.group(.6*weight, v, object, english+last, french+last, append(parts, where)...))
	}
	for _, t := range transitives {
		if !slices.Contains(t.by, s.class) {
			continue
		}
		as := patient
		if verbs[t.verb].is(feeling) {
			as = known // "she does not love a dog" would be about no dog at all in French
		}
		for _, o := range t.objects {
			add(t.weight/float64(len(t.objects)), t.verb, 0, particle(t.verb)+"$1", "$1", t.without, s.phraseOf(o, as))
		}
		if slices.Contains(t.objects, person) {
			pronoun := symbol{kind: accusative, class: s.class, tense: s.tense}
			if v := verbs[t.verb]; s.tense != past || v.is(agreeing) {
				add(t.weight/4, t.verb, 1, particle(t.verb)+"$1", "^1", t.without, pronoun)
			}
		}
	}
	switch s.class {
	case person, speaker:
		s.actions(add)
	case animal:
		add(8, "sleep", 0, "", "", 0)
		add(4, "fall", 0, "", "", 0)
		add(4, "return", 0, "", "", placed)
	case official:
		add(6, "speak", 0, "of $1", "de $1", 0, s.phraseOf(deed, oblique))
		add(3, "work", 0, "", "", 0)
	}
	if s.class == person || s.class == official {
		ds = append(ds, s.reports()...)
	}
	if !s.has(active) && s.middle != already {
		ds = append(ds, s.states()...)
	}
	if (s.class == deed || s.class == thing || s.class == text) && !(s.has(single) && s.has(active)) {
		ds = append(ds, s.passives()...)
	}
	if !s.has(single) {
		ds = append(ds, s.pairs()...)
	}
	return ds
}

// actions are what people do beside the transitive verbs.
func (s symbol) actions(add func(weight float64, name string, object controller, english, french string, without flags, parts ...symbol)) {
	add(3, "sleep", 0, "", "", alone)
	add(.6, "sleep", 0, "well", "~bien", alone)
	add(.6, "work", 0, "quickly", "vite", 0)
	for _, name := range []string{"sing", "work"} {
		add(3, name, 0, "", "", 0)
		add(.6, name, 0, "well", "~bien", 0)
		add(.6, name, 0, "slowly", "lentement", 0)
		add(.6, name, 0, "here", "ici", placed)
	}
	recipient := s.phraseOf(person, oblique)
	pronoun := symbol{kind: dative, class: s.class}
	add(3, "speak", 0, "to $1", "à $1", alone, recipient)
	add(1, "speak", 0, "$1", "^1", alone, symbol{kind: dative, class: s.class, role: oblique})
	for _, c := range []class{person, text} {
		add(1, "speak", 0, "of $1", "de $1", 0, s.phraseOf(c, oblique))
	}
	if !s.has(placed) {
		add(3, "leave", 0, "", "", placed)
		add(.6, "leave", 0, "quickly", "vite", placed)
		add(3, "return", 0, "", "", placed)
		add(1.5, "live", 0, "in $1", "à $1", placed, symbol{kind: town})
		add(1, "live", 0, "in $1", "dans $1", placed, s.phraseOf(area, located))
		add(1, "live", 0, "in $1", "dans $1", placed, s.phraseOf(home, located))
	}
	if !s.has(placed) && s.tense != future { // "is going to go"
		for _, c := range []class{building, area, outdoors} {
			add(1, "go", 0, "to $1", "à $1", placed, s.phraseOf(c, known))
		}
		add(1, "go", 0, "to $1", "à $1", placed, symbol{kind: town})
	}
	if s.class == speaker {
		return // some verbs go without their first and second persons
	}
	add(3, "fall", 0, "", "", alone)
	if !s.has(placed) {
		for _, c := range []class{building, area, outdoors} {
			add(.7, "come", 0, "from $1", "de $1", placed, s.phraseOf(c, known))
		}
		add(1, "come", 0, "from $1", "de $1", placed, symbol{kind: town})
	}
	for _, c := range []class{thing, text, food} {
		gift := s.phraseOf(c, patient)
		add(1.5, "give", 0, "$1 to $2", "$1 à $2", alone, gift.with(flat), recipient)
		add(.7, "give", 0, "$1 $2", "^1 $2", alone, pronoun, gift)
	}
	add(2, "answer", 0, "$1", "à?/v $1", alone, recipient)
	add(.8, "answer", 0, "$1", "^1", alone, pronoun)
}

// reports are what people say and think.
func (s symbol) reports() (ds []draft) {
	if s.tense != present || s.middle != plain && s.middle != often && s.middle != always && s.middle != sometimes || s.has(told) || s.has(flat) {
		return nil
	}
	for t, weight := range tenses {
		what := symbol{kind: clause, tense: tense(t), flags: later | told}
		ds = append(ds, s.group(.12*weight, verbs["say"], 0, "that/4 $1", "que/4 $1", what).holding(Reported))
	}
	return ds
}

// states are what someone or something is, and where.
func (s symbol) states() (ds []draft) {
	ds = append(ds, s.group([...]float64{8, 8, 3}[s.tense], copula, 0, "$1", "$1", symbol{kind: quality, class: s.class}).holding(Predicative))
	if !s.has(placed) {
		switch s.class {
		case person, speaker, animal, thing:
			ds = append(ds, s.group(5, copula, 0, "$1", "$1", symbol{kind: location, class: s.class}))
		case building:
			ds = append(ds, s.group(8, copula, 0, "near $1", "près de $1", symbol{kind: nounPhrase, class: area, role: known, flags: flat}).holding(Prepositional))
		}
	}
	return ds
}

// passives say what was done to something, in the past.
func (s symbol) passives() (ds []draft) {
	if s.tense != past {
		return nil
	}
	for _, t := range transitives {
		v := verbs[t.verb]
		if v.is(passive) && slices.Contains(t.objects, s.class) {
			add := func(weight float64, end string, parts ...symbol) {
				d := s.group(weight, been, 0, v.english[2]+"/5"+end, strings.Join(inflected(v.participle), "|")+"/5"+end, parts...)
				ds = append(ds, d.holding(Passive))
			}
			add(5, "")
			add(6, " $1", symbol{kind: adjunct, class: s.class, tense: past, flags: s.flags & (timed | placed)})
			if s.class == deed {
				by := symbol{kind: adjunct, class: s.class, tense: past, flags: timed | placed}
				add(5, " $1 $2", by, symbol{kind: adjunct, class: anything, tense: past, flags: s.flags & timed})
			}
		}
	}
	return ds
}

// pairs are two predicates of one subject: "sings and dances", and "buys an apple and eats it", whose pronoun is the only one
// with the gender of a noun.
func (s symbol) pairs() (ds []draft) {
	if s.middle != plain {
		return nil
	}
	first, second := s.with(single|flat|timed|active), s.with(single|flat|active)
	ds = append(ds, phrase(12, "$1 and $2", "$1 et $2", first, second).holding(Coordination))
	if s.tense != present || s.class != person {
		return ds
	}
	for _, p := range []struct {
		verbs [2]string
		class class
	}{{[2]string{"take", "eat"}, food}, {[2]string{"find", "read"}, text}, {[2]string{"find", "sell"}, thing}} {
		d := s.group(2, verbs[p.verbs[0]], 0, "$1 and/4", "$1 et/4", symbol{kind: nounPhrase, class: p.class, role: patient, flags: flat})
		v := verbs[p.verbs[1]]
		d.english = append(d.english, word(5, false, v.english[0], v.english[1], v.english[0]), item{forms: paradigms["@it"], slot: 6, with: 1})
		d.french = append(d.french, item{forms: paradigms["@le"], slot: 6, with: 1}, word(5, false, v.present[:]...))
		ds = append(ds, d.holding(Coordination, Clitic))
	}
	return ds
}

// gaps are the verbs whose object stands before them: what mary reads, the apple that she eats.
func (s symbol) gaps() (ds []draft) {
	for _, t := range transitives {
		v := verbs[t.verb]
		if !slices.Contains(t.by, s.class) || !slices.Contains(t.objects, s.object) || !s.usable(v) {
			continue
		}
		object := outer
		if s.middle == asked {
			object = 0 // what: qu'est-ce que, masculine
		} else if s.tense == past && !v.is(agreeing) {
			continue
		}
		end := strings.TrimSpace(particle(t.verb))
		ds = append(ds, s.group(t.weight, v, object, end, ""))
		if s.middle != asked {
			where := symbol{kind: adjunct, class: s.class, tense: s.tense, flags: timed | t.without}
			ds = append(ds, s.group(.2*t.weight, v, object, end+" $1", "$1", where))
		}
	}
	return ds
}

// invertedVerbs are verbs alone: in the garden sings a bird; the city where mary works.
func (s symbol) invertedVerbs() (ds []draft) {
	names := []string{"sleep"}
	if s.class == person {
		names = []string{"sleep", "sing", "work"}
	}
	if s.has(placed) { // beside "where"
		names = append(names, "live")
	}
	for _, name := range names {
		ds = append(ds, s.group(1, verbs[name], 0, "", ""))
	}
	return ds
}

// pronouns are the objects that French puts before the verb. Nobody sees or gives himself anything here: "i" and "we" go without "me" and
// "us".
func (s symbol) pronouns() []draft {
	him, her, them, to := "le", "la", "les", ""
	if s.kind == dative {
		him, her, them = "lui", "lui", "leur"
	}
	if s.role == oblique {
		to = "to? "
	}
	third := func(plural, feminine bool) agreement { return agreement{3, plural, feminine} }
	ds := []draft{phrase(3, to+"him", him).as(third(false, masculine)), phrase(3, to+"her", her).as(third(false, feminine))}
	if s.kind == dative || s.tense != past {
		ds = append(ds, phrase(3, to+"them", them).as(third(true, masculine)))
		if s.class != speaker {
			ds = append(ds, phrase(1, to+"me", "me").as(agreement{person: 1}), phrase(1, to+"us", "nous").as(agreement{person: 1, plural: true}))
		}
	}
	for i := range ds {
		ds[i] = ds[i].holding(Clitic)
	}
	return ds
}
