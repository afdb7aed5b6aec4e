package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"seq2attn/pkg/project"
)

// dataFolder makes a data folder with these files for the test, which keeps nothing of them.
func dataFolder(t *testing.T, files map[string]string) {
	t.Helper()
	checkout(t, false)
	dir := t.TempDir()
	t.Setenv("SEQ2ATTN_DATA", dir)
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, gzipped(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func sentences(pairs []Pair) string {
	var s []string
	for _, p := range pairs {
		s = append(s, strings.Join(p.Source, " ")+"="+strings.Join(p.Target, " "))
	}
	return strings.Join(s, ";")
}

func TestTatoeba(t *testing.T) {
	dataFolder(t, map[string]string{
		"tatoeba_enfr/train.tsv.gz": "I don't.\tL'ami.\nIt goes on and on.\tCela continue.\nStop!\tArrête !\nHi.\tSalut.\nSTAY!\tReste !\n",
		"tatoeba_enfr/dev.tsv.gz":   "Stay!\tReste !\nA long one it is.\tLongue.\n",
		"tatoeba_enfr/test.tsv.gz":  "stop!\tHalte !\nA long one it was.\tLongue.\n",
	})
	var report LoadReport
	d, err := Tatoeba(LoadOptions{MaxLength: 4, Report: &report})
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "tatoeba" || d.Source != "en" || d.Target != "fr" {
		t.Errorf("%s from %s to %s", d.Name, d.Source, d.Target)
	}
	// Sources that another part has, but for case, are gone; the test part keeps its long sentence.
	for got, want := range map[string]string{
		sentences(d.Train): "I do n't .=L' ami .;Hi .=Salut .",
		sentences(d.Dev):   "Stay !=Reste !",
		sentences(d.Test):  "stop !=Halte !;A long one it was .=Longue .",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	want := LoadReport{Train: Report{Lines: 5, Kept: 4, TooLong: 1}, Dev: Report{Lines: 2, Kept: 1, TooLong: 1}, Test: Report{Lines: 2, Kept: 2}, Shared: 2}
	if report != want {
		t.Errorf("report %+v, want %+v", report, want)
	}
	if s := report.String(); !strings.Contains(s, "train: kept 4 of 5") || !strings.Contains(s, "2 pairs left out") {
		t.Errorf("report %q", s)
	}
	back, err := Tatoeba(LoadOptions{Source: "fr", Target: "en", Lower: true, MaxPairs: 1})
	if err != nil || back.Source != "fr" || sentences(back.Train) != "l' ami .=i do n't ." {
		t.Errorf("%s, %v", sentences(back.Train), err)
	}
	letters, err := Tatoeba(LoadOptions{Characters: true, MaxPairs: 1})
	if err != nil || sentences(letters.Train) != "I ␣ d o n ' t .=L ' a m i ." {
		t.Errorf("%s, %v", sentences(letters.Train), err)
	}
}

func TestTatoebaArchive(t *testing.T) {
	dataFolder(t, nil)
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "Sentence %d.\tPhrase %d.\tCC-BY 2.0\r\n", i, i)
	}
	archive, err := os.ReadFile(zipped(t, "fra.txt", text.String()))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(os.Getenv("SEQ2ATTN_DATA"), "tatoeba_enfr")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "fra-eng.zip"), archive, 0o644)); err != nil {
		t.Fatal(err)
	}
	d, err := Tatoeba(LoadOptions{Source: "fr", Target: "en"})
	if err != nil || len(d.Train) != 80 || len(d.Dev) != 10 || len(d.Test) != 10 || d.Train[0].Source[0] != "Phrase" {
		t.Errorf("%d, %d, %d, %v", len(d.Train), len(d.Dev), len(d.Test), err)
	}
	checkApart(t, d)
}

func TestEuroparl(t *testing.T) {
	dataFolder(t, map[string]string{
		"europarl_enfr/train.0.tsv.gz":       "a\tA\n",
		"europarl_enfr/train.1.tsv.gz":       "b\tB\ne\tE\n",
		"europarl_enfr/train.short15.tsv.gz": "s\tS\n",
		"europarl_enfr/dev.tsv.gz":           "d\tD\n",
		"europarl_enfr/dev.buckets.tsv.gz":   "db\tDB\n",
		"europarl_enfr/test.tsv.gz":          "t\tT\n",
		"europarl_enfr/test.buckets.tsv.gz":  "tb\tTB\n",
		"europarl_enfr/eea.tsv.gz":           "e\tE\n",
	})
	for _, c := range []struct {
		o                LoadOptions
		train, dev, test string
	}{
		{LoadOptions{}, "a=A", "d=D", "t=T"},
		{LoadOptions{Train: []string{"train.0", "train.1"}, Test: "test.buckets"}, "a=A;b=B;e=E", "db=DB", "tb=TB"},
		{LoadOptions{Train: []string{"train.1"}, Test: "eea"}, "b=B", "d=D", "e=E"},
		{LoadOptions{Train: []string{"train.short15", "train.0", "train.1"}, MaxPairs: 2}, "s=S;a=A", "d=D", "t=T"},
	} {
		d, err := Europarl(c.o)
		if err != nil || sentences(d.Train) != c.train || sentences(d.Dev) != c.dev || sentences(d.Test) != c.test {
			t.Errorf("%+v: %v, %v", c.o, d, err)
		}
	}
	if _, err := Europarl(LoadOptions{Train: []string{"train.2"}}); !errors.Is(err, project.ErrNoData) || !strings.Contains(err.Error(), "train.2.tsv.gz") || !strings.Contains(err.Error(), "docs/data.md") {
		t.Errorf("an absent part: %v", err)
	}
}

func TestMulti30k(t *testing.T) {
	files := map[string]string{}
	for _, part := range []string{"train", "val", "test_2016_flickr", "test_2017_mscoco"} {
		for _, language := range []string{"en", "fr", "de"} {
			files["multi30k/raw/"+part+"."+language+".gz"] = language + " " + part + "\n"
		}
	}
	dataFolder(t, files)
	d, err := Multi30k(LoadOptions{})
	if err != nil || sentences(d.Train) != "en train=fr train" || sentences(d.Dev) != "en val=fr val" || sentences(d.Test) != "en test_2016_flickr=fr test_2016_flickr" {
		t.Errorf("%v, %v", d, err)
	}
	d, err = Multi30k(LoadOptions{Source: "de", Target: "en", Test: "test_2017_mscoco"})
	if err != nil || sentences(d.Test) != "de test_2017_mscoco=en test_2017_mscoco" {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := Multi30k(LoadOptions{Test: "test_2018_flickr"}); !errors.Is(err, project.ErrNoData) || !strings.Contains(err.Error(), "LoadOptions.Download") {
		t.Errorf("an absent part: %v", err)
	}
}

func TestLoad(t *testing.T) {
	checkout(t, false)
	var tsv, source, target strings.Builder
	for i := range 40 {
		fmt.Fprintf(&tsv, "слово %d\tmot %d\n", i, i)
		fmt.Fprintf(&source, "слово %d\n", i)
		fmt.Fprintf(&target, "mot %d\n", i)
	}
	path := stored(t, "mine.ru-fr.tsv", []byte(tsv.String()))
	oneShort := stored(t, "one.tsv", []byte(strings.Replace(tsv.String(), "слово 0\tmot 0", "a\tb", 1)))
	o := LoadOptions{Source: "ru", Target: "fr"}
	d, err := Load(o, path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "mine" || d.Source != "ru" || len(d.Train) != 32 || len(d.Dev) != 4 || len(d.Test) != 4 {
		t.Errorf("%s, %d, %d, %d", d.Name, len(d.Train), len(d.Dev), len(d.Test))
	}
	checkApart(t, d)
	two, err := Load(o, stored(t, "mine.ru", []byte(source.String())), stored(t, "mine.fr", gzipped(target.String())))
	if err != nil || !reflect.DeepEqual(two, d) {
		t.Errorf("two files and one differ: %v", err)
	}
	o.Dev, o.TestPairs, o.Seed, o.MaxPairs = 1, 0, 5, 7
	if d, err = Load(o, path); err != nil || len(d.Train) != 7 || len(d.Dev) != 1 || len(d.Test) != 0 {
		t.Errorf("%d, %d, %d, %v", len(d.Train), len(d.Dev), len(d.Test), err)
	}
	for _, c := range []struct {
		name  string
		o     LoadOptions
		paths []string
		want  string
	}{
		{"no file", LoadOptions{Source: "en", Target: "fr"}, nil, "0 files"},
		{"three files", LoadOptions{Source: "en", Target: "fr"}, []string{"a", "b", "c"}, "3 files"},
		{"no languages", LoadOptions{}, []string{path}, "LoadOptions.Source and Target"},
		{"an absent file", LoadOptions{Source: "en", Target: "fr"}, []string{"absent.tsv"}, "absent.tsv"},
		{"all too long", LoadOptions{Source: "en", Target: "fr", MaxLength: 1}, []string{path}, "raise LoadOptions.MaxLength (1)"},
		{"all but one for training too long", LoadOptions{Source: "en", Target: "fr", MaxLength: 1}, []string{oneShort}, "no development pair is left (kept 0 of 4 lines"},
		{"an empty file", LoadOptions{Source: "en", Target: "fr"}, []string{stored(t, "empty.tsv", nil)}, "empty"},
		{"too few pairs", LoadOptions{Source: "en", Target: "fr", Dev: 30, TestPairs: 30}, []string{path}, "cannot be split"},
		{"a training part", LoadOptions{Source: "en", Target: "fr", Train: []string{"x"}}, []string{path}, "LoadOptions.Train"},
	} {
		if _, err := Load(c.o, c.paths...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// A file that is absent is fetched where that is asked for, into the data folder, and found there the next time.
func TestLoaderDownloads(t *testing.T) {
	dataFolder(t, nil)
	content, sum := wanted(1000)
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Write(content)
	}))
	defer server.Close()
	l := loader{folder: "some", remotes: map[string]Remote{"some/raw/file": {URL: server.URL, SHA256: sum}}}
	if _, err := l.file("raw/file"); err == nil || requests > 0 || !strings.Contains(err.Error(), server.URL) {
		t.Errorf("unasked: %v after %d requests", err, requests)
	}
	l.o.Download = true
	for range 2 {
		path, err := l.file("raw/file")
		if got, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, content) || !strings.HasPrefix(path, os.Getenv("SEQ2ATTN_DATA")) {
			t.Errorf("%s: %d bytes, %v", path, len(got), err)
		}
	}
	if requests != 1 {
		t.Errorf("%d requests", requests)
	}
	l.o.Context, l.folder = t.Context(), "other"
	if _, err := l.file("raw/file"); err == nil || !strings.Contains(err.Error(), "docs/data.md") {
		t.Errorf("unknown: %v", err)
	}
}

func TestLoadOptionErrors(t *testing.T) {
	dataFolder(t, nil)
	for _, c := range []struct {
		load func(LoadOptions) (Data, error)
		o    LoadOptions
		want string
	}{
		{Tatoeba, LoadOptions{Source: "en", Target: "de"}, `LoadOptions.Target is "de", but Tatoeba has en, fr`},
		{Tatoeba, LoadOptions{Source: "en"}, "LoadOptions.Target"},
		{Tatoeba, LoadOptions{Source: "fr", Target: "fr"}, "both"},
		{Tatoeba, LoadOptions{Train: []string{"train.0"}}, "nothing to choose"},
		{Tatoeba, LoadOptions{Test: "test"}, "nothing to choose"},
		{Tatoeba, LoadOptions{MaxLength: -1}, "MaxLength"},
		{Tatoeba, LoadOptions{MaxPairs: -1}, "MaxPairs"},
		{Europarl, LoadOptions{Train: []string{"train.9"}}, "train.short15"},
		{Europarl, LoadOptions{Test: "train.0"}, "test.buckets"},
		{Multi30k, LoadOptions{Test: "test_2015"}, "test_2016_flickr"},
		{Multi30k, LoadOptions{Source: "en", Target: "cs"}, "de"},
		{Tatoeba, LoadOptions{}, "LoadOptions.Download"},
		{Europarl, LoadOptions{}, "docs/data.md"},
		{Europarl, LoadOptions{Download: true}, "docs/data.md"},
	} {
		if _, err := c.load(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
	t.Setenv(OfflineVariable, "1")
	if _, err := Tatoeba(LoadOptions{Download: true}); err == nil || !strings.Contains(err.Error(), OfflineVariable) {
		t.Errorf("offline: %v", err)
	}
}

// The real corpora, where they are.
func TestRealCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("real text is left to the long tests")
	}
	for _, c := range []struct {
		name, folder     string
		load             func(LoadOptions) (Data, error)
		o                LoadOptions
		train, dev, test int // at least
	}{
		{"tatoeba", "tatoeba_enfr", Tatoeba, LoadOptions{Lower: true}, 136000, 1990, 2000},
		{"europarl", "europarl_enfr", Europarl, LoadOptions{Train: []string{"train.0", "train.1"}, Test: "test.buckets", MaxPairs: 20000}, 19900, 1590, 1600},
		{"europarl eea", "europarl_enfr", Europarl, LoadOptions{Test: "eea", MaxPairs: 1000}, 990, 2900, 224},
		{"multi30k", "multi30k", Multi30k, LoadOptions{}, 28900, 1000, 1000},
		{"multi30k de", "multi30k", Multi30k, LoadOptions{Source: "de", Target: "en", Test: "test_2017_mscoco"}, 28900, 1000, 461},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := project.Data(c.folder); errors.Is(err, project.ErrNoData) {
				t.Skip(err)
			}
			var report LoadReport
			c.o.Report = &report
			d, err := c.load(c.o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d train, %d dev, %d test\n%v", len(d.Train), len(d.Dev), len(d.Test), report)
			if len(d.Train) < c.train || len(d.Dev) < c.dev || len(d.Test) < c.test {
				t.Errorf("%d, %d, %d pairs", len(d.Train), len(d.Dev), len(d.Test))
			}
			where := map[string]int{}
			for part, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
				for _, p := range pairs {
					key := sentenceKey(p.Source)
					if before, ok := where[key]; ok && before != part {
						t.Fatalf("source %q stands in parts %d and %d", key, before, part)
					}
					where[key] = part
				}
			}
		})
	}
}

// The pinned checksums are those of the copies at hand.
func TestRemoteChecksums(t *testing.T) {
	for place, r := range remotes() {
		path, err := project.Data(filepath.FromSlash(place))
		if errors.Is(err, project.ErrNoData) {
			continue
		}
		if there, err := checked(path, r); !there || err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
}
