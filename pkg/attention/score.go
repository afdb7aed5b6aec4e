package attention

import (
	"fmt"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Score is a score function e_j = score(s, h_j). What depends on the source alone is computed once for a sentence, by Keys; what
// depends on the state too is computed at every decoder step, by Score, which may run inside [recurrent.Scan].
type Score interface {
	// Name is what the score is called in configurations: "additive".
	Name() string
	// Fits is an error with the reason where the score cannot compare states of query values with encoder states of value values.
	Fits(query, value int) error
	// Parameters are the weights that the score learns, for states [B,query] and encoder states [B,S,value]. Keys and Score are
	// given them in this order.
	Parameters(query, value int) []recurrent.Shape
	// Keys is what Score reads of the encoder states h [B,S,value], as [B,…].
	Keys(weights []*Node, h *Node) *Node
	// Score is e [B,S] for the states s [B,query].
	Score(loop *recurrent.Loop, weights []*Node, s, keys *Node) *Node
}

// scores are all kinds, of a size where they have one: the width of a hidden layer, or the number of positions.
func scores(size int) []Score {
	return []Score{Additive{size}, Product{}, General{}, Concat{size}, Product{Scaled: true}, Location{size}}
}

// NewScore is the score of this name: "additive", "dot", "general", "concat", "scaled-dot" or "location". size is the width of the hidden
// layer of additive and concat, and the number of positions of location; the others have none.
func NewScore(name string, size int) (Score, error) {
	for _, s := range scores(size) {
		if s.Name() == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("attention: no score is named %q: take one of %s", name, strings.Join(ScoreNames(), ", "))
}

// ScoreNames are the names that [NewScore] knows.
func ScoreNames() (names []string) {
	for _, s := range scores(0) {
		names = append(names, s.Name())
	}
	return names
}
