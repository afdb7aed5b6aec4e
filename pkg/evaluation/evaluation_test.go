package evaluation

import (
	"context"
	"math"
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
	})
}
