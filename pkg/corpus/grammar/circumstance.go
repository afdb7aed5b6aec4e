package grammar

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
