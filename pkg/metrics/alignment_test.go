package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
)

// links reads "0-0 1?2": source to target, sure with a hyphen, possible with a question mark.
func links(text string) []corpus.Link {
	all := []corpus.Link{}
	for _, field := range strings.Fields(text) {
		var l corpus.Link
		var kind rune
		if _, err := fmt.Sscanf(field, "%d%c%d", &l.Source, &kind, &l.Target); err != nil {
			panic(err)
		}
		l.Possible = kind == '?'
		all = append(all, l)
	}
	return all
}

func pair(source, target int, gold string) corpus.Pair {
	return corpus.Pair{Source: make([]string, source), Target: make([]string, target), Links: links(gold)}
}

func TestAER(t *testing.T) {
	for _, c := range []struct {
		name                         string
		predicted                    []string
		gold                         []string // of pairs of 5 and 5 words
		aer, precision, recall, mean float64
	}{
		{"perfect", []string{"0-0 1-2"}, []string{"0-0 1-2"}, 0, 1, 1, 1},
		{"nothing right", []string{"0-1 1-0"}, []string{"0-0 1-1"}, 1, 0, 0, 0},
		// |A| 3, |S| 2, |A∩S| 1, |A∩P| 2: 1 - 3/5.
		{"sure and possible", []string{"0-0 1-2 4-4"}, []string{"0-0 1-1 1?2"}, 0.4, 2.0 / 3, 0.5, 4.0 / 7},
		{"sure links are possible too", []string{"0-0"}, []string{"0-0 0?0"}, 0, 1, 1, 1},
		{"a possible link need not be found", []string{"0-0"}, []string{"0-0 1?1 2?2"}, 0, 1, 1, 1},
		{"only possible links", []string{"0-0 1-1"}, []string{"0?0"}, 0.5, 0.5, 1, 2.0 / 3},
		{"a link predicted twice counts once", []string{"0-0 0-0 1-1"}, []string{"0-0"}, 1.0 / 3, 0.5, 1, 2.0 / 3},
		{"whether a prediction is marked possible changes nothing", []string{"0?0"}, []string{"0-0"}, 0, 1, 1, 1},
		{"nothing predicted", []string{""}, []string{"0-0"}, 1, 1, 0, 0},
		{"nothing to find", []string{"0-0"}, []string{""}, 1, 0, 1, 0},
		{"nothing at all", []string{""}, []string{""}, 0, 1, 1, 1},
		// Summed over the text: |A| 4, |S| 4, |A∩S| = |A∩P| = 3; the mean of the pairs' rates is 0.5.
		{"two pairs", []string{"0-0 1-1 2-2", "0-1"}, []string{"0-0 1-1 2-2", "0-0"}, 0.25, 0.75, 0.75, 0.75},
	} {
		var predicted [][]corpus.Link
		var gold []corpus.Pair
		for i := range c.predicted {
			predicted = append(predicted, links(c.predicted[i]))
			gold = append(gold, pair(5, 5, c.gold[i]))
		}
		got, err := AER(predicted, gold)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for what, numbers := range map[string][2]float64{"AER": {got.AER(), c.aer}, "precision": {got.Precision(), c.precision},
			"recall": {got.Recall(), c.recall}, "F": {got.F(), c.mean}} {
			if math.Abs(numbers[0]-numbers[1]) > 1e-12 {
				t.Errorf("%s: %s %g, want %g (%+v)", c.name, what, numbers[0], numbers[1], got)
			}
		}
	}
}

func TestAERErrors(t *testing.T) {
	for _, c := range []struct {
		name      string
		predicted [][]corpus.Link
		gold      []corpus.Pair
		part      string
	}{
		{"unequal numbers", [][]corpus.Link{nil, nil}, []corpus.Pair{pair(2, 3, "0-0")}, "2 alignments"},
		{"nothing", nil, nil, "no sentence"},
		{"gold unknown", [][]corpus.Link{nil}, []corpus.Pair{{Source: []string{"a"}, Target: []string{"b"}}}, "pair 0 has no gold"},
		// The usual reason: links counted from 1.
		{"prediction beyond the source", [][]corpus.Link{links("1-1 2-2")}, []corpus.Pair{pair(2, 3, "0-0")}, "predicted link of pair 0: source word 2"},
		{"gold beyond the target", [][]corpus.Link{links("0-0"), nil}, []corpus.Pair{pair(2, 3, "0-0"), pair(4, 3, "3?3")}, "gold link of pair 1: source word 3 to target word 3"},
		{"negative", [][]corpus.Link{{{Source: -1}}}, []corpus.Pair{pair(2, 3, "0-0")}, "source word -1"},
	} {
		if got, err := AER(c.predicted, c.gold); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, %v, want an error with %q", c.name, got, err, c.part)
		}
	}
}

func TestAERProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	random := func(possible bool) []corpus.Link {
		all := []corpus.Link{}
		for range r.IntN(8) {
			all = append(all, corpus.Link{Source: r.IntN(4), Target: r.IntN(4), Possible: possible && r.IntN(2) == 0})
		}
		return all
	}
	for range 300 {
		p := pair(4, 4, "")
		p.Links = random(true)
		predicted := random(false)
		got, err := AER([][]corpus.Link{predicted}, []corpus.Pair{p})
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{got.AER(), got.Precision(), got.Recall(), got.F()} {
			if !(share >= 0 && share <= 1) {
				t.Fatalf("%+v: %g", got, share)
			}
		}
		for i := range p.Links {
			p.Links[i].Possible = false
		}
		slices.Reverse(predicted)
		sure, err := AER([][]corpus.Link{predicted}, []corpus.Pair{p})
		if err != nil || sure.Predicted > 0 && sure.Sure > 0 && math.Abs(sure.AER()-(1-sure.F())) > 1e-12 {
			t.Errorf("all links sure: AER %g, F %g, %v", sure.AER(), sure.F(), err)
		}
	}
}

func TestAlignmentOfAttention(t *testing.T) {
	for _, c := range []struct {
		name             string
		weights          [][]float64
		targets, sources int
		want             string
	}{
		{"diagonal", [][]float64{{0.9, 0.1}, {0.2, 0.8}}, 2, 2, "0-0 1-1"},
		{"EOS row left out", [][]float64{{0.9, 0.1}, {0.2, 0.8}, {0.5, 0.5}}, 2, 2, "0-0 1-1"},
		{"EOS column is no link", [][]float64{{0.1, 0.2, 0.7}, {0.4, 0.3, 0.3}}, 2, 2, "0-1"},
		{"padding is no link", [][]float64{{0.1, 0.2, 0.1, 0.6}, {0.1, 0.8, 0.1, 0}}, 2, 2, "1-1"},
		{"the first of equals", [][]float64{{0.25, 0.25, 0.25, 0.25}}, 1, 3, "0-0"},
		{"nothing attended", [][]float64{{0, 0}, {0, 1}}, 2, 2, "1-1"},
		{"no target word", [][]float64{{0.5, 0.5}}, 0, 2, ""},
		{"no source word", [][]float64{{1}}, 1, 0, ""},
		{"a float32 one", [][]float64{{1.0000001, 0}}, 1, 2, "0-0"},
	} {
		got, err := AlignmentOfAttention(c.weights, c.targets, c.sources)
		if err != nil || !slices.Equal(got, links(c.want)) {
			t.Errorf("%s: %v, %v, want %s", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct {
		threshold float64
		want      string
	}{{0.5, "0-1"}, {0.4, "0-0 0-1 1-1"}, {1, ""}} {
		got, err := AlignmentAbove(c.threshold, [][]float64{{0.4, 0.0, 0.6}, {0.5, 0.4, 0.1}, {0.9, 0.1, 0}}, 2, 2)
		if err != nil || !slices.Equal(sorted(got), links(c.want)) {
			t.Errorf("above %g: %v, %v, want %s", c.threshold, got, err, c.want)
		}
	}
}

// sorted orders links by source, then target.
func sorted(all []corpus.Link) []corpus.Link {
	slices.SortFunc(all, func(a, b corpus.Link) int { return 100*(a.Source-b.Source) + a.Target - b.Target })
	return all
}

func TestAttentionErrors(t *testing.T) {
	for _, c := range []struct {
		name             string
		weights          [][]float64
		targets, sources int
		part             string
	}{
		{"ragged", [][]float64{{0.5, 0.5, 0}, {0.5, 0.5}}, 2, 2, "row 1 has 2 columns, row 0 has 3"},
		{"a source word without column", [][]float64{{0.5, 0.5}}, 1, 3, "2 columns for 3 source words"},
		{"a target word without row", [][]float64{{1}}, 2, 1, "1 rows for 2 target words"},
		{"two rows too many", [][]float64{{1}, {1}, {1}}, 1, 1, "3 rows for 1 target words"},
		{"not a number", [][]float64{{math.NaN(), 0}}, 1, 2, "NaN in row 0, column 0"},
		{"logits", [][]float64{{0.5, 3}}, 1, 2, "3 in row 0, column 1"},
		{"negative", [][]float64{{0.5, math.Inf(-1)}}, 1, 2, "-Inf"},
		{"negative words", nil, -1, 2, "-1 target"},
	} {
		if got, err := AlignmentOfAttention(c.weights, c.targets, c.sources); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, %v, want an error with %q", c.name, got, err, c.part)
		}
		if got, err := AlignmentAbove(0.5, c.weights, c.targets, c.sources); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s, threshold: %v, %v, want an error with %q", c.name, got, err, c.part)
		}
	}
	for _, threshold := range []float64{0, -1, 1.1, math.NaN()} {
		if got, err := AlignmentAbove(threshold, [][]float64{{1}}, 1, 1); err == nil {
			t.Errorf("threshold %g: %v, want an error", threshold, got)
		}
	}
}

func TestAttentionEntropy(t *testing.T) {
	got, err := AttentionEntropy([][]float64{{1, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0, 0.5, 0}, {1.0000001, 0, 0, 0}})
	want := []float64{0, math.Log(4), math.Log(2), 0}
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("row %d: %g nats, want %g", i, got[i], want[i])
		}
	}
	for name, weights := range map[string][][]float64{"no distribution": {{0.5, 0.4}}, "negative": {{1.5, -0.5}}, "NaN": {{math.NaN()}}, "masked": {{0, 0}}} {
		if got, err := AttentionEntropy(weights); err == nil {
			t.Errorf("%s: %v, want an error", name, got)
		}
	}
}
