package grammar

import (
	"slices"
	"strings"

	"seq2attn/pkg/corpus"
)

// Sentence is a pair that knows its constructions.
type Sentence struct {
	corpus.Pair
	// Holds says which constructions it has.
	Holds Set
}

// context is what the words of a phrase agree with.
type context struct{ head, outer agreement }

// agrees is the agreement that a phrase passes on: that of its head.
func (n *node) agrees() agreement {
	switch {
	case n.head > 0:
		return n.parts[n.head-1].agrees()
	case n.joint:
		all := agreement{person: 3, plural: true, feminine: true}
		for _, part := range n.parts[:len(n.production.parts)] {
			all.feminine = all.feminine && part.agrees().feminine
		}
		return all
	}
	return n.agreement
}

// inner is the context inside n.
func (n *node) inner(c context) context {
	if a := n.agrees(); a.person != 0 {
		return context{head: a, outer: c.head}
	}
	return c
}

// form is the form of an inflected word in its context.
func (n *node) form(it *item, c context) (form string, a agreement) {
	switch it.with {
	case head:
		a = c.head
	case outer:
		a = c.outer
	default:
		a = n.parts[it.with-1].agrees()
	}
	i := 0
	switch len(it.forms) {
	case 3: // i, he, they
		switch {
		case a.plural:
			i = 2
		case a.person == 3:
			i = 1
		}
	case 4: // masculine, feminine, masculine plural, feminine plural
		if a.feminine {
			i++
		}
		if a.plural {
			i += 2
		}
	case 5: // je, il, nous, vous, ils
		switch {
		case a.plural:
			i = 1 + int(a.person)
		case a.person == 3:
			i = 1
		}
	}
	return it.forms[i], a
}

// write appends one side of a phrase to words.
func (n *node) write(words []token, row func(*production) []item, c context) []token {
	c = n.inner(c)
	side := row(n.production)
	for i := range side {
		it := &side[i]
		anchors := [2]anchor{{n.id, it.slot, it.possible}}
		switch {
		case it.fronted:
			question := n.parts[it.part-1]
			anchors[1] = anchor{question.id, question.front.slot, question.front.possible}
			text, _ := question.form(question.front, c)
			words = append(words, token{text: text, anchors: anchors})
		case it.part > 0:
			words = n.parts[it.part-1].write(words, row, c)
		default:
			text, a := n.form(it, c)
			words = append(words, token{text: text, anchors: anchors, prenominal: it.prenominal, plural: a.plural})
		}
	}
	return words
}

func english(p *production) []item { return p.english }
func french(p *production) []item  { return p.french }

// constructions are those of all productions of a phrase.
func (n *node) constructions() Set {
	set := n.holds
	for _, part := range n.parts[:len(n.production.parts)] {
		set |= part.constructions()
	}
	return set
}

// writer makes sentences of sampled trees, in buffers that it uses again.
type writer struct{ source, target []token }

// english writes the source side alone: enough to see which sentence it is.
func (w *writer) english(root *node) []string {
	w.source = root.write(w.source[:0], english, context{})
	indefinite(w.source)
	return texts(w.source)
}

// sentence writes the target side behind the source that english has just written, and links them.
func (w *writer) sentence(root *node, source []string) Sentence {
	s := Sentence{Pair: corpus.Pair{Source: source}, Holds: root.constructions()}
	w.target = root.write(w.target[:0], french, context{})
	target, met := smooth(w.target)
	s.Holds |= met
	s.Target = texts(target)
	s.Links = links(w.source, target)
	return s
}

func texts(words []token) []string {
	s := make([]string, len(words))
	for i, w := range words {
		s[i] = w.text
	}
	return s
}

// links joins the words that share an anchor, in order of the source, then of the target.
func links(source, target []token) []corpus.Link {
	all := make([]corpus.Link, 0, len(target)+len(target)/4)
	for i := range source {
		for j := range target {
			if linked, possible := meet(&source[i], &target[j]); linked {
				all = append(all, corpus.Link{Source: i, Target: j, Possible: possible})
			}
		}
	}
	return slices.Clip(all)
}

// meet tells whether two words share an anchor, and whether none of those they share is sure.
func meet(s, t *token) (linked, possible bool) {
	possible = true
	for i := range s.anchors {
		for j := range t.anchors {
			if a, b := &s.anchors[i], &t.anchors[j]; a.node != 0 && a.node == b.node && a.slot == b.slot {
				linked = true
				possible = possible && (a.possible || b.possible)
			}
		}
	}
	return linked, possible
}

// joined is a sentence as a key.
func joined(words []string) string { return strings.Join(words, " ") }
