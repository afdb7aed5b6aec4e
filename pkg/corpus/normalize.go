package corpus

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalize gives text the one spelling that tokens are made of: NFC; ' for the apostrophes ’ ‘ ʼ; one plain space for every
// run of white space, carriage returns and no-break spaces included, none at the ends; no byte-order marks, zero-width
// spaces, soft hyphens, direction marks or control characters. Bytes that are no UTF-8 become U+FFFD; the readers of this
// package report them instead.
func Normalize(text string) string {
	if normal(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case invisible(r):
			continue
		case r == '’' || r == '‘' || r == 'ʼ':
			r = '\''
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// normal tells, for most text in English, that it is normalised already.
func normal(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c >= 0x7f || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' ' || text == ""
}

// invisible tells whether r shows nothing and joins nothing. The joiners U+200C and U+200D stay: Persian and emoji need them.
func invisible(r rune) bool {
	if r < '\u2000' {
		return r == '\u00ad' || unicode.IsControl(r)
	}
	switch r {
	case '\u200b', '\u200e', '\u200f', '\u2060', '\ufeff':
		return true
	}
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// Unspaced tells whether most letters of text belong to scripts written without spaces between words, such as Chinese, Japanese
// or Thai: cut into words by spaces and punctuation such a text is useless, and [Tokenizer.Characters] is called for.
func Unspaced(text string) bool {
	if !strings.ContainsFunc(text, withoutSpaces) {
		return false
	}
	letters, unspaced := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if withoutSpaces(r) {
				unspaced++
			}
		}
	}
	return 2*unspaced > letters
}

func withoutSpaces(r rune) bool {
	const first = '\u0e00' // no such script lies below Thai
	return r >= first && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
