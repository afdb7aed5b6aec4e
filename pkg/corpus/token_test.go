package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTokenize(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		// French: elision.
		{"fr", "L'ami d'Anne qu'il n'a jamais vu s'appelle Luc.", "L' ami d' Anne qu' il n' a jamais vu s' appelle Luc ."},
		{"fr", "J'espère que c'est toi, m'a-t-elle dit.", "J' espère que c' est toi , m' a -t-elle dit ."},
		{"fr", "Jusqu'à ce que, lorsqu'il, puisqu'on, quoiqu'elle", "Jusqu' à ce que , lorsqu' il , puisqu' on , quoiqu' elle"},
		{"fr", "Qu'est-ce qu'il y a aujourd’hui ?", "Qu' est -ce qu' il y a aujourd'hui ?"},
		{"fr", "d'aujourd'hui", "d' aujourd'hui"},
		{"fr", "quelqu'un, quelqu'une, un prud'homme, la presqu'île, c'est-à-dire", "quelqu'un , quelqu'une , un prud'homme , la presqu'île , c'est-à-dire"},
		{"fr", "l' « Europe » de l' Union", "l' « Europe » de l' Union"},
		{"fr", `l'"Europe" et l'«axe»`, `l' " Europe " et l' « axe »`},
		{"fr", "près d'1 % de l'État", "près d' 1 % de l' État"},
		{"fr", "L'ARC-EN-CIEL D’ÉTÉ", "L' ARC-EN-CIEL D' ÉTÉ"},
		{"fr", "O'Brien et rock'n'roll", "O'Brien et rock'n'roll"},
		// French: hyphens.
		{"fr", "dit-il, a-t-il, va-t-on, puis-je, est-ce", "dit -il , a -t-il , va -t-on , puis -je , est -ce"},
		{"fr", "Donne-le-moi, allez-vous-en, va-t'en, donnez-m'en, vas-y !", "Donne -le -moi , allez -vous -en , va -t' en , donnez -m' en , vas -y !"},
		{"fr", "cet homme-là, celui-ci, là-bas, au-delà", "cet homme -là , celui -ci , là-bas , au-delà"},
		{"fr", "un rendez-vous, peut-être, un arc-en-ciel, vis-à-vis, un cessez-le-feu, Aix-en-Provence", "un rendez-vous , peut-être , un arc-en-ciel , vis-à-vis , un cessez-le-feu , Aix-en-Provence"},
		// French: punctuation, numbers, abbreviations.
		{"fr", "« Quoi\u202f? »\u00a0dit\u00a0: non\u00a0; oui…", "« Quoi ? » dit : non ; oui …"},
		{"fr", "1\u202f000,50 € ou 1 000,50 €", "1 000,50 € ou 1 000,50 €"},
		{"fr", "M. Dupont et MM. X et Y, etc. à 10:30, n° 5", "M. Dupont et MM. X et Y , etc. à 10:30 , n° 5"},
		{"fr", "Il vit à l'hôtel M.", "Il vit à l' hôtel M ."},
		{"fr", "Attends... Vraiment ?!", "Attends ... Vraiment ? !"},
		// English.
		{"en", "I don't, can't, won't; I'm, he's, we'd've", "I do n't , ca n't , wo n't ; I 'm , he 's , we 'd 've"},
		{"en", "DON’T!", "DO N'T !"},
		{"en", "the 1990's, the U.S.'s, J.-P. Smith-Jones's; 's, n't", "the 1990 's , the U.S. 's , J.-P. Smith-Jones 's ; ' s , n't"},
		{"en", "The dog's bowl, the dogs' bowls.", "The dog 's bowl , the dogs ' bowls ."},
		{"en", "o'clock, O'Brien's, ma'am, '68, the '90s, 'em, rock 'n' roll", "o'clock , O'Brien 's , ma'am , '68 , the '90s , 'em , rock 'n' roll"},
		{"en", "A well-known mother-in-law (pre- and post-war) -- R&D -", "A well-known mother-in-law ( pre- and post-war ) -- R&D -"},
		{"en", "Mr. J. Smith of the U.S. said, e.g., plan B.", "Mr. J. Smith of the U.S. said , e.g. , plan B ."},
		{"en", "It costs $1,000.50, i.e. 50% at -5 degrees.", "It costs $ 1,000.50 , i.e. 50 % at -5 degrees ."},
		{"en", "See https://example.org/a?b=c-d, or www.example.org, or me@example.org.", "See https://example.org/a?b=c-d , or www.example.org , or me@example.org ."},
		{"en", `"Go," she said. "Now..."`, `" Go , " she said . " Now ... "`},
		{"en-GB", "it's", "it 's"},
		{"EN_us", "it's", "it 's"},
		// Any language.
		{"", "don't l'ami dit-il", "don't l'ami dit-il"},
		{"ru", "Привет, мир!", "Привет , мир !"},
		{"he", "שלום, עולם!", "שלום , עולם !"},
		{"zh", "我喜欢船。", "我 喜 欢 船 。"},
		{"fr", "", ""},
		{"fr", " \u00a0\ufeff", ""},
		{"en", "tag </s> <unk> ||| ok", "tag < / s > < unk > | | | ok"},
	} {
		if got := strings.Join(Tokenizer{Language: c.language}.Tokenize(c.text), " "); got != c.want {
			t.Errorf("%s: %q became\n\t%s, want\n\t%s", c.language, c.text, got, c.want)
		}
	}
}

func TestTokenizeLower(t *testing.T) {
	for text, want := range map[string]string{
		"L'Île de M. D'Artagnan": "l' île de m. d' artagnan",
		"ÉTÉ":                    "été",
		"E\u0301te\u0301":        "été",
	} {
		if got := strings.Join(Tokenizer{Language: "fr", Lower: true}.Tokenize(text), " "); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestCharacters(t *testing.T) {
	c := Tokenizer{Characters: true}
	for _, text := range []string{"我喜欢红色的船", "a bé  c", "👩\u200d🚀!", "e\u0301", "a␣b c ␣␣ ␣\u0301"} {
		tokens := c.Tokenize(text)
		if back := c.Detokenize(tokens); back != Normalize(text) {
			t.Errorf("%q became %q, then %q", text, tokens, back)
		}
	}
	if got := c.Tokenize("我喜欢红色的船"); len(got) != 7 {
		t.Errorf("tokens %q", got)
	}
	if got := strings.Join(c.Tokenize("a 👩\u200d🚀"), "|"); got != "a|␣|👩\u200d🚀" {
		t.Errorf("tokens %q", got)
	}
	if got := c.Tokenize("\u200b "); got != nil {
		t.Errorf("tokens %q of nothing", got)
	}
}

// The same sentence in composed and decomposed letters is the same ids.
func TestDecomposedAccents(t *testing.T) {
	french := Tokenizer{Language: "fr"}
	v, err := NewVocabulary(slices.Values([][]string{french.Tokenize("le café est fermé ici")}), VocabularyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ids := v.Encode(french.Tokenize("le cafe\u0301 est ferme\u0301 ici"))
	if !slices.Equal(ids, v.Encode(french.Tokenize("le café est fermé ici"))) || slices.Contains(ids, UNK) {
		t.Errorf("ids %v", ids)
	}
}

// Text in any script is kept: all its words are known to a vocabulary made of it.
func TestOtherScriptsAreKept(t *testing.T) {
	for _, text := range []string{"Привет, мир!", "שלום", "مرحبا بالعالم", "Γειά σου Κόσμε", "नमस्ते दुनिया", "안녕 세상"} {
		tokens := Tokenizer{}.Tokenize(text)
		if strings.Join(tokens, "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q became %q", text, tokens)
		}
		v, err := NewVocabulary(slices.Values([][]string{tokens}), VocabularyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if rate := v.UnknownRate(slices.Values([][]string{tokens})); rate != 0 {
			t.Errorf("%q: unknown rate %g", text, rate)
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"", "l'«", "'n' '90s", "a-t-il-le-", "-t'en", "..--..", "U.S.", "e\u0301' \u0301-", "n°n°", "https://", "10:30:1", "«»'\"'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, language := range []string{"", "en", "fr"} {
			tokenizer := Tokenizer{Language: language}
			tokens := tokenizer.Tokenize(text)
			if slices.Contains(tokens, "") || strings.Contains(strings.Join(tokens, ""), " ") {
				t.Errorf("%s: %q became %q", language, text, tokens)
			}
			solid := strings.ReplaceAll(Normalize(text), " ", "")
			if got := strings.Join(tokens, ""); got != solid {
				t.Errorf("%s: %q became %q, which holds %q, not %q", language, text, tokens, got, solid)
			}
			back := tokenizer.Detokenize(tokens)
			if got := strings.NewReplacer(" ", "", "\u00a0", "").Replace(back); got != solid {
				t.Errorf("%s: %q became %q, then %q", language, text, tokens, back)
			}
		}
		characters := Tokenizer{Characters: true}
		if got := characters.Detokenize(characters.Tokenize(text)); got != Normalize(text) {
			t.Errorf("characters: %q became %q", text, got)
		}
	})
}

// Time grows with the length of a sentence, not with its square, whatever it is made of.
func TestTokenizeLongSentences(t *testing.T) {
	for _, unit := range []string{"a-", "a'", "l'", "s ' ", "-le", "a.-", "'", "\"", "a&", "n't", "1:", "d's", "e\u0301", " .", "-t'en", "a "} {
		text := strings.Repeat(unit, 20000/len(unit))
		for _, language := range []string{"", "en", "fr"} {
			tokenizer := Tokenizer{Language: language}
			if got := strings.Join(tokenizer.Tokenize(text), ""); got != strings.ReplaceAll(Normalize(text), " ", "") {
				t.Errorf("%q, %s: not the same text", unit, language)
			}
		}
	}
}

func ExampleTokenizer_Tokenize() {
	french := Tokenizer{Language: "fr"}
	tokens := french.Tokenize("« L’accord n'a-t-il pas été signé aujourd'hui ? »")
	fmt.Println(strings.Join(tokens, " | "))
	fmt.Println(Normalize(french.Detokenize(tokens))) // no-break spaces as plain ones
	// Output:
	// « | L' | accord | n' | a | -t-il | pas | été | signé | aujourd'hui | ? | »
	// « L'accord n'a-t-il pas été signé aujourd'hui ? »
}
