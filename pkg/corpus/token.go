package corpus

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// Tokenizer cuts a sentence into tokens and puts it together again. The zero value suits any language written with spaces.
//
// Words are found by Unicode's rules (UAX #29) and then joined and split as the language wants it:
//
//   - everywhere: compounds stay whole (well-known, arc-en-ciel, R&D), as do numbers (1,000.50, 10:30), abbreviations with their
//     full stop (Mr., etc., U.S.), addresses (https://…) and runs of full stops or hyphens (..., --). A space separates tokens
//     always, so that the French 1 000,50 is two;
//   - French ("fr"): the elided words l' d' qu' j' n' s' c' m' t' jusqu' lorsqu' puisqu' quoiqu' keep their apostrophe and part
//     from the next word; aujourd'hui, prud'homme, quelqu'un, presqu'île and c'est-à-dire stay whole. Pronouns behind a verb and
//     -ci, -là part with their hyphen: dit -il, a -t-il, donne -le -moi, va -t' en; rendez-vous stays whole;
//   - English ("en"): contractions part as in the Penn Treebank: do n't, ca n't, I 'm, it 's, the dog 's, the dogs '.
//
// Tokens never contain spaces, and together they are the normalised text without its spaces: nothing is lost, nothing added.
type Tokenizer struct {
	// Language is a BCP 47 code; only its first part counts ("fr-CA" is "fr").
	Language string
	// Characters makes a token of every user-perceived character instead, and of every space a "␣"; a "␣" in the text itself becomes
	// "␣␣". For scripts written without spaces; see [Unspaced].
	Characters bool
	// Lower turns letters into lower case.
	Lower bool
}

// Where tokens are characters, spaceToken stands for a space, and spaceLiteral for the character that spaceToken is.
const (
	spaceToken   = "␣"
	spaceLiteral = spaceToken + spaceToken
)

// Tokenize normalises text with [Normalize] and cuts it into tokens. Text without any is nil.
func (t Tokenizer) Tokenize(text string) []string {
	text = Normalize(text)
	var tokens []string
	if t.Characters {
		for g := graphemes.FromString(text); g.Next(); {
			switch g.Value() {
			case " ":
				tokens = append(tokens, spaceToken)
			case spaceToken:
				tokens = append(tokens, spaceLiteral)
			default:
				tokens = append(tokens, t.cased(g.Value()))
			}
		}
		return tokens
	}
	language := t.language()
	for rest := text; rest != ""; {
		var chunk string
		chunk, rest, _ = strings.Cut(rest, " ")
		for _, word := range join(segments(chunk), language, rest == "") {
			for _, token := range split(word, language) {
				tokens = append(tokens, t.cased(token))
			}
		}
	}
	return tokens
}

func (t Tokenizer) cased(token string) string {
	if !t.Lower {
		return token
	}
	return norm.NFC.String(strings.ToLower(token))
}

// language is the first part of the language code.
func (t Tokenizer) language() string {
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(t.Language), "_", "-"), "-")
	return base
}

var address = regexp.MustCompile(`^(?:https?://|www\.)[^\s]*[\pL\pN/]`)

// segments cuts a piece of text without spaces at Unicode's word boundaries; an address at its beginning is one segment.
func segments(chunk string) []string {
	var s []string
	if strings.HasPrefix(chunk, "http") || strings.HasPrefix(chunk, "www.") {
		at := address.FindString(chunk)
		if chunk = chunk[len(at):]; at != "" {
			s = append(s, at)
		}
	}
	for w := words.FromString(chunk); w.Next(); {
		s = append(s, w.Value())
	}
	return s
}

// join puts together what Unicode's rules take apart but a reader does not. last tells that nothing follows the segments.
func join(s []string, language string, last bool) []string {
	if len(s) == 1 {
		return s
	}
	var joined []string
	for i := 0; i < len(s); i++ {
		first := i                   // the token is s[first:i+1]
		next := func(k int) string { // the k-th segment behind it
			if i+k < len(s) {
				return s[i+k]
			}
			return ""
		}
		switch s[i] {
		case ".", "-":
			for next(1) == s[i] {
				i++
			}
			if i == 0 && s[i] == "-" && number(next(1)) { // a negative number
				i++
			}
		case "'":
			if i == 0 && language == "en" && clipped(next(1)) {
				i++
				if s[i] == "n" && next(1) == "'" { // rock 'n' roll
					i++
				}
			}
		}
		for more := true; more && (wordly(s[i]) || s[i] == "." && i > first && wordly(s[i-1])); {
			more = true
			switch mark := next(1); {
			case mark == "." && next(2) != "." && abbreviation(s[i], language, last && i+2 >= len(s)):
				i++
			case (hyphen(mark) || mark == "&" || mark == "@") && wordly(next(2)):
				i += 2
			case mark == "-" && next(2) != "-": // pre- and post-war
				i++
				more = false
			case mark == ":" && number(s[i]) && number(next(2)):
				i += 2
			case mark == "'" && language == "en" && contraction(s[i]+"'"+next(2)) > 0: // the 1990's
				i += 2
			case mark == "'" && language == "fr" && elided(s[i]+"'"): // before a quotation mark or a number
				i++
				more = false
			case mark == "°" && strings.EqualFold(s[i], "n"):
				i++
				more = false
			default:
				more = false
			}
		}
		joined = append(joined, strings.Join(s[first:i+1], ""))
	}
	return joined
}

// wordly tells whether a segment ends as a word does.
func wordly(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return alphanumeric(last) || unicode.IsMark(last)
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func number(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(first)
}

func hyphen(s string) bool { return s == "-" || s == "‐" || s == "‑" }

// clipped tells whether a word is one that English writes with an apostrophe in front.
func clipped(s string) bool {
	switch strings.ToLower(s) {
	case "em", "til", "till", "cause", "tis", "twas", "bout", "n":
		return true
	}
	return decade.MatchString(s)
}

var decade = regexp.MustCompile(`^[0-9][0-9]s?$`) // '68, '90s

// abbreviation tells whether a full stop behind word belongs to it. final says that the full stop ends the text: there it is
// taken for the end of the sentence behind words that also stand without one.
func abbreviation(word, language string, final bool) bool {
	letters := strings.Split(word, ".")
	single := true
	for _, l := range letters {
		r, size := utf8.DecodeRuneInString(l)
		single = single && size == len(l) && unicode.IsLetter(r)
	}
	switch {
	case single && len(letters) > 1: // U.S., e.g., p.m.
		return true
	case single: // J. Smith, M. Dupont, but not: plan B.
		return !final && unicode.IsUpper([]rune(word)[0])
	}
	switch lower := strings.ToLower(word); language {
	case "en":
		switch lower {
		case "etc", "vs", "viz", "cf", "inc", "ltd", "corp":
			return true
		case "mr", "mrs", "ms", "dr", "prof", "st", "rev", "gen", "col", "sgt", "capt", "lt", "gov", "sen", "rep", "jr", "sr", "messrs", "nos", "pp", "approx":
			return !final
		}
	case "fr":
		switch lower {
		case "etc", "cf":
			return true
		case "mm", "pr", "dr", "prof", "st", "ste", "av", "bd", "art", "al", "éd", "env", "pp", "vol", "chap":
			return !final
		}
	}
	return false
}

// elided tells whether a token is a French word that has lost its vowel to the next one.
func elided(token string) bool {
	word, apostrophe := strings.CutSuffix(strings.ToLower(token), "'")
	if !apostrophe {
		return false
	}
	switch word {
	case "l", "d", "qu", "j", "n", "s", "c", "m", "t", "-m", "-t", "-l", "jusqu", "lorsqu", "puisqu", "quoiqu":
		return true
	}
	return false
}

// behindVerb matches what French hangs on a verb or noun with hyphens: -il, -t-elle, -le-moi, -nous-en, -ci, -là, -m'en.
var (
	behindVerb = regexp.MustCompile(`(?i)^([\pL\pN].*?)((?:` + clitic + `)*(?:` + clitic + `|-[mtl]'(?:en|y)))$`)
	oneClitic  = regexp.MustCompile(`(?i)` + clitic + `|-[mtl]'|en|y`)
)

const clitic = `-(?:t-(?:ils?|elles?|on)|je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|y|en|ci|là)`

// split takes a word apart as its language wants it.
func split(word, language string) []string {
	switch {
	case language == "fr" && strings.ContainsAny(word, "'-"):
		return splitFrench(word)
	case language == "en" && strings.Contains(word, "'"):
		return splitEnglish(word)
	}
	return []string{word}
}

func splitFrench(word string) []string {
	var tokens []string
	for !wholeInFrench(word) {
		cut := strings.Index(word, "'") + 1
		if cut == 0 || cut == len(word) || !elided(word[:cut]) {
			break
		}
		tokens, word = append(tokens, word[:cut]), word[cut:]
	}
	if strings.Contains(word, "-") && !wholeInFrench(word) {
		if m := behindVerb.FindStringSubmatch(word); m != nil {
			return append(append(tokens, m[1]), oneClitic.FindAllString(m[2], -1)...)
		}
	}
	return append(tokens, word)
}

// wholeInFrench tells whether a word stays whole although its parts look like words of their own.
func wholeInFrench(word string) bool {
	if len(word) > len("qu'en-dira-t-on") {
		return false
	}
	switch strings.ToLower(word) {
	case "c'est-à-dire", "rendez-vous", "qu'en-dira-t-on", "chez-moi", "chez-toi", "chez-lui", "chez-elle", "chez-nous", "chez-vous":
		return true
	}
	return false
}

func splitEnglish(word string) []string {
	var tokens []string
	for cut := contraction(word); cut > 0; cut = contraction(word) {
		tokens, word = append(tokens, word[cut:]), word[:cut]
	}
	tokens = append(tokens, word)
	slices.Reverse(tokens)
	return tokens
}

// contraction is where the last contracted word of an English token begins, as in do|n't, I|'m, would|'ve; 0 where none does.
func contraction(word string) int {
	cut := strings.LastIndexByte(word, '\'')
	if cut < 1 || len(word)-cut > len("'re") {
		return 0
	}
	switch strings.ToLower(word[cut:]) {
	case "'s", "'m", "'d", "'re", "'ve", "'ll":
	case "'t":
		if cut--; word[cut]|0x20 != 'n' {
			return 0
		}
	default:
		return 0
	}
	if !wordly(word[:cut]) && !strings.HasSuffix(word[:cut], ".") {
		return 0
	}
	return cut
}
