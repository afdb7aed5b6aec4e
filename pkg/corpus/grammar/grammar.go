// Package grammar makes English-French sentences with their word alignment.
//
// It is a small context-free grammar written for both languages at once: every rule ([production]) says how a phrase is put
// together in English and how in French, so that a tree is two sentences, and the words that come from the same place in it are
// linked. French agreement is read off the tree; elision and contraction are done where the words meet. The sampler knows how
// many words each phrase may have, and draws sentences of exactly the length that is asked for, from 3 to 200 words.
//
// The English sentence decides the French one: there is one right answer, and a model can find it. What English leaves open
// is settled once: "you" is vous and plural, "they" is ils, "i", "we" and "you" are men, every noun of a person has one gender. docs/grammar.md lists
// the constructions and the conventions of the links.
package grammar

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
)

// part is a part of the data. Which one a sentence belongs to is written in its words and the seed: the parts have no sentence
// in common whatever is drawn, in New and in ByLength.
type part uint64

const (
	train part = iota // eight tenths of all sentences
	dev
	test
)

func (g *generator) part(source []string) part {
	h := g.seed ^ 14695981039346656037 // FNV-1a
	for _, word := range source {
		for i := range len(word) {
			h = (h ^ uint64(word[i])) * 1099511628211
		}
		h = (h ^ ' ') * 1099511628211
	}
	h = (h ^ h>>31) * 0xbf58476d1ce4e5b9 // the low bits of FNV alone are poor
	h ^= h >> 32
	switch h % 10 {
	case 0:
		return dev
	case 1:
		return test
	}
	return train
}

// generator draws sentences of one part.
type generator struct {
	rules  *rules
	root   *category
	writer writer
	random *rand.Rand
	seed   uint64
}

func newGenerator(seed, stream uint64) *generator {
	g := &generator{rules: newRules(), seed: seed}
	g.root = g.rules.category(symbol{kind: sentence})
	g.restart(stream)
	return g
}

// restart begins a stream of random numbers: every part has its own, so that the size of one changes no other.
func (g *generator) restart(stream uint64) { g.random = rand.New(rand.NewPCG(g.seed, stream)) }

// patience is how many sentences are drawn in search of one that will do.
const patience = 20000

// next draws a sentence of n words that belongs to the part and, where seen is not nil, is not in it; ok is false where
// there seems to be none.
func (g *generator) next(p part, n int, seen map[string]bool) (s Sentence, ok bool) {
	for range patience {
		g.rules.forget()
		root := g.rules.sample(g.root, n, g.random)
		source := g.writer.english(root)
		if g.part(source) != p {
			continue
		}
		if seen != nil {
			key := joined(source)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		return g.writer.sentence(root, source), true
	}
	return s, false
}

// New makes the data. Sentences of the training part may occur more than once, as short ones do in any text; dev and test
// have none twice, and none of the training part: where a length has no new ones left, they take the next longer. What was
// made once is kept, see [corpus.Cached].
func New(o Options) (corpus.Data, error) {
	o, err := o.complete()
	if err != nil {
		return corpus.Data{}, err
	}
	return cached(o.produce, "New", o)
}

func (o Options) produce() (corpus.Data, error) {
	g := newGenerator(o.Seed, 0)
	d := corpus.Data{Name: "grammar", Source: "en", Target: "fr"}
	for _, part := range []struct {
		name  string
		part  part
		n     int
		pairs *[]corpus.Pair
	}{{"Train", train, o.Train, &d.Train}, {"Dev", dev, o.Dev, &d.Dev}, {"Test", test, o.Test, &d.Test}} {
		g.restart(uint64(part.part))
		var seen map[string]bool
		if part.part != train {
			seen = make(map[string]bool, part.n)
		}
		*part.pairs = make([]corpus.Pair, 0, part.n)
		gone := o.MinLength // lengths below it have no new sentences
		for len(*part.pairs) < part.n {
			s, ok := g.next(part.part, max(o.draw(g.random), gone), seen)
			for !ok {
				if gone++; gone > o.MaxLength {
					return corpus.Data{}, fmt.Errorf("grammar: Options.%s is %d, but only %d different sentences of %d to %d words were found for it: ask for fewer or longer ones",
						part.name, part.n, len(*part.pairs), o.MinLength, o.MaxLength)
				}
				s, ok = g.next(part.part, gone, seen)
			}
			*part.pairs = append(*part.pairs, s.Pair)
		}
	}
	return d, nil
}

// ByLength makes a test set with perBin sentences in every bin, in the order of the bins. The lengths within a bin are equally frequent
// as long as they have new sentences. None of the sentences is in the training or the development part of [New] with the same seed,
// whatever its other options; of these only the seed counts here.
func ByLength(o Options, bins []metrics.Bin, perBin int) ([]corpus.Pair, error) {
	if perBin < 1 {
		return nil, fmt.Errorf("grammar: perBin is %d: give 1 or more", perBin)
	}
	d, err := cached(func() (d corpus.Data, err error) {
		d.Test, err = byLength(o.Seed, bins, perBin)
		return d, err
	}, "ByLength", o.Seed, bins, perBin)
	return d.Test, err
}

func byLength(seed uint64, bins []metrics.Bin, perBin int) ([]corpus.Pair, error) {
	g := newGenerator(seed, uint64(test)+1)
	seen := make(map[string]bool, len(bins)*perBin)
	pairs := make([]corpus.Pair, 0, len(bins)*perBin)
	for _, bin := range bins {
		if bin.High < bin.Low || bin.High < 3 || bin.High > longest {
			return nil, fmt.Errorf("grammar: bin %d-%d: bins end between 3 and %d, not before they begin", bin.Low, bin.High, longest)
		}
		var lengths []int
		for n := max(bin.Low, 3); n <= bin.High; n++ {
			lengths = append(lengths, n)
		}
		for found := 0; found < perBin; {
			if len(lengths) == 0 {
				return nil, fmt.Errorf("grammar: only %d of %d different sentences of %d-%d words were found outside the training part: ask for fewer or a wider bin",
					found, perBin, bin.Low, bin.High)
			}
			i := int(uniform(g.random) * float64(len(lengths)))
			s, ok := g.next(test, lengths[i], seen)
			if !ok {
				lengths = slices.Delete(lengths, i, i+1)
				continue
			}
			pairs = append(pairs, s.Pair)
			found++
		}
	}
	return pairs, nil
}

// Holding makes n different sentences of the test part that hold a construction, with the lengths of the options: those that New
// would make, were it asked for enough of them.
func Holding(o Options, c Construction, n int) ([]corpus.Pair, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	if int(c) >= len(constructions) {
		return nil, fmt.Errorf("grammar: there is no %v", c)
	}
	g := newGenerator(o.Seed, uint64(test))
	seen := map[string]bool{}
	var pairs []corpus.Pair
	for failures := 0; len(pairs) < n; {
		s, _ := g.next(test, o.draw(g.random), nil)
		if key := joined(s.Source); s.Holds.Has(c) && !seen[key] {
			seen[key] = true
			pairs = append(pairs, s.Pair)
			failures = 0
			continue
		}
		if failures++; failures > patience {
			return nil, fmt.Errorf("grammar: only %d of %d different sentences with %v were found among those of %d to %d words: ask for fewer or longer ones",
				len(pairs), n, c, o.MinLength, o.MaxLength)
		}
	}
	return pairs, nil
}
