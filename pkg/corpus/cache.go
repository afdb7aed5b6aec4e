package corpus

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"seq2attn/pkg/kept"
	"seq2attn/pkg/project"
)

// Cached is what produce makes, kept in the cache folder (see [project.Cache]) under a name made of the key, which must hold everything
// that the data depends on and be fit for JSON. A notebook's cells are programs of their own, and every one of them asks for its corpus again. Where
// there is no cache folder, or it cannot be written, the data is made each time; a file that is damaged, or that does not hold what a corpus can, is made anew.
func Cached(produce func() (Data, error), key ...any) (Data, error) {
	folder, ok := project.Cache()
	if !ok {
		return produce()
	}
	text, err := json.Marshal(key)
	if err != nil {
		return Data{}, fmt.Errorf("corpus: a key that is no JSON: %w", err)
	}
	sum := sha256.Sum256(text)
	path := filepath.Join(folder, fmt.Sprintf("corpus-%x", sum[:12]))
	var p packed
	if kept.Read(path, &p) {
		if d, ok := p.data(); ok {
			return d, nil
		}
	}
	d, err := produce()
	if err == nil {
		_ = kept.Write(path, pack(d)) // without it the next cell waits, no more
	}
	return d, err
}

// ownSources is the code of this package, a part of the keys of what it read.
//
//go:embed *.go
var ownSources embed.FS

// packed is Data with every word written once: numbers read back ten times as fast as words.
type packed struct {
	Name, Source, Target string
	Words                []string
	Parts                [3]packedPairs
}

// packedPairs is a list of pairs. Of pair i, Sizes has the numbers of source words, of target words, and of links plus one; 0 is nil.
type packedPairs struct {
	Sizes, Ids []uint32
	Links      []uint32 // source, target, 1 if possible
}

// pack is d with every word written once.
func pack(d Data) packed {
	p := packed{Name: d.Name, Source: d.Source, Target: d.Target}
	ids := map[string]uint32{}
	for part, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
		c := &p.Parts[part]
		for _, pair := range pairs {
			links := uint32(0)
			if pair.Links != nil {
				links = uint32(len(pair.Links)) + 1
			}
			c.Sizes = append(c.Sizes, uint32(len(pair.Source)), uint32(len(pair.Target)), links)
			for _, side := range [][]string{pair.Source, pair.Target} {
				for _, word := range side {
					id, known := ids[word]
					if !known {
						id = uint32(len(p.Words))
						ids[word] = id
						p.Words = append(p.Words, word)
					}
					c.Ids = append(c.Ids, id)
				}
			}
			for _, l := range pair.Links {
				possible := uint32(0)
				if l.Possible {
					possible = 1
				}
				c.Links = append(c.Links, uint32(l.Source), uint32(l.Target), possible)
			}
		}
	}
	return p
}

// data is what was packed; ok is false where pack cannot have made p, whose file anyone may have written.
func (p packed) data() (d Data, ok bool) {
	d = Data{Name: p.Name, Source: p.Source, Target: p.Target}
	for part, pairs := range []*[]Pair{&d.Train, &d.Dev, &d.Test} {
		if !p.Parts[part].whole(len(p.Words)) {
			return Data{}, false
		}
		*pairs = p.Parts[part].pairs(p.Words)
	}
	return d, true
}

// whole is whether Sizes account for all ids and links, ids name words of the vocabulary, and links name words of their pair.
func (c packedPairs) whole(vocabulary int) bool {
	if len(c.Sizes)%3 != 0 || len(c.Links)%3 != 0 {
		return false
	}
	for _, id := range c.Ids {
		if uint64(id) >= uint64(vocabulary) {
			return false
		}
	}
	words, links := uint64(len(c.Ids)), c.Links
	for size := range slices.Chunk(c.Sizes, 3) {
		n := uint64(size[0]) + uint64(size[1])
		if n > words {
			return false
		}
		words -= n
		if size[2] == 0 {
			continue
		}
		if n = 3 * uint64(size[2]-1); n > uint64(len(links)) {
			return false
		}
		for link := range slices.Chunk(links[:n], 3) {
			if link[0] >= size[0] || link[1] >= size[1] {
				return false
			}
		}
		links = links[n:]
	}
	return words == 0 && len(links) == 0
}

// pairs are the pairs of a packedPairs that is whole. All their words lie in one array, and so do their links.
func (c packedPairs) pairs(vocabulary []string) []Pair {
	words, links := make([]string, len(c.Ids)), make([]Link, len(c.Links)/3)
	for i, id := range c.Ids {
		words[i] = vocabulary[id]
	}
	for i := range links {
		links[i] = Link{Source: int(c.Links[3*i]), Target: int(c.Links[3*i+1]), Possible: c.Links[3*i+2] == 1}
	}
	next := func(n uint32) (some []string) {
		some, words = words[:n:n], words[n:]
		return some
	}
	pairs := make([]Pair, len(c.Sizes)/3)
	for i := range pairs {
		source, target, n := c.Sizes[3*i], c.Sizes[3*i+1], c.Sizes[3*i+2]
		pairs[i] = Pair{Source: next(source), Target: next(target)}
		if n > 0 {
			n--
			pairs[i].Links, links = links[:n:n], links[n:]
		}
	}
	return pairs
}
