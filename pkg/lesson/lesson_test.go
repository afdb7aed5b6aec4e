package lesson

import (
	"slices"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"

	"seq2attn/pkg/engine"
)

// digits is a task small enough to be trained in a test, model one that fits it.
func digits(t *testing.T) corpus.Data {
	d, err := corpus.ReverseDigits(corpus.DigitOptions{Digits: 3, MinLength: 1, MaxLength: 4, Train: 100, Dev: 5, Test: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func model(seed uint64) seq2seq.Config {
	c := seq2seq.Bahdanau()
	c.Name = "small"
	c.Embedding, c.Hidden, c.Maxout, c.BatchSize, c.Updates, c.EvaluateEvery, c.Seed = 4, 6, 4, 8, 3, 1, seed
	return c
}

func TestTrainAndMeasure(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		t.Setenv("SEQ2ATTN_RUNS", t.TempDir())
		t.Setenv("SEQ2ATTN_ENGINE", string(e.Kind))
		d := digits(t)
		runs, err := Train(d, model(1), model(2))
		if err != nil {
			t.Fatal(err)
		}
		bins := []metrics.Bin{{Low: 1, High: 2}, {Low: 3, High: 4}, {Low: 5, High: 6}}
		models, err := Measure(d.Test, bins, runs...)
		if err != nil {
			t.Fatal(err)
		}
		if len(models) != 1 || len(models[0].Seeds) != 2 {
			t.Fatalf("two seeds of one model were measured as %d models", len(models))
		}
		n := 0
		for i, bin := range models[0].Seeds[0].Bins {
			n += bin.N
			_, has := bin.Measures[results.AER]
			if has != (bin.N > 0) {
				t.Errorf("bin %v with %d pairs: has an AER: %v", bins[i], bin.N, has)
			}
		}
		if n != len(d.Test) {
			t.Errorf("%d pairs in the bins, %d in the test part", n, len(d.Test))
		}
		for _, m := range []results.Measure{results.BLEU, results.AER, results.ExactMatch, results.TokenAccuracy, results.Perplexity} {
			if _, ok := models[0].Seeds[0].Measures[m]; !ok {
				t.Errorf("%s was not measured", m)
			}
		}

		curves := ByLength(results.BLEU, models, models)
		if len(curves.Lines) != 2 || curves.Lines[0].Shipped || !curves.Lines[1].Shipped {
			t.Fatalf("the live model and the shipped one behind it became %d lines", len(curves.Lines))
		}
		if _, err := curves.Figure(); err != nil {
			t.Error(err)
		}
		other, err := Measure(d.Test[:5], bins, runs...)
		if err != nil {
			t.Fatal(err)
		}
		if curves := ByLength(results.BLEU, models, other); len(curves.Lines) != 1 {
			t.Error("a shipped model that was measured on other sentences was drawn")
		}
	})
}

func TestCrowded(t *testing.T) {
	measured, not := model(1), model(1)
	not.EvaluateEvery = 0
	d := digits(t)
	none := d
	none.Dev = nil
	for _, test := range []struct {
		data    corpus.Data
		configs []seq2seq.Config
		want    bool
	}{
		{d, []seq2seq.Config{measured, measured, measured}, false},
		{d, []seq2seq.Config{measured, measured, measured, measured}, true},
		{d, []seq2seq.Config{measured, measured, measured, not}, false},
		{none, []seq2seq.Config{measured, measured, measured, measured}, false},
	} {
		if got := crowded(test.data, test.configs); got != test.want {
			t.Errorf("%d trainings, %d development pairs: %v", len(test.configs), len(test.data.Dev), got)
		}
	}
}

func TestByUpdates(t *testing.T) {
	trained := func(updates int, bleu float64) results.Model {
		bins := []results.Bin{{Bin: metrics.Bin{Low: 1, High: 2}, N: 3, Measures: results.Measures{results.BLEU: bleu}},
			{Bin: metrics.Bin{Low: 3, High: 4}, N: 3, Measures: results.Measures{results.BLEU: bleu / 2}}}
		return results.Model{Name: "m", Seeds: []results.Seed{{Seed: 1, Updates: updates, Bins: bins}}}
	}
	c, err := ByUpdates(results.BLEU, []results.Model{trained(200, 40), trained(100, 30)})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.At, []float64{100, 200}) || len(c.Lines) != 2 {
		t.Fatalf("%d lines at %v, want 2 at 100 and 200", len(c.Lines), c.At)
	}
	for i, want := range [][]float64{{30, 40}, {15, 20}} {
		for j, v := range c.Lines[i].Values {
			if v.Mean != want[j] {
				t.Errorf("line %d at %v is %v, want %v", i, c.At[j], v.Mean, want[j])
			}
		}
	}
	if _, err := c.Figure(); err != nil {
		t.Error(err)
	}
	other := trained(300, 1)
	other.Seeds[0].Bins = other.Seeds[0].Bins[1:]
	if _, err := ByUpdates(results.BLEU, []results.Model{trained(100, 30), other}); err == nil {
		t.Error("models measured in other bins were drawn in one figure")
	}
}

func TestShippedAbsent(t *testing.T) {
	if models := Shipped("nothing-of-this-name"); models != nil {
		t.Errorf("found %v", models)
	}
}

func TestCode(t *testing.T) {
	if err := Code("pkg/lesson", "Code"); err != nil {
		t.Error(err)
	}
	if err := Code("pkg/lesson", "nowhere"); err == nil {
		t.Error("code that is not there was shown")
	}
}
