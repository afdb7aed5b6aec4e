package plotting

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavumathtexgyre"
	"github.com/go-text/typesetting/font"
	"gonum.org/v1/plot/vg"
)

func TestShape(t *testing.T) {
	s := newTypesetter()
	for _, c := range []struct {
		name, a, b string
		same       bool // width, to a thousandth of an em
	}{
		{"decomposed accents are composed", "cafe\u0301", "café", true},
		{"kerning", "AVAV", "AAVV", false},
		{"a joiner has no width", "a\u200db", "ab", true},
		{"invalid UTF-8 is one replacement character", "a\xff", "a\uFFFD", true},
		{"Arabic letters are joined", "بب", "ب ب", false},
	} {
		a, b := s.shape(c.a, false).width, s.shape(c.b, false).width
		if (math.Abs(a-b) < 1e-3) != c.same {
			t.Errorf("%s: %q is %.3f ems wide, %q %.3f", c.name, c.a, a, c.b, b)
		}
	}
	if w := s.shape("", false).width; w != 0 {
		t.Errorf("nothing is %g wide", w)
	}
	if s.shape("bold", true).width <= s.shape("bold", false).width {
		t.Error("bold letters are no wider")
	}
	if len(s.Missing()) > 0 {
		t.Errorf("missing %q", s.Missing())
	}
}

// A word in Hebrew starts at the right, where English after it is to its left.
func TestRightToLeft(t *testing.T) {
	s := newTypesetter()
	order := func(text string) (ids []font.GID) {
		for _, g := range s.shape(text, false).glyphs {
			ids = append(ids, g.id)
		}
		return ids
	}
	glyph := func(r rune) font.GID {
		id, ok := resolver{s, 0}.ResolveFace(r).NominalGlyph(r)
		if !ok {
			t.Fatalf("no %q", r)
		}
		return id
	}
	alef, bet, a, b := glyph('א'), glyph('ב'), glyph('a'), glyph('b')
	for text, want := range map[string][]font.GID{
		"אב":   {bet, alef},
		"abאב": {a, b, bet, alef},
		"אבab": {a, b, bet, alef},
	} {
		got := order(text)
		if len(got) != len(want) {
			t.Fatalf("%q: %v", text, got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q is drawn as %v, not %v", text, got, want)
			}
		}
	}
	for text, want := range map[string]bool{"": false, "12": false, "a א": false, "«א» a": true, "سلام": true} {
		if got := rightToLeft([]rune(text)); got != want {
			t.Errorf("rightToLeft(%q) = %v", text, got)
		}
	}
}

func TestSeen(t *testing.T) {
	s := newTypesetter()
	for text, want := range map[string]string{"": "", "abc": "abc", "אב": "בא", "ab אב": "ab בא", "אב ab": "ab בא", "אב 12": "12 בא", "אָב": "באָ"} {
		if got := s.shape(text, false).seen; got != want {
			t.Errorf("%q is seen as %q, not %q", text, got, want)
		}
	}
}

func TestMissing(t *testing.T) {
	t.Setenv(FontsVariable, "")
	s := newTypesetter()
	s.shape("мир 船 \u2581 \U000E0001 船\U0001D49C", false)
	if got := string(s.Missing()); got != "船\U0001D49C" {
		t.Errorf("missing %q", got)
	}
	if path := s.outline("船", 10, false, vg.Point{}); len(path) == 0 {
		t.Error("a missing letter is blank")
	}

	// A font of one's own has it.
	file := filepath.Join(t.TempDir(), "math.ttf")
	if err := os.WriteFile(file, dejavumathtexgyre.TTF, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(FontsVariable, strings.Join([]string{"no such file", file}, string(os.PathListSeparator)))
	s = newTypesetter()
	boxed := len(s.outline("船", 10, false, vg.Point{}))
	if script := s.outline("\U0001D49C", 10, false, vg.Point{}); len(script) <= boxed {
		t.Errorf("the letter's outline has %d steps, that of a box %d", len(script), boxed)
	}
	if got := string(s.Missing()); got != "船" {
		t.Errorf("missing %q", got)
	}
}

func TestWrap(t *testing.T) {
	s := newTypesetter()
	if got := s.wrap("a bb ccc\n d", 10, false, s.width("a bb", 10, false)); got != "a bb\nccc\nd" {
		t.Errorf("%q", got)
	}
	if got := s.wrap("a longword b", 10, false, s.width("longw", 10, false)); got != "a\nlongw\nord b" {
		t.Errorf("%q", got)
	}
	if got := s.wrap("e\u0301e\u0301", 10, false, 1); got != "e\u0301\ne\u0301" {
		t.Errorf("%q", got)
	}
	if got := s.wrap("", 10, false, 1); got != "" {
		t.Errorf("%q", got)
	}
}

func TestShorten(t *testing.T) {
	s := newTypesetter()
	if got := s.shorten("word", 10, 100); got != "word" || len(s.shortened) > 0 {
		t.Errorf("%q, %q", got, s.shortened)
	}
	got := s.shorten("Donaudampfschifffahrt", 10, 60)
	if s.width(got, 10, false) > 60 || !strings.HasPrefix(got, "Do") || !strings.HasSuffix(got, "t") || !strings.Contains(got, "…") {
		t.Errorf("%q", got)
	}
	for range 2 {
		if got := s.shorten("word", 10, 1); got != "…" {
			t.Errorf("%q", got)
		}
	}
	if len(s.shortened) != 2 || !strings.Contains(s.shortened[0], "Donaudampfschifffahrt") {
		t.Errorf("%q", s.shortened)
	}
}
