package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestReadNAACL(t *testing.T) {
	pairs := []Pair{pairOf(2, 2), pairOf(1, 3), pairOf(1, 1)}
	text := "1 1 1 S\n0001 2 2 P 0.5\n\n2 0 2 S\n2 1 3\r\n1 2 1 0.25\n"
	got, nulls, err := readNAACL(newLines("a", strings.NewReader(text)), pairs)
	if err != nil || nulls != 1 {
		t.Fatalf("%d to NULL, %v", nulls, err)
	}
	for i, want := range [][]Link{{{0, 0, false}, {1, 1, true}, {1, 0, false}}, {{0, 2, false}}, {}} {
		if !reflect.DeepEqual(got[i].Links, want) {
			t.Errorf("pair %d: %v, want %v", i, got[i].Links, want)
		}
	}
	for _, c := range []struct{ name, text, part string }{
		{"a word too far", "1 1 1\n2 2 1 S\n", "a:2: link (as counted from 1: 2 1) from source word 1"},
		{"a word too far beside NULL", "2 2 0 S\n", "a:1: a link to NULL"},
		{"NULL to NULL", "1 0 0 S\n", "a:1: a link from NULL"},
		{"pair 0", "0 1 1 S\n", "a:1: sentence pair 0: there are 3, counted from 1"},
		{"a pair too far", "1 1 1\n4 1 1 S\n", "a:2: sentence pair 4"},
		{"Pharaoh's form", "0-0 1-1\n", "a:1: 2 fields"},
		{"another mark", "1 1 1 Q\n", `a:1: "Q"`},
		{"a confidence that is none", "1 1 1 S 2\n", `a:1: "S 2"`},
		{"too much", "1 1 1 S 0.5 x\n", "a:1: 6 fields"},
		{"two confidences", "1 1 1 0.5 0.5\n", "a:1"},
		{"no number", "1 a 1 S\n", `a:1: field 2: "a"`},
	} {
		if got, _, err := readNAACL(newLines("a", strings.NewReader(c.text)), pairs); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, %v, want an error with %q", c.name, got, err, c.part)
		}
	}
}

// The same links in both forms are the same links.
func TestPharaohAndNAACL(t *testing.T) {
	pairs := []Pair{pairOf(1, 2), pairOf(3, 3)}
	alignments := [][]Link{{}, {{0, 0, false}, {2, 1, true}, {1, 2, false}}}
	var pharaoh, naacl bytes.Buffer
	if err := WritePharaoh(&pharaoh, alignments); err != nil || pharaoh.String() != "\n0-0 2?1 1-2\n" {
		t.Errorf("%q, %v", pharaoh.String(), err)
	}
	if err := WriteNAACL(&naacl, alignments); err != nil || naacl.String() != "2 1 1 S\n2 3 2 P\n2 2 3 S\n" {
		t.Errorf("%q, %v", naacl.String(), err)
	}
	folder := t.TempDir()
	read := map[string]func(path string) ([]Pair, error){
		"pharaoh": func(path string) ([]Pair, error) { return ReadPharaoh(path, pairs) },
		"naacl":   func(path string) ([]Pair, error) { p, _, err := ReadNAACL(path, pairs); return p, err },
	}
	for name, text := range map[string][]byte{"pharaoh": pharaoh.Bytes(), "naacl": naacl.Bytes()} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := read[name](path)
		if err != nil || !reflect.DeepEqual(got[0].Links, alignments[0]) || !reflect.DeepEqual(got[1].Links, alignments[1]) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, alignments)
		}
		if _, err := read[name](path + " absent"); err == nil {
			t.Errorf("%s: no error for a file that is not there", name)
		}
	}
}

func TestNAACLText(t *testing.T) {
	pairs := []Pair{{Source: []string{"the", "<s>"}, Target: []string{"das"}}, {Source: []string{"a"}, Target: []string{"ein", ">"}}}
	folder := t.TempDir()
	source, target := filepath.Join(folder, "en"), filepath.Join(folder, "de")
	for path, side := range map[string]func(func([]string) bool){source: Sources(pairs), target: Targets(pairs)} {
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteNAACLText(file, side); err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	if got, err := ReadNAACLText(source, target); err != nil || !reflect.DeepEqual(got, pairs) {
		t.Errorf("%v, %v, want %v", got, err, pairs)
	}
	if err := os.WriteFile(target, []byte(`<s snum="0001"> das </s>`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadNAACLText(source, target); err == nil || !strings.Contains(err.Error(), "has 2 sentences") {
		t.Errorf("unequal: %v", err)
	}
	for text, part := range map[string]string{
		"<s snum=1> a </s>\n<s snum=3> b </s>": "a:2: sentence 3 stands where 2 is expected",
		"<s snum=0> a </s>":                    "a:1: sentence 0",
		"<s snum=1> a </s>\n<s snum=2>  </s>":  "a:2: sentence 2 is empty",
		"<s snum=1> a":                         "a:1: no sentence",
		"a":                                    "a:1: no sentence: write <s snum=1> tokens </s>",
	} {
		if got, err := readNAACLText(newLines("a", strings.NewReader(text))); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, %v, want an error with %q", text, got, err, part)
		}
	}
	if err := WriteNAACLText(&bytes.Buffer{}, slices.Values([][]string{{"a"}, {"</s>"}})); err == nil || !strings.Contains(err.Error(), "sentence 2") {
		t.Errorf("a token that ends the sentence: %v", err)
	}
}

func FuzzParseNAACL(f *testing.F) {
	for _, seed := range []string{"1 1 1 S", "1 0 1", "1 1 1 P 0.5", "1 1 1 NaN", "0001 01 1 S"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, l, err := parseNAACL(text)
		if err != nil {
			return
		}
		if n < 0 || l.Source < -1 || l.Target < -1 || max(l.Source, l.Target) < 0 {
			t.Errorf("%q: pair %d, %+v", text, n, l)
		}
	})
}

func FuzzNAACLText(f *testing.F) {
	for _, seed := range []string{"<s snum=1> a b </s>\n<s snum=2> c </s>", "<s snum=1></s></s>", "<s snum=1> <s snum=2> a </s>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sentences, err := readNAACLText(newLines("t", strings.NewReader(text)))
		if err != nil {
			return
		}
		for i, s := range sentences {
			if len(s) == 0 {
				t.Errorf("%q: sentence %d is empty", text, i)
			}
		}
	})
}
