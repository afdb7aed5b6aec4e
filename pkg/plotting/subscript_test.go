package plotting

import (
	"slices"
	"testing"
)

func TestSubscripts(t *testing.T) {
	for text, want := range map[string][]scripted{
		"":                nil,
		"x":               {{"x", false}},
		"x_1":             {{"x", false}, {"1", true}},
		"s_{i−1} + U h_j": {{"s", false}, {"i−1", true}, {" + U h", false}, {"j", true}},
		"_1a":             {{"1", true}, {"a", false}},
		"x_":              {{"x", false}},
		"x_{1":            {{"x", false}, {"{", true}, {"1", false}},
		"x_{}y":           {{"x", false}, {"y", false}},
	} {
		if got := subscripts(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
}
