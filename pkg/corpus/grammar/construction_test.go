package grammar

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/project"
)

func TestConstructions(t *testing.T) {
	entries := Constructions()
	if len(entries) < 12 {
		t.Errorf("%d constructions, want 12 or more", len(entries))
	}
	names := map[string]bool{}
	for _, e := range entries {
		if e.Description == "" || names[e.String()] {
			t.Errorf("%v has no description, or its name stands twice", e.Construction)
		}
		names[e.String()] = true
		if !e.Example.Holds.Has(e.Construction) {
			t.Errorf("the example %q of %v does not hold it", joined(e.Example.Source), e.Construction)
		}
	}
	if got := Construction(200).String(); got != "construction 200" {
		t.Errorf("a construction that is none is called %q", got)
	}
}

// TestConstructionsOccur: each is frequent enough to be learnt.
func TestConstructionsOccur(t *testing.T) {
	g := newGenerator(1, 0)
	o, _ := Options{}.complete()
	counts := make([]int, len(constructions))
	const n = 20000
	for range n {
		s, _ := g.next(train, o.draw(g.random), nil)
		for c := range counts {
			if s.Holds.Has(Construction(c)) {
				counts[c]++
			}
		}
	}
	for c, count := range counts {
		if count < n/1000 {
			t.Errorf("%v is in %d of %d sentences, want one in a thousand or more", Construction(c), count, n)
		}
	}
}

func TestExample(t *testing.T) {
	p := Example()
	if got, want := joined(p.Target), "l' accord sur la zone économique européenne a été signé en août 1992 ."; got != want {
		t.Errorf("the example is %q, want %q", got, want)
	}
	var got []string
	for _, l := range p.Links {
		got = append(got, fmt.Sprintf("%d-%d", l.Source, l.Target))
	}
	if want := "0-0 1-1 2-2 3-3 4-6 5-5 6-4 7-7 7-8 8-9 9-10 10-11 11-12 12-13"; joined(got) != want {
		t.Errorf("its links are %s, want %s", joined(got), want)
	}
}

func ExampleExample() {
	p := Example()
	fmt.Println(strings.Join(p.Source, " "))
	fmt.Println(strings.Join(p.Target, " "))
	// Output:
	// the agreement on the european economic area was signed in august 1992 .
	// l' accord sur la zone économique européenne a été signé en août 1992 .
}

func ExampleParser_Parse() {
	s, err := NewParser().Parse(strings.Fields("she does not love the famous french actor ."))
	fmt.Println(err)
	s, _ = NewParser().Parse(strings.Fields("she does not love the famous french hero ."))
	fmt.Println(strings.Join(s.Target, " "))
	fmt.Println(s.Holds.Has(AdjectiveAfter, Negation))
	// Output:
	// grammar: "she does not love the famous french actor ." is no sentence of the grammar: it does not know actor
	// elle n' aime pas le héros français célèbre .
	// true
}

// TestDocs: docs/grammar.md says what is. With UPDATE=1 in the environment its parts between marks are written anew.
func TestDocs(t *testing.T) {
	path, err := project.Path("docs", "grammar.md")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := standard()
	if err != nil {
		t.Fatal(err)
	}
	english, french := counts(corpus.Sources(d.Train)), counts(corpus.Targets(d.Train))
	bits, most := openings(d.Train)
	numbers := fmt.Sprintf("The training part of the default options has %d English and %d French words, the rarest there %d times, and %d different sentences:\n"+
		"short ones repeat, as in any text. The first French word carries %.2f bits; the commonest begins %.1f%% of the sentences.\n",
		len(english), len(french), min(rarest(english), rarest(french)), len(sources(d.Train)), bits, 100*most)
	var table strings.Builder
	table.WriteString("| construction | English | French | what happens |\n|---|---|---|---|\n")
	for _, e := range Constructions() {
		fmt.Fprintf(&table, "| %v | %s | %s | %s |\n", e.Construction, joined(e.Example.Source), joined(e.Example.Target), e.Description)
	}
	text := string(stored)
	for name, content := range map[string]string{"numbers": numbers, "constructions": table.String()} {
		begin, end := "<!-- "+name+": written by the tests of pkg/corpus/grammar -->\n", "<!-- end of "+name+" -->\n"
		before, rest, ok1 := strings.Cut(text, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok1 || !ok2 {
			t.Fatalf("%s lacks the marks of its %s", path, name)
		}
		text = before + begin + content + end + after
	}
	switch {
	case text == string(stored):
	case os.Getenv("UPDATE") == "":
		t.Errorf("%s is out of date: run this test with UPDATE=1 and read what changed", path)
	default:
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
