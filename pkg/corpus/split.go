package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Split cuts pairs into three parts that share no source sentence, compared without case. All pairs with one source go to the
// same part. Which part that is depends on the seed and the order of pairs only; each part keeps that order. dev and test are
// the numbers of pairs wanted there; sentences with many translations can leave a part short of it by less than their
// number. In dev and test each pair stands once, however often it was given.
//
// It is an error where a number is negative or no pair would be left for a part that wants some.
func Split(pairs []Pair, dev, test int, seed uint64) (parts Data, err error) {
	if dev < 0 || test < 0 {
		return Data{}, fmt.Errorf("corpus: split with %d dev and %d test pairs: give 0 or more", dev, test)
	}
	groups := map[string][]int{} // the pairs with each source, twins left out
	var sources []string
	twins := map[int]bool{}
	seen := map[[2]string]bool{}
	for i, p := range pairs {
		source := sentenceKey(p.Source)
		if _, ok := groups[source]; !ok {
			sources = append(sources, source)
			groups[source] = nil
		}
		pair := [2]string{source, sentenceKey(p.Target)}
		if seen[pair] {
			twins[i] = true
			continue
		}
		seen[pair] = true
		groups[source] = append(groups[source], i)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	const inTrain, inDev, inTest = 0, 1, 2
	room := [3]int{inDev: dev, inTest: test}
	part := make(map[string]int, dev+test)
	for _, source := range sources {
		for _, k := range [2]int{inTest, inDev} {
			if n := len(groups[source]); n <= room[k] {
				room[k] -= n
				part[source] = k
				break
			}
		}
	}
	for i, p := range pairs {
		switch k := part[sentenceKey(p.Source)]; {
		case k == inTrain:
			parts.Train = append(parts.Train, p)
		case twins[i]:
		case k == inDev:
			parts.Dev = append(parts.Dev, p)
		case k == inTest:
			parts.Test = append(parts.Test, p)
		}
	}
	if len(parts.Train) == 0 || dev > 0 && len(parts.Dev) == 0 || test > 0 && len(parts.Test) == 0 {
		return Data{}, fmt.Errorf("corpus: %d pairs with %d different sources cannot be split into train, %d dev and %d test pairs: ask for fewer",
			len(pairs), len(sources), dev, test)
	}
	return parts, nil
}

// sentenceKey is the same for sentences that differ in case only, or in composed and decomposed letters.
func sentenceKey(tokens []string) string {
	return norm.NFC.String(strings.ToLower(strings.Join(tokens, " ")))
}

// separate removes from Train the pairs whose source, compared without case, stands in Dev or Test, and from Dev those in
// Test. It returns how many went.
func separate(d *Data) int {
	held := map[string]bool{}
	hold := func(pairs []Pair) {
		for _, p := range pairs {
			held[sentenceKey(p.Source)] = true
		}
	}
	gone := 0
	free := func(pairs []Pair) []Pair {
		kept := pairs[:0:0]
		for _, p := range pairs {
			if !held[sentenceKey(p.Source)] {
				kept = append(kept, p)
			}
		}
		gone += len(pairs) - len(kept)
		return kept
	}
	hold(d.Test)
	d.Dev = free(d.Dev)
	hold(d.Dev)
	d.Train = free(d.Train)
	return gone
}
