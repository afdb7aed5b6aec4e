package ibm

import (
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/corpus/grammar"
	"seq2attn/pkg/metrics"
)

// phrases makes what a decoder needs of a text by grow-diag-final-and of the HMM, as usual.
func phrases(t testing.TB, text []corpus.Pair) Decoder {
	t.Helper()
	forward, backward := bothWays(t, text)
	alignments, err := SymmetrizeAll(GrowDiagFinalAnd, forward, backward)
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewPhraseTable(text, alignments, 4, 10)
	if err != nil {
		t.Fatal(err)
	}
	language, err := NewLanguageModel(3, corpus.Targets(text))
	if err != nil {
		t.Fatal(err)
	}
	return Decoder{Table: table, Language: language, Weights: DefaultWeights(), Distortion: 4}
}

// exhaustive tries all phrases in all orders that the limit allows.
func exhaustive(d Decoder, source []string) (best float64, translation string) {
	best = math.Inf(-1)
	var walk func(covered map[int]bool, end int, target []string, score float64)
	walk = func(covered map[int]bool, end int, target []string, score float64) {
		if len(covered) == len(source) {
			if score += d.Weights.Language * d.Language.Sentence(target); score > best {
				best, translation = score, strings.Join(target, " ")
			}
			return
		}
		for from := range source {
			jump := max(from-end, end-from)
			if covered[from] || jump > d.Distortion {
				continue
			}
			for to := from + 1; to <= len(source) && !covered[to-1]; to++ {
				choices := d.Table.Translations(source[from:to])
				if choices == nil && to == from+1 {
					choices = []PhraseTranslation{{Target: source[from:to], Forward: math.Exp(unknownScore), Backward: 1}}
				}
				for _, c := range choices {
					next := map[int]bool{}
					for i := range covered {
						next[i] = true
					}
					for i := from; i < to; i++ {
						next[i] = true
					}
					walk(next, to, append(target[:len(target):len(target)], c.Target...), score+math.Log(c.Forward)+math.Log(c.Backward)+
						d.Weights.Word*float64(len(c.Target))-d.Weights.Jump*float64(jump))
				}
			}
		}
	}
	walk(map[int]bool{}, 0, nil, 0)
	return best, translation
}

func TestDecoderExhaustive(t *testing.T) {
	d, err := grammar.New(grammar.Options{Train: 150, Test: 25, Seed: 4, MaxLength: 12})
	if err != nil {
		t.Fatal(err)
	}
	decoder := phrases(t, d.Train)
	tried := 0
	for _, p := range d.Test {
		source := p.Source[:min(len(p.Source), 5)]
		for _, distortion := range []int{0, 2, 5} {
			decoder.Distortion, decoder.Beam = distortion, 1<<20
			want, text := exhaustive(decoder, source)
			target, steps, score, err := decoder.Translate(source)
			if err != nil || !near(score, want, 1e-9) {
				t.Errorf("%v at most %d away: %q scores %g, %v, want %q with %g", source, distortion, target, score, err, text, want)
			}
			covered := map[int]bool{}
			for _, s := range steps {
				for i := s.Source.From; i < s.Source.To; i++ {
					covered[i] = true
				}
			}
			if len(covered) != len(source) {
				t.Errorf("%v: the steps %v cover %d words", source, steps, len(covered))
			}
			tried++
			decoder.Beam = 2
			if _, _, narrow, err := decoder.Translate(source); err != nil || narrow > score+1e-9 {
				t.Errorf("%v: a beam of 2 scores %g, %v, an endless one %g", source, narrow, err, score)
			}
		}
	}
	if tried < 75 {
		t.Errorf("only %d sentences", tried)
	}
}

// Phrases put the adjective behind its noun, and unknown words are taken over.
func TestDecoderTranslates(t *testing.T) {
	d, err := grammar.New(grammar.Options{Train: 2000, Test: 40, Seed: 2, MaxLength: 16})
	if err != nil {
		t.Fatal(err)
	}
	decoder := phrases(t, d.Train)
	var sources, references [][]string
	for _, p := range d.Test {
		sources, references = append(sources, p.Source), append(references, p.Target)
	}
	hypotheses, err := decoder.TranslateAll(sources)
	if err != nil {
		t.Fatal(err)
	}
	score, err := metrics.CorpusBLEU(hypotheses, metrics.OneReference(references))
	if err != nil || score.Score < 60 {
		t.Errorf("%v, %v", score, err)
	}
	t.Log(score)
	alone, _, _, err := decoder.Translate(sources[7])
	if err != nil || strings.Join(alone, " ") != strings.Join(hypotheses[7], " ") {
		t.Errorf("alone %q, %v, among others %q", alone, err, hypotheses[7])
	}
	if _, err := decoder.TranslateAll([][]string{sources[0], {}}); err == nil || !strings.Contains(err.Error(), "source 1: ") {
		t.Errorf("an empty source: %v", err)
	}
	target, steps, _, err := decoder.Translate([]string{"qwerty", "."})
	if err != nil || target[0] != "qwerty" || !steps[0].Unknown {
		t.Errorf("an unknown word: %v, %v, %v", target, steps, err)
	}
}

func TestDecoderErrors(t *testing.T) {
	d := phrases(t, pairs("the house ||| das Haus", "the book ||| das Buch", "a book ||| ein Buch"))
	for _, c := range []struct {
		name   string
		change func(*Decoder)
		source string
		part   string
	}{
		{"no table", func(d *Decoder) { d.Table = nil }, "a", "needs a Table"},
		{"no language model", func(d *Decoder) { d.Language = nil }, "a", "Language"},
		{"beam", func(d *Decoder) { d.Beam = -1 }, "a", "-1"},
		{"distortion", func(d *Decoder) { d.Distortion = -2 }, "a", "-2"},
		{"empty", func(*Decoder) {}, "", "empty source"},
	} {
		e := d
		c.change(&e)
		if _, _, _, err := e.Translate(strings.Fields(c.source)); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.part)
		}
	}
}
