package corpus

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// pairOf makes a pair with so many words on either side.
func pairOf(source, target int) Pair {
	return Pair{Source: slices.Repeat([]string{"s"}, source), Target: slices.Repeat([]string{"t"}, target)}
}

func TestParsePharaoh(t *testing.T) {
	for text, want := range map[string][]Link{
		"":                    {},
		" \t ":                {},
		"0-0":                 {{0, 0, false}},
		"0-0 12-3\t1?2 3p10 ": {{0, 0, false}, {12, 3, false}, {1, 2, true}, {3, 10, true}},
	} {
		if got, err := ParsePharaoh(text); err != nil || !slices.Equal(got, want) || got == nil {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for text, part := range map[string]string{
		"0-0 1":        `link "1": write i-j`,
		"0:0":          `link "0:0"`,
		"-1-0":         `source word ""`,
		"0--1":         `target word "-1"`,
		"+1-0":         `source word "+1"`,
		"0-x":          `target word "x"`,
		"0-1-2":        `target word "1-2"`,
		"0-":           `target word ""`,
		"0-9999999999": `"9999999999" is not`,
	} {
		if got, err := ParsePharaoh(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, %v, want an error with %q", text, got, err, part)
		}
	}
}

func TestReadPharaoh(t *testing.T) {
	pairs := []Pair{pairOf(2, 2), pairOf(1, 3), pairOf(1, 1)}
	got, err := readPharaoh(newLines("a.txt", strings.NewReader("\ufeff0-0 1?1\r\n\r\n0-0")), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]Link{{{0, 0, false}, {1, 1, true}}, {}, {{0, 0, false}}} {
		if !reflect.DeepEqual(got[i].Links, want) {
			t.Errorf("pair %d: %v, want %v", i, got[i].Links, want)
		}
	}
	if pairs[0].Links != nil {
		t.Error("the pairs that were given have changed")
	}
	for _, c := range []struct{ name, text, part string }{
		{"a word too far", "0-0\n0-3\n0-0\n", "a.txt:2: link from source word 0 to target word 3, in a pair of 1 and 3 words; places are counted from 0"},
		{"counted from 1", "1-1 2-2\n1-1\n1-1\n", "a.txt:1: link from source word 2"},
		{"malformed", "0-0\n0-0\nx\n", `a.txt:3: link "x"`},
		{"too few", "0-0\n0-0\n", "a.txt has 2 lines, but there are 3 sentence pairs"},
		{"too many", "0-0\n\n\n\n", "a.txt:4: there are only 3 sentence pairs"},
		{"not UTF-8", "0-0\n\xff\n0-0\n", "a.txt:2"},
	} {
		if got, err := readPharaoh(newLines("a.txt", strings.NewReader(c.text)), pairs); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, %v, want an error with %q", c.name, got, err, c.part)
		}
	}
}

func TestPharaohText(t *testing.T) {
	pairs := []Pair{{Source: []string{"the", "house"}, Target: []string{"das", "Haus"}}, {Source: []string{"|"}, Target: []string{"||||", "-"}}}
	var text bytes.Buffer
	if err := WritePharaohText(&text, pairs); err != nil || text.String() != "the house ||| das Haus\n| ||| |||| -\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
	if got, err := readPharaohText(newLines("t", &text)); err != nil || !reflect.DeepEqual(got, pairs) {
		t.Errorf("read again: %v, %v, want %v", got, err, pairs)
	}
	for text, part := range map[string]string{
		"a ||| b\na b":        "t:2: 0 marks |||",
		"a ||| b ||| c":       "t:1: 2 marks |||",
		"a ||| b\n ||| b":     "t:2: the source is empty",
		"a ||| b\n\na ||| b":  "t:2: 0 marks",
		"a ||| b\na |||":      "t:2: the target is empty",
		"a ||| b\na ||| \xff": "t:2",
	} {
		if got, err := readPharaohText(newLines("t", strings.NewReader(text))); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, %v, want an error with %q", text, got, err, part)
		}
	}
	for _, bad := range []Pair{{Source: []string{"a"}}, {Source: []string{"a"}, Target: []string{"|||"}}, {Source: []string{"a b"}, Target: []string{"c"}},
		{Source: []string{""}, Target: []string{"c"}}} {
		if err := WritePharaohText(&text, []Pair{pairOf(1, 1), bad}); err == nil || !strings.Contains(err.Error(), "pair 1") {
			t.Errorf("%+v: %v, want an error", bad, err)
		}
	}
}

func FuzzParsePharaoh(f *testing.F) {
	for _, seed := range []string{"0-0 1-2 2?1 3p3", "", "1", "0--1", "00-1", "0-0\u00a01-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		links, err := ParsePharaoh(text)
		if err != nil {
			return
		}
		if len(links) != len(strings.Fields(text)) {
			t.Errorf("%q: %d links from %d fields", text, len(links), len(strings.Fields(text)))
		}
		again, err := ParsePharaoh(FormatPharaoh(links))
		if err != nil || !slices.Equal(again, links) {
			t.Errorf("%q: %v, written and read %v, %v", text, links, again, err)
		}
	})
}

func FuzzPharaohText(f *testing.F) {
	for _, seed := range []string{"a b ||| c\nd ||| e", "|||", "a |||| b", "a\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := readPharaohText(newLines("t", strings.NewReader(text)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WritePharaohText(&b, pairs); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again, err := readPharaohText(newLines("t", &b)); err != nil || !reflect.DeepEqual(again, pairs) {
			t.Errorf("%q: %v, read again %v, %v", text, pairs, again, err)
		}
	})
}
