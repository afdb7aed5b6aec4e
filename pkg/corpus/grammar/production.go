package grammar

import (
	"fmt"
	"strings"
)

// production writes one phrase in both languages at once: each side is a row of items, which are words or the phrases inside.
// The two rows hold the same parts in the order of their own language; that is all there is to word order.
type production struct {
	weight          float64
	english, french []item
	parts           []*category
	// words is how many English words the production writes itself.
	words int
	// head is the part (from 1) that the other parts and words agree with; 0 for none.
	head int
	// agreement is what the phrase agrees as where it has no head; joint makes it the plural of its parts ("mary and john").
	agreement agreement
	joint     bool
	// front is the verb form that a question puts before the subject; the question writes it, not this production.
	front *item
	holds Set
	// content is the thing named or the quality said; distinct phrases hold none twice.
	content  content
	distinct bool

	// inside[k][n] is the weight of all ways for parts[k:] to write n words; see sample.go.
	inside [][]float64
}

// agreement is what verbs, adjectives and articles copy from a noun. The zero value means that a phrase passes none on.
type agreement struct {
	person           uint8
	plural, feminine bool
}

// item is a word of a production, or the place of a part.
type item struct {
	part int // from 1; 0 for a word
	// forms is the word; where it is inflected, three English forms (i, he, they), four French ones of nouns and adjectives
	// (masculine, feminine, and their plurals) or five of verbs (je, il, nous, vous, ils).
	forms []string
	with  controller
	// words of the two sides in the same slot of a production are linked; possible makes the link less than sure.
	slot     uint8
	possible bool
	// fronted stands for the front of the part.
	fronted    bool
	prenominal bool
}

// controller says what an item agrees with: a part where it is positive.
type controller int8

const (
	head  controller = 0  // the head of this production; without one, of the production around it
	outer controller = -1 // the head of the production around that: in a relative clause, the noun it belongs to
)

// The slots of a production. Other digits are free for its own use.
const (
	verbSlot   = 0
	middleSlot = 1
	futureSlot = 2
	ownSlot    = 3 // words without a slot of their own
	markSlot   = 8 // the first comma or full stop; the others follow
)

// paradigms are the words that templates inflect, written @le, @un and so on.
var paradigms = map[string][]string{
	"@is":    {"am", "is", "are"},
	"@it":    {"it", "it", "them"},
	"@le":    {"le", "la", "les", "les"},
	"@un":    {"un", "une", "des", "des"},
	"@ce":    {"ce", "cette", "ces", "ces"},
	"@mon":   {"mon", "ma", "mes", "mes"},
	"@votre": {"votre", "votre", "vos", "vos"},
	"@son":   {"son", "sa", "ses", "ses"},
	"@notre": {"notre", "notre", "nos", "nos"},
	"@leur":  {"leur", "leur", "leurs", "leurs"},
	"@aucun": {"aucun", "aucune", "aucuns", "aucunes"},
	"@tout":  {"tout", "toute", "tous", "toutes"},
}

// items reads a template: words and parts, divided by spaces. "$2" is the second part, "*2" too, and makes it the head; "^2/4" is
// the front of the second part, in slot 4. A word
// may name its slot ("not/1", "for/v" for the verb's) and be a possible link ("ne?/1"); @ marks a paradigm, and
// "bon|bonne|bons|bonnes" is one. Punctuation links to the
// punctuation in the same place on the other side.
func items(template string) (row []item, head int) {
	mark := uint8(markSlot)
	for field := range strings.FieldsSeq(template) {
		it := item{slot: ownSlot}
		switch field[0] {
		case '$', '*':
			it.part = int(field[1] - '0')
			if field[0] == '*' {
				head = it.part
			}
		case '^': // the front of a part
			it.fronted, it.part, it.slot = true, int(field[1]-'0'), field[3]-'0'
		case '.', ',', '?':
			it.forms, it.slot = []string{field}, mark
			mark++
		default:
			word, slot, named := strings.Cut(field, "/")
			if named {
				it.slot = verbSlot
				if slot != "v" {
					it.slot = slot[0] - '0'
				}
			}
			word, it.possible = strings.CutSuffix(word, "?")
			it.forms = strings.Split(word, "|")
			if word[0] == '@' {
				if it.forms = paradigms[word]; it.forms == nil {
					panic(fmt.Sprintf("grammar: no paradigm %s in template %q", word, template))
				}
			}
		}
		row = append(row, it)
	}
	return row, head
}

// phrase is the production of a pair of templates.
func phrase(weight float64, english, french string, parts ...symbol) draft {
	d := draft{production: production{weight: weight}, parts: parts}
	d.english, d.head = items(english)
	d.french, _ = items(french)
	return d
}

// draft is a production whose parts are still symbols.
type draft struct {
	production
	parts []symbol
}

func (d draft) holding(names ...Construction) draft {
	for _, n := range names {
		d.holds |= 1 << n
	}
	return d
}

// as gives the phrase an agreement of its own.
func (d draft) as(a agreement) draft { d.agreement = a; return d }

// leaf is the production of one name, number or noun.
func leaf(weight float64, english, french string, feminine bool) draft {
	return phrase(weight, english, french).as(agreement{person: 3, feminine: feminine})
}

// ownWords is the number of English words that a row writes itself.
func ownWords(row []item) (words int) {
	for _, it := range row {
		if it.part == 0 || it.fronted {
			words++
		}
	}
	return words
}

// content is a word that says something of its own.
type content struct {
	role speech
	word string
}

type speech uint8

const (
	naming    speech = 1 + iota // a noun or a name
	doing                       // a verb
	adorning                    // an adjective beside its noun
	asserting                   // an adjective behind "is"
)

func (d draft) saying(role speech, word string) draft { d.content = content{role, word}; return d }

func distinct(ds []draft) []draft {
	for i := range ds {
		ds[i].distinct = true
	}
	return ds
}
