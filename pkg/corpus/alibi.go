package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"seq2attn/pkg/project"
)

// Alibi loads five short stories, French to English, with the links that people drew between their words, sure and possible (Xu and Yvon
// 2016; CC BY-SA 4.0): 522 pairs, from the folder align_alibi_fren of the data folder. Tokens are as published, in their own case.
func Alibi() ([]Pair, error) {
	folder, err := project.Data(filepath.Join("align_alibi_fren", "ali"))
	if err != nil {
		return nil, err
	}
	stories, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var pairs []Pair
	for _, s := range stories {
		french, english, ok := strings.Cut(s.Name(), "_")
		if !s.IsDir() || !ok {
			continue
		}
		path := func(name string) string { return filepath.Join(folder, s.Name(), name+".txt") }
		story, err := readAlibi(path(french+"_sents"), path(english+"_sents"), path("ali_w2w_"+s.Name()))
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, story...)
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("corpus: %s holds no story: a folder French_English each", folder)
	}
	return pairs, nil
}

// readAlibi reads one story: lines "id<TAB>text" in two files, "id<TAB>links" in the third, the ids the same in all.
func readAlibi(source, target, alignment string) ([]Pair, error) {
	var pairs []Pair
	for b, err := range ReadTwoFiles(source, target) {
		if err != nil {
			return nil, err
		}
		id, text, ok := strings.Cut(b.Source, "\t")
		other, translation, also := strings.Cut(b.Target, "\t")
		p := Pair{Source: strings.Fields(text), Target: strings.Fields(translation)}
		switch {
		case !ok || !also || id != other:
			return nil, fmt.Errorf("corpus: %s:%d: id %q here, %q in %s: give id<TAB>text, the id the same", source, b.Line, id, other, target)
		case len(p.Source) == 0 || len(p.Target) == 0:
			return nil, fmt.Errorf("corpus: %s:%d: the sentence is empty, here or in %s", source, b.Line, target)
		}
		pairs = append(pairs, p)
	}
	for b, err := range ReadTSV(alignment) {
		if err != nil {
			return nil, err
		}
		fail := func(err error) ([]Pair, error) { return nil, fmt.Errorf("corpus: %s:%d: %w", alignment, b.Line, err) }
		if b.Line > len(pairs) {
			return fail(fmt.Errorf("there are only %d sentence pairs", len(pairs)))
		}
		p := &pairs[b.Line-1]
		if want := fmt.Sprint(b.Line - 1); b.Source != want {
			return fail(fmt.Errorf("id %q where %s is expected", b.Source, want))
		}
		var err error
		if p.Links, err = ParsePharaoh(b.Target); err != nil {
			return fail(err)
		}
		for _, l := range p.Links {
			if err := l.Within(*p); err != nil {
				return fail(fmt.Errorf("link from %w", err))
			}
		}
	}
	if n := len(pairs); n > 0 && pairs[n-1].Links == nil {
		return nil, fmt.Errorf("corpus: %s has fewer lines than there are sentence pairs, %d", alignment, n)
	}
	return pairs, nil
}
