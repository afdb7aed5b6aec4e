package grammar

import (
	"strings"
	"unicode/utf8"
)

// What French words do to each other when they meet, and English "a" with them. The sampled tree gives every word in its full
// form ("de le homme"); these rules make "de l' homme" of it.

// token is a word on its way into a sentence.
type token struct {
	text string
	// plural keeps "vieux amis" from becoming "vieil amis"; prenominal tells an adjective before its noun, where "des" is "de".
	plural, prenominal bool
	// anchors say what the word stands for: words of the two sides with a common anchor are linked.
	anchors [2]anchor
}

// anchor ties words of both sides together: slot is a place in node, the node counted from 1. A link is possible, not sure,
// where either end is.
type anchor struct {
	node     int32
	slot     uint8
	possible bool
}

// smooth applies elision (l' ami), the forms before a vowel (bel ami, mon amie), "de" for "des" before an adjective, and the
// contraction of "de" and "à" with the article. It goes from the last word to the first, because the form of a word depends on
// the word behind it as that one comes out. It works in place and tells which of the two constructions it met.
func smooth(words []token) (_ []token, holds Set) {
	next := token{}
	free := len(words) // words[free:] is done
	for i := len(words) - 1; i >= 0; i-- {
		w := words[i]
		if w.text == "des" && next.prenominal {
			w.text = "de"
		}
		if form := beforeSound(w, next.text); form != w.text {
			w.text = form
			if strings.HasSuffix(form, "'") {
				holds |= 1 << Elision
			}
		}
		if form := contracted(w.text, next.text); form != "" {
			w.text = form
			w.anchors[1] = next.anchors[0]
			free++
			holds |= 1 << Contraction
		}
		free--
		words[free] = w
		next = w
	}
	return words[free:], holds
}

// beforeSound is the form that a word takes before the next one.
func beforeSound(w token, next string) string {
	if w.text == "si" && (next == "il" || next == "ils") {
		return "s'"
	}
	if !vowel(next) {
		return w.text
	}
	switch w.text {
	case "le", "la":
		return "l'"
	case "de", "que", "ne", "je", "me":
		return strings.TrimSuffix(w.text, "e") + "'"
	case "ma":
		return "mon"
	case "sa":
		return "son"
	case "ce":
		return "cet"
	}
	if w.prenominal && !w.plural { // but: le village est beau et vieux
		switch w.text {
		case "beau":
			return "bel"
		case "nouveau":
			return "nouvel"
		case "vieux":
			return "vieil"
		}
	}
	return w.text
}

// contracted is what "de" and "à" become with the article behind them; empty where they stay apart.
func contracted(preposition, article string) string {
	switch preposition + " " + article {
	case "de le":
		return "du"
	case "de les":
		return "des"
	case "à le":
		return "au"
	case "à les":
		return "aux"
	}
	return ""
}

// vowel tells whether a word begins with a vowel sound, to which the word before it yields.
func vowel(word string) bool {
	if aspirated(word) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(word)
	return strings.ContainsRune("aàâeéèêëiîïoôuûyh", first)
}

// aspirated lists the words with an h aspiré, before which nothing is elided: le hibou, du haricot, beau héros; and "huit",
// "oui", which behave like them.
func aspirated(word string) bool {
	switch word {
	case "héros", "hibou", "hiboux", "haricot", "haricots", "harpe", "harpes", "huit", "oui":
		return true
	}
	return false
}

// indefinite puts "an" for "a" before a vowel sound.
func indefinite(words []token) {
	for i := range len(words) - 1 {
		if next := words[i+1].text; words[i].text == "a" && strings.ContainsRune("aeiou", rune(next[0])) && next != "european" && next != "useful" {
			words[i].text = "an"
		}
	}
}
