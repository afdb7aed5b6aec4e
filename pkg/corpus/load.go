package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seq2attn/pkg/kept"
	"seq2attn/pkg/project"
)

// LoadOptions says what to load of a corpus and how. The zero value loads all of it, from English to French.
type LoadOptions struct {
	// Source and Target are the languages: "en" and "fr" where both are empty. [Load] wants both.
	Source, Target string
	// Lower turns letters into lower case.
	Lower bool
	// Characters makes a token of every character, on both sides.
	Characters bool
	// MaxLength leaves out training and development pairs with more tokens on either side, without EOS; 0 sets no limit. The
	// test part is never filtered, so that every model is tested on the same sentences.
	MaxLength int
	// MaxPairs is the most training pairs, the first of the file; 0 sets no limit.
	MaxPairs int
	// Train names the training parts of Europarl ("train.0" by default, "train.1" to "train.3", "train.short15"); they are put behind each
	// other. Other corpora have one and refuse it.
	Train []string
	// Test names the test part where there are several. Europarl: "test" by default, "test.buckets" (200 sentences for every ten
	// words of length), "eea" (the European Economic Area). Multi30k: "test_2016_flickr" by default, "test_2017_flickr",
	// "test_2017_mscoco", "test_2018_flickr".
	Test string
	// Dev and TestPairs are how many pairs [Load], or Tatoeba's original archive, sets aside; 2000 each where both are 0, but at
	// most a tenth of the pairs. Seed chooses them.
	Dev, TestPairs int
	Seed           uint64
	// Download fetches what is missing into the data folder, checked against its pinned SHA-256. Nothing is ever fetched without
	// it.
	Download bool
	// Context, if set, can cancel a download.
	Context context.Context
	// Report, if set, is filled with what was kept and what was not. The files are then read anew; without it, what was read of the same
	// files before comes from the cache, see [Cached].
	Report *LoadReport
}

// LoadReport counts what was kept of each part of a corpus.
type LoadReport struct {
	Train, Dev, Test Report
	// Shared pairs left the training or development part because their source also stands, but for case, in a later part.
	Shared int
}

// String says it in a few lines.
func (r LoadReport) String() string {
	return fmt.Sprintf("train: %v\ndev: %v\ntest: %v\n%d pairs left out because a later part has their source", r.Train, r.Dev, r.Test, r.Shared)
}

// Tatoeba loads short everyday sentences, English and French (CC BY 2.0, www.manythings.org/anki and tatoeba.org), from the
// folder tatoeba_enfr of the data folder: train, dev and test.tsv.gz, or else fra-eng.zip as published, which is split here.
func Tatoeba(o LoadOptions) (Data, error) {
	if err := o.check("Tatoeba", []string{"en", "fr"}, nil, nil); err != nil {
		return Data{}, err
	}
	l := loader{o: o, name: "tatoeba", folder: "tatoeba_enfr", remotes: remotes()}
	if _, err := project.Data(filepath.Join(l.folder, "train.tsv.gz")); err == nil {
		return l.cached(func() (Data, error) { return l.parts(l.tsv("train"), l.tsv("dev"), l.tsv("test")) },
			l.files(".tsv.gz", "train", "dev", "test")...)
	}
	archive, err := l.file("fra-eng.zip")
	if err != nil {
		return Data{}, err
	}
	return l.cached(func() (Data, error) { return l.whole(l.turned(readZip(archive, "fra.txt"))) }, archive)
}

// Europarl loads sentences from the European Parliament, English and French (Koehn 2005), from the folder europarl_enfr of the
// data folder. Their mean length is 26 words.
func Europarl(o LoadOptions) (Data, error) {
	if err := o.check("Europarl", []string{"en", "fr"}, []string{"train.0", "train.1", "train.2", "train.3", "train.short15"},
		[]string{"test", "test.buckets", "eea"}); err != nil {
		return Data{}, err
	}
	l := loader{o: o, name: "europarl", folder: "europarl_enfr", remotes: remotes()}
	if len(o.Train) == 0 {
		o.Train = []string{"train.0"}
	}
	var train []iter.Seq2[Bitext, error]
	for _, part := range o.Train {
		train = append(train, l.tsv(part))
	}
	dev := "dev"
	if o.Test == "test.buckets" {
		dev = "dev.buckets"
	}
	if o.Test == "" {
		o.Test = "test"
	}
	return l.cached(func() (Data, error) { return l.parts(behind(train...), l.tsv(dev), l.tsv(o.Test)) },
		l.files(".tsv.gz", append(slices.Clone(o.Train), dev, o.Test)...)...)
}

// Multi30k loads descriptions of pictures in English, French and German (Elliott et al. 2016, 2017; no licence is stated, the
// authors ask for research and teaching only) from the folder multi30k of the data folder. Their mean length is 12 words.
func Multi30k(o LoadOptions) (Data, error) {
	if err := o.check("Multi30k", []string{"en", "fr", "de"}, nil,
		[]string{"test_2016_flickr", "test_2017_flickr", "test_2017_mscoco", "test_2018_flickr"}); err != nil {
		return Data{}, err
	}
	l := loader{o: o, name: "multi30k", folder: "multi30k", remotes: remotes()}
	if o.Test == "" {
		o.Test = "test_2016_flickr"
	}
	var files []string
	for _, language := range []string{o.Source, o.Target} {
		files = append(files, l.files("."+language+".gz", "raw/train", "raw/val", "raw/"+o.Test)...)
	}
	return l.cached(func() (Data, error) { return l.parts(l.two("train"), l.two("val"), l.two(o.Test)) }, files...)
}

// Load reads parallel text of your own: one TSV file or two files whose lines correspond, see [ReadTSV] and [ReadTwoFiles]. It is
// split by source sentence; o.Dev, o.TestPairs and o.Seed say how. The corpus is named after the first file.
func Load(o LoadOptions, paths ...string) (Data, error) {
	switch {
	case len(paths) != 1 && len(paths) != 2:
		return Data{}, fmt.Errorf("corpus: Load was given %d files: give one with two columns, or two", len(paths))
	case o.Source == "" || o.Target == "":
		return Data{}, errors.New("corpus: Load needs LoadOptions.Source and Target, the languages of the two sides, such as \"en\" and \"fr\"")
	}
	if err := o.check("Load", []string{o.Source, o.Target}, nil, nil); err != nil {
		return Data{}, err
	}
	name, _, _ := strings.Cut(filepath.Base(paths[0]), ".")
	l := loader{o: o, name: name, forward: true}
	return l.cached(func() (Data, error) {
		if len(paths) == 2 {
			return l.whole(ReadTwoFiles(paths[0], paths[1]))
		}
		return l.whole(ReadTSV(paths[0]))
	}, paths...)
}

// check finds fault with the options for a corpus with these languages and these training and test parts; it fills in the
// languages.
func (o *LoadOptions) check(corpus string, languages, train, test []string) error {
	if o.Source == "" && o.Target == "" {
		o.Source, o.Target = "en", "fr"
	}
	one := func(field, value string, of []string) error {
		switch {
		case slices.Contains(of, value):
			return nil
		case len(of) == 0:
			return fmt.Errorf("corpus: LoadOptions.%s is %q, but %s has nothing to choose there", field, value, corpus)
		}
		return fmt.Errorf("corpus: LoadOptions.%s is %q, but %s has %s", field, value, corpus, strings.Join(of, ", "))
	}
	var errs []error
	errs = append(errs, one("Source", o.Source, languages), one("Target", o.Target, languages))
	if o.Source == o.Target && corpus != "Load" {
		errs = append(errs, fmt.Errorf("corpus: LoadOptions.Source and Target are both %q", o.Source))
	}
	for _, part := range o.Train {
		errs = append(errs, one("Train", part, train))
	}
	if o.Test != "" {
		errs = append(errs, one("Test", o.Test, test))
	}
	for field, n := range map[string]int{"MaxLength": o.MaxLength, "MaxPairs": o.MaxPairs, "Dev": o.Dev, "TestPairs": o.TestPairs} {
		if n < 0 {
			errs = append(errs, fmt.Errorf("corpus: LoadOptions.%s is %d: give 0 or more", field, n))
		}
	}
	return errors.Join(errs...)
}

// loader makes Data of files.
type loader struct {
	o       LoadOptions
	name    string
	folder  string // in the data folder
	forward bool   // the files have the source first, whatever its language
	remotes map[string]Remote
}

func (l *loader) filter(maxLength, maxPairs int) Filter {
	tokenizer := func(language string) Tokenizer {
		return Tokenizer{Language: language, Characters: l.o.Characters, Lower: l.o.Lower}
	}
	return Filter{Source: tokenizer(l.o.Source), Target: tokenizer(l.o.Target), MaxLength: maxLength, MaxPairs: maxPairs}
}

// parts loads a corpus that comes in three parts.
func (l *loader) parts(train, dev, test iter.Seq2[Bitext, error]) (Data, error) {
	d := Data{Name: l.name, Source: l.o.Source, Target: l.o.Target}
	var r LoadReport
	for _, part := range []struct {
		name   string
		text   iter.Seq2[Bitext, error]
		filter Filter
		pairs  *[]Pair
		report *Report
	}{
		{"train", train, l.filter(l.o.MaxLength, l.o.MaxPairs), &d.Train, &r.Train},
		{"dev", dev, l.filter(l.o.MaxLength, 0), &d.Dev, &r.Dev},
		{"test", test, l.filter(0, 0), &d.Test, &r.Test},
	} {
		var err error
		if *part.pairs, *part.report, err = part.filter.Pairs(part.text); err != nil {
			return Data{}, fmt.Errorf("%s, %s part: %w", l.name, part.name, err)
		}
	}
	return l.finish(d, r)
}

// whole loads a corpus that comes in one part. The test pairs are set aside before anything is filtered by length.
func (l *loader) whole(text iter.Seq2[Bitext, error]) (Data, error) {
	pairs, all, err := l.filter(0, 0).Pairs(text)
	if err != nil {
		return Data{}, fmt.Errorf("%s: %w", l.name, err)
	}
	dev, test := l.o.Dev, l.o.TestPairs
	if dev == 0 && test == 0 {
		dev = min(2000, len(pairs)/10)
		test = dev
	}
	d, err := Split(pairs, dev, test, l.o.Seed)
	if err != nil {
		return Data{}, fmt.Errorf("%s: %w", l.name, err)
	}
	d.Name, d.Source, d.Target = l.name, l.o.Source, l.o.Target
	r := LoadReport{Train: all, Dev: Report{Lines: len(d.Dev)}, Test: Report{Lines: len(d.Test), Kept: len(d.Test)}}
	r.Train.Lines -= len(d.Dev) + len(d.Test)
	short := func(pairs []Pair, report *Report) []Pair {
		kept := pairs
		if l.o.MaxLength > 0 {
			kept = slices.DeleteFunc(pairs, func(p Pair) bool { return max(len(p.Source), len(p.Target)) > l.o.MaxLength })
		}
		report.TooLong = len(pairs) - len(kept)
		report.Kept = len(kept)
		return kept
	}
	d.Train, d.Dev = short(d.Train, &r.Train), short(d.Dev, &r.Dev)
	if len(d.Train) == 0 {
		return Data{}, fmt.Errorf("%s: no training pair is left (%v): raise LoadOptions.MaxLength (%d)", l.name, r.Train, l.o.MaxLength)
	}
	if dev > 0 && len(d.Dev) == 0 {
		return Data{}, fmt.Errorf("%s: no development pair is left (%v): raise LoadOptions.MaxLength (%d)", l.name, r.Dev, l.o.MaxLength)
	}
	if l.o.MaxPairs > 0 && len(d.Train) > l.o.MaxPairs {
		d.Train = d.Train[:l.o.MaxPairs:l.o.MaxPairs]
		r.Train.Kept = l.o.MaxPairs
	}
	return l.finish(d, r)
}

// finish keeps the parts apart and hands out the report.
func (l *loader) finish(d Data, r LoadReport) (Data, error) {
	r.Shared = separate(&d)
	if l.o.Report != nil {
		*l.o.Report = r
	}
	if len(d.Train) == 0 {
		return Data{}, fmt.Errorf("%s: no training pair is left: all sources stand in the development or test part too", l.name)
	}
	return d, nil
}

// file is the path of a file of the folder, fetched if it is absent and the options say so.
func (l *loader) file(name string) (string, error) {
	at := filepath.Join(l.folder, filepath.FromSlash(name))
	path, err := project.Data(at)
	if !errors.Is(err, project.ErrNoData) {
		return path, err
	}
	remote, known := l.remotes[l.folder+"/"+name]
	switch {
	case !known:
		return "", fmt.Errorf("corpus: %w; it cannot be fetched from anywhere with a known checksum: docs/data.md says how to get it", err)
	case !l.o.Download:
		return "", fmt.Errorf("corpus: %w; set LoadOptions.Download to fetch it from %s", err, remote.URL)
	}
	if path, err = dataPath(at); err != nil {
		return "", err
	}
	ctx := l.o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	return path, Fetch(ctx, remote, path)
}

// dataPath is where a file belongs in the data folder, there or not.
func dataPath(name string) (string, error) {
	if dir := os.Getenv("SEQ2ATTN_DATA"); dir != "" {
		return filepath.Join(dir, name), nil
	}
	return project.Path("data", name)
}

// files are the paths of files of the folder; those that are absent, to be fetched yet, are named all the same.
func (l *loader) files(extension string, names ...string) (paths []string) {
	for _, name := range names {
		path, err := dataPath(filepath.Join(l.folder, filepath.FromSlash(name+extension)))
		if err != nil {
			return nil
		}
		paths = append(paths, path)
	}
	return paths
}

// cached is what produce reads of the files: kept, unless a report is asked for, under a key that holds the options, each file's path, size and
// time of change, and this package's code.
func (l *loader) cached(produce func() (Data, error), files ...string) (Data, error) {
	if l.o.Report != nil || len(files) == 0 {
		return produce()
	}
	o := l.o
	o.Context, o.Download = nil, false
	code, err := kept.Code(ownSources)
	if err != nil {
		return Data{}, err
	}
	key := []any{l.name, l.forward, o, code}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return produce()
		}
		info, err := os.Stat(path)
		if err != nil { // to be fetched, or an error that says what is absent
			return produce()
		}
		key = append(key, path, info.Size(), info.ModTime().UnixNano())
	}
	return Cached(produce, key...)
}

// tsv streams NAME.tsv.gz, which has English first.
func (l *loader) tsv(name string) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		path, err := l.file(name + ".tsv.gz")
		if err != nil {
			yield(Bitext{}, err)
			return
		}
		l.turned(ReadTSV(path))(yield)
	}
}

// turned streams English-French text in the direction that the options want.
func (l *loader) turned(text iter.Seq2[Bitext, error]) iter.Seq2[Bitext, error] {
	if l.forward || l.o.Source == "en" {
		return text
	}
	return func(yield func(Bitext, error) bool) {
		for b, err := range text {
			b.Source, b.Target = b.Target, b.Source
			if !yield(b, err) {
				return
			}
		}
	}
}

// two streams raw/NAME.SOURCE.gz beside raw/NAME.TARGET.gz.
func (l *loader) two(name string) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		source, errS := l.file("raw/" + name + "." + l.o.Source + ".gz")
		target, errT := l.file("raw/" + name + "." + l.o.Target + ".gz")
		if err := errors.Join(errS, errT); err != nil {
			yield(Bitext{}, err)
			return
		}
		ReadTwoFiles(source, target)(yield)
	}
}

// behind streams texts one behind the other.
func behind(texts ...iter.Seq2[Bitext, error]) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		for _, text := range texts {
			for b, err := range text {
				if !yield(b, err) {
					return
				}
			}
		}
	}
}
