package lesson

import (
	"slices"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/plotting"
)

// Posteriors is the picture of what an aligner believes of a pair, [T,S+1] or [T,S] as its Posteriors method gives it, with the pair's gold links. Its last
// column is that of NULL.
func Posteriors(title string, p corpus.Pair, posteriors [][]float64) plotting.Heatmap {
	source := p.Source
	if len(posteriors) > 0 && len(posteriors[0]) > len(source) {
		source = append(slices.Clone(source), "NULL")
	}
	return plotting.Heatmap{Title: title, Source: source, Target: p.Target, Weights: posteriors, WeightName: "posterior probability", Gold: p.Links}
}

// Links is the picture of links that were found for a pair, with its gold links.
func Links(title string, p corpus.Pair, links []corpus.Link) plotting.Heatmap {
	weights := make([][]float64, len(p.Target))
	for i := range weights {
		weights[i] = make([]float64, len(p.Source))
	}
	for _, l := range links {
		weights[l.Target][l.Source] = 1
	}
	return plotting.Heatmap{Title: title, Source: p.Source, Target: p.Target, Weights: weights, WeightName: "links", Gold: p.Links}
}
