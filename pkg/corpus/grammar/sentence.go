package grammar

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
