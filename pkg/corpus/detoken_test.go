package corpus

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/project"
)

func TestDetokenize(t *testing.T) {
	for _, c := range []struct{ language, text string }{
		{"fr", "« Qu'est-ce qu'il y a aujourd'hui\u00a0? »"},
		{"fr", "M. Dupont a-t-il dit\u00a0: «\u00a0Donne-le-moi, s'il te plaît\u00a0!\u00a0»\u00a0?"},
		{"fr", "L'État (l'«\u00a0Europe\u00a0») a 1 000,50 €, soit 5\u00a0%\u00a0; va-t'en."},
		{"fr", "Tom dit \"oui\", puis 'non'... Vraiment\u00a0?!"},
		{"fr", "La zone économique européenne - à 20°, n° 5 - existe/existait."},
		{"en", "I don't know: he's \"well-known\", isn't he?"},
		{"en", "The dogs' bowls cost $5.50 (50%); [more]!"},
		{"en", "They say 'the boss' and 'the cats', and \"a\" 'b'."},
		{"en", "'It's rock 'n' roll of the '90s,' he said, e.g. 1/2 #5..."},
		{"es", "¿Qué? ¡No! «sí»"},
		{"zh", "我喜欢（红色的）船。OK"},
		{"", ""},
	} {
		tokenizer := Tokenizer{Language: c.language}
		tokens := tokenizer.Tokenize(c.text)
		if got := Normalize(tokenizer.Detokenize(tokens)); got != Normalize(c.text) {
			t.Errorf("%s: %q became %q, then %q", c.language, c.text, tokens, got)
		}
	}
	// The no-break spaces themselves.
	if got := (Tokenizer{Language: "fr"}).Detokenize([]string{"«", "Ah", "!", "!", "»", ":", "5", "%"}); got != "«\u00a0Ah\u00a0!!\u00a0»\u00a0: 5\u00a0%" {
		t.Errorf("got %q", got)
	}
}

// realSentences are the first n lines of one column of a gzipped TSV file in the data folder.
func realSentences(t *testing.T, folder, name string, column, n int) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("real text is left to the long tests")
	}
	dir, err := project.Data(folder)
	if errors.Is(err, project.ErrNoData) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var sentences []string
	for line, err := range ReadTSV(filepath.Join(dir, name)) {
		if err != nil {
			t.Fatal(err)
		}
		if sentences = append(sentences, [2]string{line.Source, line.Target}[column]); len(sentences) == n {
			break
		}
	}
	return sentences
}

// The inverse is measured on real sentences in three ways: the sentence comes back exactly; it comes back but for spaces
// that its author set against the rules (French without a space before ?, or with one behind an apostrophe); and the
// result is cut into the same tokens again.
func TestDetokenizeRealText(t *testing.T) {
	loose := strings.NewReplacer(" ;", ";", " :", ":", " !", "!", " ?", "?", " %", "%", "« ", "«", " »", "»", "' ", "'", " ...", "...", " $", "$")
	for _, c := range []struct {
		folder, name, language string
		column                 int
		exact, spaced, stable  float64 // least parts
	}{
		{"tatoeba_enfr", "train.tsv.gz", "en", 0, 0.9995, 0.9995, 0.9999},
		{"tatoeba_enfr", "train.tsv.gz", "fr", 1, 0.995, 0.999, 0.9999},
		{"europarl_enfr", "train.0.tsv.gz", "en", 0, 0.98, 0.98, 0.9999},
		{"europarl_enfr", "train.0.tsv.gz", "fr", 1, 0.89, 0.99, 0.9995},
		{"europarl_enfr", "train.short15.tsv.gz", "fr", 1, 0.85, 0.99, 0.9995},
	} {
		t.Run(c.name+" "+c.language, func(t *testing.T) {
			tokenizer := Tokenizer{Language: c.language}
			sentences := realSentences(t, c.folder, c.name, c.column, 20000)
			var exact, spaced, stable float64
			for _, text := range sentences {
				tokens := tokenizer.Tokenize(text)
				back := tokenizer.Detokenize(tokens)
				want, got := Normalize(text), Normalize(back)
				if got == want {
					exact++
				}
				if loose.Replace(got) == loose.Replace(want) {
					spaced++
				}
				if slices.Equal(tokenizer.Tokenize(back), tokens) {
					stable++
				}
			}
			n := float64(len(sentences))
			t.Logf("of %.0f sentences %.0f exact, %.0f but for misplaced spaces, %.0f the same tokens", n, exact, spaced, stable)
			if exact/n < c.exact || spaced/n < c.spaced || stable/n < c.stable {
				t.Errorf("want at least %g, %g, %g", c.exact, c.spaced, c.stable)
			}
		})
	}
}

func BenchmarkTokenize(b *testing.B) {
	text := "L'exportateur bénéficierait, dans le pays d'importation, d'un crédit douanier égal aux droits de douane supportés ; a-t-il tort ?"
	b.SetBytes(int64(len(text)))
	french := Tokenizer{Language: "fr"}
	for b.Loop() {
		french.Tokenize(text)
	}
}
