package grammar

import (
	"slices"
	"strings"
	"testing"
)

func TestParseFindsWhatIsSampled(t *testing.T) {
	g, p := newGenerator(3, 0), NewParser()
	each := 60
	if testing.Short() {
		each = 15
	}
	for _, n := range []int{3, 4, 5, 8, 12, 20, 30, 45, 60} {
		for range each {
			s, _ := g.next(train, n, nil)
			got, err := p.Parse(s.Source)
			if err != nil {
				t.Error(err)
			} else if joined(got.Target) != joined(s.Target) {
				t.Errorf("%q\nis  %q\nand %q", joined(s.Source), joined(got.Target), joined(s.Target))
			}
		}
	}
}

// TestReadingsAgree: however a sentence is read, its French is the same.
func TestReadingsAgree(t *testing.T) {
	g, p := newGenerator(4, 0), NewParser()
	n := 500
	if testing.Short() {
		n = 100
	}
	ambiguous := 0
	for i := range n {
		s, _ := g.next(train, 3+i%25, nil)
		all := p.parse(s.Source)
		if len(all) > 1 {
			ambiguous++
		}
		for _, root := range all {
			if got := joined(p.write(root).Target); got != joined(s.Target) {
				t.Errorf("%q\nis  %q\nand %q", joined(s.Source), got, joined(s.Target))
			}
		}
	}
	t.Logf("%d of %d sentences have several readings", ambiguous, n)
}

func TestParseRefuses(t *testing.T) {
	p := NewParser()
	for sentence, want := range map[string]string{
		"":                                    "is no sentence of the grammar",
		"mary sleeps":                         "though its words are",
		"mary sleep .":                        "though its words are",
		"the soup reads the table .":          "though its words are",
		"we must hope , hope .":               "does not know must, hope",
		"a old man sleeps .":                  "though its words are",
		strings.Repeat("and ", 300) + "so on": "is no sentence",
	} {
		if s, err := p.Parse(strings.Fields(sentence)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %q, %v; want an error with %q", sentence, s.Target, err, want)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	p := NewParser()
	source := strings.Fields("the agreement on the european economic area was signed in august 1992 .")
	for b.Loop() {
		if _, err := p.Parse(source); err != nil {
			b.Fatal(err)
		}
	}
}

// Whatever words it is given, the parser ends soon: it refuses them, or its sentence has them as its source.
func FuzzParse(f *testing.F) {
	g := newGenerator(5, 0)
	for n := 3; n <= 40; n += 6 {
		s, _ := g.next(train, n, nil)
		f.Add(joined(s.Source))
	}
	for _, text := range []string{"", ".", "and and and .", "the the the man the man .", strings.Repeat("the man who sees ", 10) + "sleeps ."} {
		f.Add(text)
	}
	p := NewParser()
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Fields(text)
		s, err := p.Parse(words)
		if err != nil {
			return
		}
		if !slices.Equal(s.Source, words) || len(s.Target) == 0 {
			t.Errorf("%q is read as %q, %q", words, s.Source, s.Target)
		}
		for _, l := range s.Links {
			if err := l.Within(s.Pair); err != nil {
				t.Error(err)
			}
		}
	})
}
