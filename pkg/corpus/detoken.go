package corpus

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Detokenize is the inverse of [Tokenizer.Tokenize]: it writes tokens as a sentence with the spacing of the language. In French
// a no-break space stands inside « » and before ; : ! ? %. Straight quotation marks are taken to open and close in turn. Where
// a text has this spacing, Detokenize gives it back, up to [Normalize].
func (t Tokenizer) Detokenize(tokens []string) string {
	var b strings.Builder
	if t.Characters {
		for _, token := range tokens {
			switch token {
			case spaceToken:
				token = " "
			case spaceLiteral:
				token = spaceToken
			}
			b.WriteString(token)
		}
		return b.String()
	}
	d := detokenizer{language: t.language(), tokens: tokens}
	after := glued
	for i, token := range tokens {
		before, next := d.gaps(i)
		switch min(after, before) {
		case fixed:
			b.WriteRune('\u00a0')
		case plain:
			b.WriteByte(' ')
		}
		b.WriteString(token)
		after = next
	}
	return b.String()
}

// gap is what stands between two tokens. Each of the two has a wish; the smaller one is done.
type gap int

const (
	glued gap = iota // nothing
	fixed            // a no-break space
	plain            // a space
)

type detokenizer struct {
	language string
	tokens   []string
	open     [2]bool // inside "…", inside '…'
}

// gaps are the gaps that token i wishes for before and behind itself. It is to be called for every token in turn.
func (d *detokenizer) gaps(i int) (before, after gap) {
	token := d.tokens[i]
	french := d.language == "fr"
	switch token {
	case ",", ".", "...", "…", ")", "]", "}", "”", "°", "¢":
		return glued, plain
	case "(", "[", "{", "“", "„", "¿", "¡", "#":
		return plain, glued
	case "/":
		return glued, glued
	case ";", ":", "!", "?", "‽", "%":
		if french && !(i > 0 && strings.Contains("!?", d.tokens[i-1])) {
			return fixed, plain
		}
		return glued, plain
	case "«":
		if french {
			return plain, fixed
		}
		return plain, glued
	case "»":
		if french {
			return fixed, plain
		}
		return glued, plain
	case "$", "£", "€":
		if !french && i+1 < len(d.tokens) && number(d.tokens[i+1]) {
			return plain, glued
		}
	case `"`, "'":
		open := &d.open[strings.Index(`"'`, token)]
		if !*open && token == "'" && d.possessive(i) {
			return glued, plain
		}
		if *open = !*open; *open {
			return plain, glued
		}
		return glued, plain
	}
	before, after = plain, plain
	switch {
	case d.language == "en" && contraction("x"+token) == 1:
		before = glued
	case french && len(token) > 1 && oneClitic.FindString(token) == token && token[0] == '-':
		before = glued
	}
	if french && elided(token) {
		after = glued
	}
	if first, _ := utf8.DecodeRuneInString(token); solid(first) {
		before = glued
	}
	if last, _ := utf8.DecodeLastRuneInString(token); solid(last) {
		after = glued
	}
	return before, after
}

// possessive tells whether the apostrophe i, which closes no quotation, ends a word as in "the dogs' bowl" rather than opening
// a quotation: it does behind an s, unless another apostrophe follows that could close the quotation.
func (d *detokenizer) possessive(i int) bool {
	return i > 0 && strings.HasSuffix(strings.ToLower(d.tokens[i-1]), "s") && !slices.Contains(d.tokens[i+1:], "'")
}

// solid tells whether r belongs to a script that puts no spaces around it: the letters, and the full-width punctuation.
func solid(r rune) bool {
	return withoutSpaces(r) || r >= '\u3000' && r <= '\u303f' || r >= '\uff00' && r <= '\uff65' && !unicode.IsLetter(r)
}
