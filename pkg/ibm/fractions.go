package ibm

import (
	"fmt"
	"math/big"

	"seq2attn/pkg/corpus"
)

// Fractions are Model 1's t(y|x) in exact fractions, or the counts c(y|x) that they come from, by source word and target word: EM as it is done
// by hand. It is for a few sentences, to follow every number, and is what [Model] is tested against. Fractions grow with every iteration.
type Fractions map[string]map[string]*big.Rat

// NewFractions begins with every t(y|x) the same, 1 over the number of different target words, as [NewModel1] does. A pair with an empty side is an
// error.
func NewFractions(pairs []corpus.Pair, o Options) (Fractions, error) {
	vocabulary := map[string]bool{}
	for n, p := range pairs {
		if len(p.Source) == 0 || len(p.Target) == 0 {
			return nil, fmt.Errorf("ibm: pair %d has %d source and %d target words: leave out pairs with an empty side", n, len(p.Source), len(p.Target))
		}
		for _, y := range p.Target {
			vocabulary[y] = true
		}
	}
	t := Fractions{}
	for _, p := range pairs {
		for _, y := range p.Target {
			for _, x := range p.Source {
				t.set(x, y, big.NewRat(1, int64(len(vocabulary))))
			}
			if !o.NoNull {
				t.set(Null, y, big.NewRat(1, int64(len(vocabulary))))
			}
		}
	}
	return t, nil
}

func (t Fractions) set(x, y string, value *big.Rat) {
	if t[x] == nil {
		t[x] = map[string]*big.Rat{}
	}
	t[x][y] = value
}

// Probability is t(y|x), 0 for words that never stood opposite each other.
func (t Fractions) Probability(y, x string) *big.Rat {
	if p, ok := t[x][y]; ok {
		return p
	}
	return new(big.Rat)
}

// source is a pair's source words, with NULL where the table has it.
func (t Fractions) source(p corpus.Pair) []string {
	if _, ok := t[Null]; ok {
		return append([]string{Null}, p.Source...)
	}
	return p.Source
}

// Posterior is the probability that word i of a pair's target looks at each word j of its source, NULL first where there is one:
//
//	p(a_i=j|x,y) = t(y_i|x_j) / Σ_k t(y_i|x_k)
func (t Fractions) Posterior(p corpus.Pair, i int) []*big.Rat {
	y, z := p.Target[i], new(big.Rat)
	for _, x := range t.source(p) {
		z.Add(z, t.Probability(y, x))
	}
	var posterior []*big.Rat
	for _, x := range t.source(p) {
		posterior = append(posterior, new(big.Rat).Quo(t.Probability(y, x), z))
	}
	return posterior
}

// Expect is the E-step: the number of times c(y|x) that x is expected to be linked to y, the sum of the posteriors over all places in all pairs where
// x stands opposite y. The pairs must be those that t was made of.
func (t Fractions) Expect(pairs []corpus.Pair) Fractions {
	c := Fractions{}
	for _, p := range pairs {
		for i, y := range p.Target {
			posterior := t.Posterior(p, i)
			for j, x := range t.source(p) {
				c.set(x, y, new(big.Rat).Add(c.Probability(y, x), posterior[j]))
			}
		}
	}
	return c
}

// Maximize is the M-step: t(y|x) = c(y|x) / Σ_y' c(y'|x).
func (c Fractions) Maximize() Fractions {
	t := Fractions{}
	for x, row := range c {
		sum := new(big.Rat)
		for _, count := range row {
			sum.Add(sum, count)
		}
		for y, count := range row {
			t.set(x, y, new(big.Rat).Quo(count, sum))
		}
	}
	return t
}
