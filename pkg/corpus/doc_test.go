package corpus

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"seq2attn/pkg/project"
)

// The tables of tokens in docs/data.md are what the tokenizer does.
func TestDataDoc(t *testing.T) {
	path, err := project.Path("docs", "data.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("^\\| `(.*)` \\| `(.*)` \\|$")
	language := regexp.MustCompile("^[A-Z][a-z]+ \\(`([a-z]+)`\\):$")
	var tokenizer Tokenizer
	rows := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if m := language.FindStringSubmatch(line); m != nil {
			tokenizer.Language = m[1]
		}
		if m := row.FindStringSubmatch(line); m != nil {
			rows++
			if got := strings.Join(tokenizer.Tokenize(m[1]), " "); got != m[2] {
				t.Errorf("%s: %s is said to be\n\t%s, but is\n\t%s", tokenizer.Language, m[1], m[2], got)
			}
		}
	}
	if rows < 15 {
		t.Errorf("only %d rows were found", rows)
	}
}
