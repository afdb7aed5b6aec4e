package corpus

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"decomposed accents", "le cafe\u0301 est ferme\u0301 ici", "le café est fermé ici"},
		{"typographic apostrophes", "l’ami ‘dit’ ʼn", "l'ami 'dit' 'n"},
		{"byte-order mark", "\ufeffBonjour", "Bonjour"},
		{"carriage returns", "a\rb\r\n", "a b"},
		{"no-break spaces", "« Quoi\u202f! »\u00a0\u2009", "« Quoi ! »"},
		{"zero width", "a\u200bb\u2060c\u00add\u200ee", "abcde"},
		{"zero width between a letter and its accent", "e\u200b\u0301", "é"},
		{"joiners", "👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"},
		{"control characters", "a\x00b\x7fc\u0085d", "abc d"},
		{"bad UTF-8", "a\xffb", "a\ufffdb"},
		{"white space only", " \t\r\n\u00a0\u2028", ""},
		{"other scripts", "Привет, мир! שלום 船", "Привет, мир! שלום 船"},
	} {
		if got := Normalize(c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"", "e\u200b\u0301", "a\xff\u2028 b", "\u0344\u0387\u2000", "\u1fef\u037e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := Normalize(text)
		if again := Normalize(n); again != n {
			t.Errorf("%q became %q, then %q", text, n, again)
		}
		if !utf8.ValidString(n) || !norm.NFC.IsNormalString(n) || strings.TrimSpace(n) != n || strings.Contains(n, "  ") {
			t.Errorf("%q became %q", text, n)
		}
	})
}

func TestUnspaced(t *testing.T) {
	for text, want := range map[string]bool{
		"我喜欢红色的船": true, "私はGoが好きです": true, "ฉันชอบเรือ": true,
		"I like 船 best": false, "Привет, мир!": false, "שלום": false, "123 !": false, "": false, "빨간 배": false,
	} {
		if got := Unspaced(text); got != want {
			t.Errorf("Unspaced(%q) = %v", text, got)
		}
	}
}
