package corpus

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"seq2attn/pkg/kept"
	"seq2attn/pkg/project"
	"seq2attn/pkg/project/projecttest"
)

// checkout makes a checkout of its own, set up or not, and gives its cache folder.
func checkout(t *testing.T, setUp bool) string {
	t.Helper()
	var folders []string
	if setUp {
		folders = append(folders, ".lab")
	}
	return filepath.Join(projecttest.Checkout(t, folders...), ".lab", "cache")
}

func someData() Data {
	return Data{
		Name: "some", Source: "en", Target: "fr",
		Train: []Pair{
			{Source: []string{"a", "b"}, Target: []string{"b", "é", ""}, Links: []Link{{0, 1, true}, {1, 2, false}}},
			{Source: []string{"a"}, Target: []string{"c"}, Links: []Link{}}, // known to have none
			{Source: []string{}, Target: []string{"c"}},                     // not known
		},
		Dev:  []Pair{{Source: []string{"one\ttab", "\n"}, Target: []string{"x"}, Links: []Link{{0, 0, false}}}},
		Test: []Pair{},
	}
}

func TestCached(t *testing.T) {
	folder := checkout(t, true)
	made := 0
	ask := func(key ...any) Data {
		t.Helper()
		d, err := Cached(func() (Data, error) { made++; return someData(), nil }, key...)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(d, someData()) {
			t.Errorf("%+v, want %+v", d, someData())
		}
		return d
	}
	step := func(name string, want int, key ...any) {
		t.Helper()
		before := made
		ask(key...)
		if made-before != want {
			t.Errorf("%s: made %d times, want %d", name, made-before, want)
		}
	}
	step("the first time", 1, "key", 1)
	step("again", 0, "key", 1)
	step("another key", 1, "key", 2)
	step("a longer key", 1, "key", 1, 0)

	// What was read can be changed without harm to its neighbours.
	d := ask("key", 1)
	_ = append(d.Train[0].Source, "more")
	_ = append(d.Train[0].Links, Link{9, 9, true})
	if !reflect.DeepEqual(d, someData()) {
		t.Error("one pair's words run into the next")
	}

	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v: want 3 files", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	step("a damaged file", 1, "key", 1)
	step("a damaged file made anew", 0, "key", 1)
	for _, file := range files {
		if err := os.Truncate(file, 7); err != nil {
			t.Fatal(err)
		}
	}
	step("a short file", 1, "key", 2)
}

// TestCachedForged has files with a valid sum whose numbers lead out of the corpus: they are not read but made anew.
func TestCachedForged(t *testing.T) {
	for name, forge := range map[string]func(p *packed){
		"a word that is none":           func(p *packed) { p.Parts[0].Ids[0] = uint32(len(p.Words)) },
		"a word far away":               func(p *packed) { p.Parts[1].Ids[0] = math.MaxUint32 },
		"no words":                      func(p *packed) { p.Words = nil },
		"a sentence that is too long":   func(p *packed) { p.Parts[0].Sizes[0]++ },
		"one that overflows":            func(p *packed) { p.Parts[0].Sizes[0], p.Parts[0].Sizes[1] = math.MaxUint32, math.MaxUint32 },
		"words of no sentence":          func(p *packed) { p.Parts[2].Ids = []uint32{0} },
		"half a pair":                   func(p *packed) { p.Parts[2].Sizes = []uint32{0, 0} },
		"more links than there are":     func(p *packed) { p.Parts[1].Sizes[2] = math.MaxUint32 },
		"links of no pair":              func(p *packed) { p.Parts[0].Sizes[2] = 0 },
		"half a link":                   func(p *packed) { p.Parts[0].Links = p.Parts[0].Links[:5] },
		"a link out of the source":      func(p *packed) { p.Parts[0].Links[3] = 2 },
		"a link out of the translation": func(p *packed) { p.Parts[0].Links[1] = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			folder := checkout(t, true)
			made := 0
			ask := func() {
				t.Helper()
				d, err := Cached(func() (Data, error) { made++; return someData(), nil }, "key")
				if err != nil || !reflect.DeepEqual(d, someData()) {
					t.Fatalf("%+v, %v", d, err)
				}
			}
			ask()
			files, err := filepath.Glob(filepath.Join(folder, "*"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v, %v: want one file", files, err)
			}
			var p packed
			if !kept.Read(files[0], &p) {
				t.Fatal("what was kept is not there")
			}
			forge(&p)
			if err := kept.Write(files[0], p); err != nil {
				t.Fatal(err)
			}
			ask()
			if made != 2 {
				t.Errorf("made %d times, want 2: the forged file was read", made)
			}
			if ask(); made != 2 {
				t.Error("what was made anew was not kept")
			}
		})
	}
}

func TestCachedFailures(t *testing.T) {
	fails := errors.New("fails")
	failing := func() (Data, error) { return Data{}, fails }
	folder := checkout(t, true)
	for range 2 {
		if _, err := Cached(failing, "key"); !errors.Is(err, fails) {
			t.Errorf("%v, want the error of the maker", err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*")); len(files) != 0 {
		t.Errorf("a failure was kept: %v", files)
	}
	if _, err := Cached(failing, func() {}); err == nil || errors.Is(err, fails) {
		t.Errorf("a key that is no JSON: %v", err)
	}

	// Where nothing can be kept the data comes all the same.
	if err := os.WriteFile(folder, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if d, err := Cached(func() (Data, error) { return someData(), nil }, "key"); err != nil || !reflect.DeepEqual(d, someData()) {
		t.Errorf("no folder can be made: %+v, %v", d, err)
	}
	checkout(t, false)
	if d, err := Cached(func() (Data, error) { return someData(), nil }, "key"); err != nil || !reflect.DeepEqual(d, someData()) {
		t.Errorf("not set up: %+v, %v", d, err)
	}
}

// TestLoadKept has what was read of files kept, until the files or the options change.
func TestLoadKept(t *testing.T) {
	dataFolder(t, map[string]string{
		"tatoeba_enfr/train.tsv.gz": "One two .\tUn deux .\nThree .\tTrois .\n", "tatoeba_enfr/dev.tsv.gz": "Four .\tQuatre .\n", "tatoeba_enfr/test.tsv.gz": "Five .\tCinq .\n",
		"multi30k/raw/train.en.gz": "Six .\n", "multi30k/raw/train.fr.gz": "Six .\n", "multi30k/raw/val.en.gz": "Seven .\n", "multi30k/raw/val.fr.gz": "Sept .\n",
		"multi30k/raw/test_2016_flickr.en.gz": "Eight .\n", "multi30k/raw/test_2016_flickr.fr.gz": "Huit .\n",
		"europarl_enfr/train.0.tsv.gz": "Nine .\tNeuf .\n", "europarl_enfr/dev.tsv.gz": "Ten .\tDix .\n", "europarl_enfr/test.tsv.gz": "No .\tNon .\n",
	})
	folder := checkout(t, true)
	mine := stored(t, "mine.tsv", []byte("a\tb\nc\td\ne\tf\ng\th\ni\tj\nk\tl\nm\tn\no\tp\nq\tr\ns\tt\nu\tv\n"))
	kept := func() int {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	train, err := project.Data("tatoeba_enfr/train.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	own := func(o LoadOptions) (Data, error) {
		o.Source, o.Target = "en", "fr"
		return Load(o, mine)
	}
	change := func(text string) func(t *testing.T) {
		return func(t *testing.T) {
			if err := os.WriteFile(train, gzipped(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		before func(t *testing.T)
		load   func(LoadOptions) (Data, error)
		o      LoadOptions
		makes  int // files
		want   string
	}{
		{"the first time", nil, Tatoeba, LoadOptions{}, 1, "One two .=Un deux .;Three .=Trois ."},
		{"again", nil, Tatoeba, LoadOptions{}, 0, "One two .=Un deux .;Three .=Trois ."},
		{"a download allowed", nil, Tatoeba, LoadOptions{Download: true, Context: t.Context()}, 0, "One two .=Un deux .;Three .=Trois ."},
		{"with a report", nil, Tatoeba, LoadOptions{Report: &LoadReport{}}, 0, "One two .=Un deux .;Three .=Trois ."},
		{"another option", nil, Tatoeba, LoadOptions{Lower: true}, 1, "one two .=un deux .;three .=trois ."},
		{"another direction", nil, Tatoeba, LoadOptions{Source: "fr", Target: "en"}, 1, "Un deux .=One two .;Trois .=Three ."},
		{"a changed file", change("Only .\tSeulement .\n"), Tatoeba, LoadOptions{}, 1, "Only .=Seulement ."},
		{"another corpus", nil, Multi30k, LoadOptions{}, 1, "Six .=Six ."},
		{"a third", nil, Europarl, LoadOptions{}, 1, "Nine .=Neuf ."},
		{"a file of one's own", nil, own, LoadOptions{TestPairs: 10}, 1, ""},
		{"again", nil, own, LoadOptions{TestPairs: 10}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.before != nil {
				c.before(t)
			}
			before := kept()
			d, err := c.load(c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := sentences(d.Train); got != c.want && c.want != "" {
				t.Errorf("%q, want %q", got, c.want)
			}
			if made := kept() - before; made != c.makes {
				t.Errorf("%d files kept, want %d", made, c.makes)
			}
		})
	}
	if err := os.Remove(train); err != nil {
		t.Fatal(err)
	}
	if _, err := Tatoeba(LoadOptions{}); err == nil {
		t.Error("a corpus whose file is gone was loaded")
	}
}
