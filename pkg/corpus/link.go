package corpus

import (
	"cmp"
	"fmt"
	"slices"
)

// Within reports a link to a word that its pair does not have.
func (l Link) Within(p Pair) error {
	if l.Source < 0 || l.Source >= len(p.Source) || l.Target < 0 || l.Target >= len(p.Target) {
		return fmt.Errorf("source word %d to target word %d, in a pair of %d and %d words; places are counted from 0",
			l.Source, l.Target, len(p.Source), len(p.Target))
	}
	return nil
}

// Reversed is the pair from target to source, its links as well.
func (p Pair) Reversed() Pair {
	return Pair{Source: p.Target, Target: p.Source, Links: ReverseLinks(p.Links)}
}

// ReversePairs reverses every pair.
func ReversePairs(pairs []Pair) []Pair {
	reversed := make([]Pair, len(pairs))
	for i, p := range pairs {
		reversed[i] = p.Reversed()
	}
	return reversed
}

// ReverseLinks are the links seen from the other side, in the order of [SortLinks]; nil stays nil.
func ReverseLinks(links []Link) []Link {
	if links == nil {
		return nil
	}
	reversed := make([]Link, len(links))
	for i, l := range links {
		reversed[i] = Link{Source: l.Target, Target: l.Source, Possible: l.Possible}
	}
	SortLinks(reversed)
	return reversed
}

// SortLinks orders links by target word, then by source word, sure ones first.
func SortLinks(links []Link) {
	slices.SortFunc(links, func(a, b Link) int {
		return cmp.Or(a.Target-b.Target, a.Source-b.Source, possible(a)-possible(b))
	})
}

func possible(l Link) int {
	if l.Possible {
		return 1
	}
	return 0
}
