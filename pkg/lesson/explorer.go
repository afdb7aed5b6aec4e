package lesson

import (
	"context"
	"fmt"
	"slices"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/seq2seq"
)

// Explorer compares where models look while they translate a pair's source, each in its own words. Runs with the same Config.Name
// are told apart by their seeds. Where the pair has links, its reference with them comes last: 1 where sure, 0.5 where only possible.
func Explorer(title string, pair corpus.Pair, runs ...*seq2seq.Run) (plotting.Explorer, error) {
	e := plotting.Explorer{Title: title, Source: pair.Source}
	for _, r := range runs {
		list, err := r.Translate(context.Background(), [][]string{pair.Source})
		if err != nil {
			return e, err
		}
		m := plotting.Translation{Name: r.Config.Name, Target: list[0].Target, Weights: list[0].Attention}
		if m.Weights == nil {
			return e, fmt.Errorf("lesson: explorer: %s has no attention to show: leave it out", m.Name)
		}
		if slices.ContainsFunc(runs, func(other *seq2seq.Run) bool { return other != r && other.Config.Name == m.Name }) {
			m.Name += fmt.Sprintf(", seed %d", r.Config.Seed)
		}
		e.Models = append(e.Models, m)
	}
	if pair.Links != nil {
		weights := Links("", pair, pair.Links).Weights
		for _, l := range pair.Links {
			if l.Possible {
				weights[l.Target][l.Source] = 0.5
			}
		}
		e.Models = append(e.Models, plotting.Translation{Name: "gold links", Target: pair.Target, Weights: weights})
	}
	return e, nil
}

// Aligner is what an aligner believes of a pair, to be compared in an explorer: posteriors as its Posteriors method gives them, with or
// without a column for NULL.
func Aligner(name string, p corpus.Pair, posteriors [][]float64) plotting.Translation {
	return plotting.Translation{Name: name, Target: p.Target, Weights: posteriors, End: "NULL"}
}
