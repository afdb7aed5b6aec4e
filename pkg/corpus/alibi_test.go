package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seq2attn/pkg/project"
)

// The counts are those of the corpus as published.
func TestAlibi(t *testing.T) {
	pairs, err := Alibi()
	if errors.Is(err, project.ErrNoData) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	sure, possible := 0, 0
	for i, p := range pairs {
		if p.Links == nil {
			t.Fatalf("pair %d has no alignment", i)
		}
		for _, l := range p.Links {
			if l.Possible {
				possible++
			} else {
				sure++
			}
		}
	}
	if len(pairs) != 522 || sure != 8452 || possible != 14147 {
		t.Errorf("%d pairs, %d sure and %d possible links, want 522, 8452 and 14147", len(pairs), sure, possible)
	}
}

func TestReadAlibiErrors(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fr := file("fr", "0\tla maison\n1\tun livre\n")
	en := file("en", "0\tthe house\n1\ta book\n")
	for _, c := range []struct{ name, source, target, links, part string }{
		{"right", fr, en, "0\t0-0 1p1\n1\t\n", ""},
		{"another id in the text", fr, file("id", "0\tthe house\n2\ta book\n"), "0\t\n1\t\n", `fr:2: id "1" here, "2"`},
		{"no id in the text", fr, file("none", "the house\na book\n"), "0\t\n1\t\n", "fr:1"},
		{"an empty sentence", fr, file("empty", "0\tthe house\n1\t\n"), "0\t\n1\t\n", "fr:2: the sentence is empty"},
		{"a sentence short", fr, file("short", "0\tthe house\n"), "0\t\n", "has 2 lines"},
		{"another id", fr, en, "0\t\n2\t\n", `:2: id "2" where 1 is expected`},
		{"a word too far", fr, en, "0\t\n1\t0-2\n", ":2: link from source word 0 to target word 2"},
		{"malformed", fr, en, "0\t\n1\t0.2\n", ":2: link"},
		{"too many", fr, en, "0\t\n1\t\n2\t\n", ":3: there are only 2"},
		{"too few", fr, en, "0\t\n", "fewer lines"},
		{"none", fr, en, "", "fewer lines"},
	} {
		got, err := readAlibi(c.source, c.target, file("links", c.links))
		if c.part == "" && (err != nil || FormatPharaoh(got[0].Links) != "0-0 1?1" || got[1].Links == nil) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		if c.part != "" && (err == nil || !strings.Contains(err.Error(), c.part)) {
			t.Errorf("%s: %v, %v, want an error with %q", c.name, got, err, c.part)
		}
	}
}

// Three files that belong together by their ids: whatever they hold, they are refused or every link is within its pair.
func FuzzReadAlibi(f *testing.F) {
	f.Add([]byte("0\tle chat\n1\tun\n"), []byte("0\tthe cat\n1\tone\n"), []byte("0\t0-0 1?1\n1\t0p0\n"))
	f.Add([]byte("0\ta\n"), []byte("1\ta\n"), []byte("0\t9-9\n"))
	f.Add([]byte("0\ta"), []byte("0\ta"), []byte("0\t\n1\t"))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, source, target, alignment []byte) {
		var paths [3]string
		for i, content := range [][]byte{source, target, alignment} {
			paths[i] = filepath.Join(folder, fmt.Sprint(i))
			if err := os.WriteFile(paths[i], content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		pairs, err := readAlibi(paths[0], paths[1], paths[2])
		if err != nil {
			return
		}
		for i, p := range pairs {
			if len(p.Source) == 0 || len(p.Target) == 0 || p.Links == nil {
				t.Errorf("pair %d is %+v", i, p)
			}
			for _, l := range p.Links {
				if err := l.Within(p); err != nil {
					t.Errorf("pair %d: %v", i, err)
				}
			}
		}
	})
}
