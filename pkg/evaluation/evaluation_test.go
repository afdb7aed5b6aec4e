package evaluation

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// trained is a run too small to be right, on pairs of which half have an alignment.
func trained(t *testing.T, e *engine.Engine, c seq2seq.Config) (*seq2seq.Run, []corpus.Pair) {
	d, err := corpus.CopyDigits(corpus.DigitOptions{Digits: 3, MinLength: 2, MaxLength: 5, Train: 60, Dev: 5, Test: 12, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c.Embedding, c.Hidden, c.BatchSize, c.Updates, c.EvaluateEvery = 4, 6, 8, 4, 2
	run, err := seq2seq.Train(context.Background(), c, d, seq2seq.Engine(e), seq2seq.Folder(t.TempDir()), seq2seq.Quiet())
	if err != nil {
		t.Fatal(err)
	}
	return run, d.Test
}

func TestRun(t *testing.T) {
	bins := []metrics.Bin{{Low: 1, High: 3}, {Low: 4, High: 5}, {Low: 6, High: 9}}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		attention := seq2seq.Bahdanau()
		attention.Maxout = 4
		for _, c := range []seq2seq.Config{attention, seq2seq.Sutskever()} {
			run, pairs := trained(t, e, c)
			s, err := Run(context.Background(), run, pairs, bins)
			if err != nil {
				t.Fatal(err)
			}
			score, err := run.Score(context.Background(), pairs, bins)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Measures[results.BLEU]; math.Abs(got-score.Total.Score) > 1e-9 {
				t.Errorf("%s: BLEU %v, want %v", c.Name, got, score.Total.Score)
			}
			if _, has := s.Measures[results.AER]; has != (c.Attention != "") {
				t.Errorf("%s: an AER was measured: %v", c.Name, has)
			}
			if s.Bins[2].N != 0 || len(s.Bins[2].Measures) != 0 {
				t.Errorf("%s: the empty bin has %v", c.Name, s.Bins[2].Measures)
			}
			if len(s.Curve) == 0 || s.Curve[len(s.Curve)-1].Update != c.Updates && s.Curve[len(s.Curve)-1].Update != run.Updates {
				t.Errorf("%s: the curve ends at %v", c.Name, s.Curve)
			}
			if _, err := Run(context.Background(), run, nil, bins); err == nil {
				t.Error("no pairs were measured")
			}
			blank := corpus.Pair{Target: pairs[0].Target, Links: []corpus.Link{}}
			if s, err := Run(context.Background(), run, append(pairs[:1:1], blank), bins); err == nil || !strings.Contains(err.Error(), "pair 1 has an empty source") {
				t.Errorf("%s: a pair without a source: %v, %v", c.Name, s.Measures, err)
			}
		}
	})
}

func TestLinksNeedOnePerWord(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := seq2seq.Bahdanau()
		c.Maxout = 4
		run, pairs := trained(t, e, c)
		links, err := Links(context.Background(), run, pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, pair := range pairs {
			for _, l := range links[i] {
				if l.Source >= len(pair.Source) || l.Target >= len(pair.Target) {
					t.Errorf("pair %d has a link %v beyond its words", i, l)
				}
			}
		}
		later, err := LinksOfInput(context.Background(), run, pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, pair := range pairs {
			var want, got []corpus.Link // of a step's row: what it writes in one, what it has read in the other
			for _, l := range links[i] {
				if l.Target > 0 {
					want = append(want, corpus.Link{Source: l.Source, Target: l.Target - 1})
				}
			}
			for _, l := range later[i] {
				if l.Target < len(pair.Target)-1 { // the last is by the row of EOS
					got = append(got, l)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("pair %d: links of what is read are %v, want %v", i, got, want)
			}
		}
	})
}

// book is a test set whose translations, links and lengths are easily counted.
func book() []corpus.Pair {
	pair := func(source, target string, links ...corpus.Link) corpus.Pair {
		return corpus.Pair{Source: strings.Fields(source), Target: strings.Fields(target), Links: links}
	}
	return []corpus.Pair{
		pair("the house", "das Haus", corpus.Link{}, corpus.Link{Source: 1, Target: 1}),
		pair("the book", "das Buch", corpus.Link{}, corpus.Link{Source: 1, Target: 1}),
		pair("i read the book", "ich lese das Buch", corpus.Link{}, corpus.Link{Source: 1, Target: 1}, corpus.Link{Source: 2, Target: 2}, corpus.Link{Source: 3, Target: 3}),
	}
}

func TestAlignment(t *testing.T) {
	pairs, bins := book(), []metrics.Bin{{Low: 1, High: 2}, {Low: 3, High: 4}, {Low: 5, High: 6}}
	links := [][]corpus.Link{pairs[0].Links, {{Source: 1, Target: 0}, {Source: 1, Target: 1}}, pairs[2].Links[:2]}
	m, err := Alignment("Model 1", links, pairs, bins)
	if err != nil {
		t.Fatal(err)
	}
	// 3 of 4 links are right where 4 are sure; 2 of 2 where 4 are; in all 5 of 6 where 8 are.
	if got := m.Seeds[0].Measures[results.AER]; math.Abs(got-(1-10.0/14)) > 1e-12 {
		t.Errorf("AER of all: %g", got)
	}
	for i, want := range []float64{1 - 6.0/8, 1 - 4.0/6} {
		if b := m.Seeds[0].Bins[i]; math.Abs(b.Measures[results.AER]-want) > 1e-12 || b.N != 2-i || b.Bin != bins[i] {
			t.Errorf("bin %d: %+v, want an AER of %g", i, b, want)
		}
	}
	if b := m.Seeds[0].Bins[2]; b.N != 0 || b.Measures != nil {
		t.Errorf("the empty bin has %+v", b)
	}
	bands, err := m.Bands(results.AER)
	if err != nil || len(bands) != 3 {
		t.Errorf("%v, %v", bands, err)
	}
	if _, err := Alignment("", nil, nil, bins); err == nil {
		t.Error("no pairs were measured")
	}
	if _, err := Alignment("", links[:2], pairs, bins); err == nil || !strings.Contains(err.Error(), "2 alignments") {
		t.Errorf("a pair without an alignment: %v", err)
	}
}

func TestTranslation(t *testing.T) {
	pairs, bins := book(), []metrics.Bin{{Low: 1, High: 2}, {Low: 3, High: 4}, {Low: 5, High: 6}}
	m, err := Translation("phrases", [][]string{{"das", "Haus"}, {"ein", "Buch"}, {"ich", "lese", "das", "Buch"}}, pairs, bins)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Seeds[0] // an end of sentence each counts in the accuracy
	for _, c := range []struct {
		got, want float64
	}{{s.Measures[results.ExactMatch], 2.0 / 3}, {s.Measures[results.TokenAccuracy], 10.0 / 11}, {s.Bins[0].Measures[results.ExactMatch], 0.5},
		{s.Bins[0].Measures[results.FirstWords(1)], 0.5}, {s.Bins[1].Measures[results.BLEU], 100}} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
	if s.Bins[2].N != 0 || len(s.Bins[2].Measures) != 0 {
		t.Errorf("the empty bin has %+v", s.Bins[2])
	}
	if _, err := Translation("", nil, nil, bins); err == nil {
		t.Error("no pairs were measured")
	}
	if _, err := Translation("", [][]string{{"das"}}, pairs, bins); err == nil || !strings.Contains(err.Error(), "1 translations of 3") {
		t.Errorf("missing translations: %v", err)
	}
}
