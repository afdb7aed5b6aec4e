package metrics

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/project"
)

// The words look at 0 and 1; the gold links are 0-0 and 1-1. EOS has a row and a column.
var (
	looks = [][][]float64{{{0.6, 0.4, 0}, {0.3, 0.45, 0.25}, {0, 0, 1}}, {{0.2, 0.8}}}
	gold  = []corpus.Pair{pair(2, 2, "0-0 1-1"), pair(2, 1, "1-0 0?0")}
)

func TestAERAbove(t *testing.T) {
	// At 0.1: all but EOS: 0-0 1-0 0-1 1-1 and 0-0 1-0: |A| 6, |S| 3, |A∩S| 3, |A∩P| 4: 1 - 7/9. At 0.45: 0-0, 1-1, 1-0: right. At 0.7: 1-0 of
	// the second pair: |A| 1, |A∩S| 1: 1 - 2/4.
	scores, err := AERAbove([]float64{0.1, 0.45, 0.7}, looks, gold)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{2.0 / 9, 0, 0.5} {
		if math.Abs(scores[k].AER()-want) > 1e-12 {
			t.Errorf("threshold %d: %v, want %g", k, scores[k], want)
		}
	}
	if best, score, err := BestThreshold([]float64{0.1, 0.45, 0.44, 0.7}, looks, gold); err != nil || best != 0.45 || score != scores[1] {
		t.Errorf("best: %g, %v, %v", best, score, err)
	}
	if score, err := AERArgmax(looks, gold); err != nil || score.AER() != 0 {
		t.Errorf("argmax: %v, %v", score, err)
	}
}

func TestEvenness(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights [][][]float64
		pairs   []corpus.Pair
		want    float64
	}{
		{"one place each", [][][]float64{{{1, 0}, {0, 1}}}, []corpus.Pair{pair(2, 2, "")}, 0},
		{"all alike, EOS left out", [][][]float64{{{0.25, 0.25, 0.25, 0.25}, {1, 0, 0, 0}}}, []corpus.Pair{pair(3, 1, "")}, 1},
		{"lengths", [][][]float64{{{0.5, 0.5}}, {{1, 0, 0, 0}}}, []corpus.Pair{pair(2, 1, ""), pair(4, 1, "")}, 1.0 / 3},
		{"no choice", [][][]float64{{{1}}}, []corpus.Pair{pair(1, 1, "")}, 0},
	} {
		if got, err := Evenness(c.weights, c.pairs); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, %v, want %g", c.name, got, err, c.want)
		}
	}
}

func TestAttentionTextErrors(t *testing.T) {
	broken := [][][]float64{looks[0], {{0.2, 1.8}}}
	half := [][][]float64{looks[0], {{0.2, 0.2}}}
	for _, c := range []struct {
		name string
		do   func() error
		part string
	}{
		{"unequal, argmax", func() error { _, err := AERArgmax(looks[:1], gold); return err }, "1 attention matrices"},
		{"unequal, threshold", func() error { _, err := AERAbove([]float64{0.5}, looks, gold[:1]); return err }, "2 attention matrices"},
		{"unequal, evenness", func() error { _, err := Evenness(looks, gold[:1]); return err }, "2 attention matrices"},
		{"no weight", func() error { _, err := AERArgmax(broken, gold); return err }, "pair 1: metrics: attention weight 1.8"},
		{"no weight above", func() error { _, err := AERAbove([]float64{0.5}, broken, gold); return err }, "pair 1: "},
		{"no distribution", func() error { _, err := Evenness(half, gold); return err }, "pair 1: metrics: attention row 0 sums to 0.4"},
		{"threshold", func() error { _, err := AERAbove([]float64{0.5, 0}, looks, gold); return err }, "threshold 0"},
		{"no threshold", func() error { _, _, err := BestThreshold(nil, looks, gold); return err }, "no threshold"},
		{"no gold", func() error {
			_, err := AERArgmax(looks[1:], []corpus.Pair{{Source: gold[1].Source, Target: gold[1].Target}})
			return err
		}, "no gold"},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.part)
		}
	}
}

// A pair with an empty side has no links, and changes nothing.
func TestAEREmptySides(t *testing.T) {
	with := []corpus.Pair{pair(2, 2, "0-0"), pair(0, 3, ""), pair(2, 0, ""), pair(0, 0, "")}
	got, err := AER([][]corpus.Link{links("0-0 1-1"), nil, {}, nil}, with)
	want, _ := AER([][]corpus.Link{links("0-0 1-1")}, with[:1])
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// Of ALIBI's gold links by definition: the sure ones alone are right and complete, all links too; half of them, those of even target words, are right, with a
// recall that is counted here; those moved by one word are mostly wrong.
func TestAERAlibi(t *testing.T) {
	pairs, err := corpus.Alibi()
	if errors.Is(err, project.ErrNoData) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var sure, all, even, moved [][]corpus.Link
	sures, evens := 0, 0
	for _, p := range pairs {
		var s, e, m []corpus.Link
		for _, l := range p.Links {
			if l.Possible {
				continue
			}
			sures++
			s = append(s, l)
			if l.Target%2 == 0 {
				evens++
				e = append(e, l)
			}
			if l.Target+1 < len(p.Target) {
				m = append(m, corpus.Link{Source: l.Source, Target: l.Target + 1})
			}
		}
		sure, all, even, moved = append(sure, s), append(all, p.Links), append(even, e), append(moved, m)
	}
	for _, c := range []struct {
		name                   string
		predicted              [][]corpus.Link
		aer, precision, recall float64
	}{
		{"sure", sure, 0, 1, 1},
		{"all", all, 0, 1, 1},
		// |A| = |A∩S| = |A∩P|: 1 - 2|A|/(|A|+|S|).
		{"even", even, 1 - 2*float64(evens)/float64(evens+sures), 1, float64(evens) / float64(sures)},
	} {
		got, err := AER(c.predicted, pairs)
		if err != nil || math.Abs(got.AER()-c.aer) > 1e-12 || got.Precision() != c.precision || math.Abs(got.Recall()-c.recall) > 1e-12 {
			t.Errorf("%s: %v, %v, want AER %g, recall %g", c.name, got, err, c.aer, c.recall)
		}
	}
	if got, err := AER(moved, pairs); err != nil || got.AER() < 0.9 {
		t.Errorf("moved: %v, %v", got, err)
	}
	// From the other side it is the same.
	if got, err := AER(reverseAll(even), corpus.ReversePairs(pairs)); err != nil || got.Predicted != evens || got.Sure != sures || got.PredictedSure != evens {
		t.Errorf("reversed: %+v, %v", got, err)
	}
}

func reverseAll(alignments [][]corpus.Link) (all [][]corpus.Link) {
	for _, links := range alignments {
		all = append(all, corpus.ReverseLinks(links))
	}
	return all
}

// The same links are the same, whether the file counts from 1 or from 0; read as the other form they are an error, not a bad score.
func TestAERForms(t *testing.T) {
	pairs := []corpus.Pair{pair(1, 1, ""), pair(2, 2, "")}
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "links")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	naacl, nulls, err := corpus.ReadNAACL(file("1 1 1\n2 1 2 S\n2 2 1 P\n"), pairs)
	if err != nil || nulls != 0 {
		t.Fatal(nulls, err)
	}
	pharaoh, err := corpus.ReadPharaoh(file("0-0\n0-1 1?0\n"), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for _, gold := range [][]corpus.Pair{naacl, pharaoh} {
		for _, predicted := range [][]corpus.Pair{naacl, pharaoh} {
			got, err := AER([][]corpus.Link{predicted[0].Links, predicted[1].Links}, gold)
			if err != nil || got.AER() != 0 || got.Predicted != 3 || got.Sure != 2 {
				t.Errorf("%+v, %v, want AER 0", got, err)
			}
		}
	}
	if _, err := corpus.ReadPharaoh(file("1-1\n1-2 2?1\n"), pairs); err == nil || !strings.Contains(err.Error(), "links:1:") {
		t.Errorf("Pharaoh's form counted from 1: %v", err)
	}
	if _, _, err := corpus.ReadNAACL(file("0 0 0\n"), pairs); err == nil || !strings.Contains(err.Error(), "links:1:") {
		t.Errorf("NAACL's form counted from 0: %v", err)
	}
}
