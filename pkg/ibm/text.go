package ibm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"seq2attn/pkg/corpus"
)

// words numbers the words of one language, in the order in which they come.
type words struct {
	ids  map[string]int32
	text []string
}

func (w *words) id(word string) int32 {
	id, ok := w.ids[word]
	if !ok {
		id = int32(len(w.text))
		w.ids[word] = id
		w.text = append(w.text, word)
	}
	return id
}

// null is the source word that stands before every sentence. Its id is 0; no word of a text has it.
const null = 0

// sentence is a pair as ids. Its source begins with NULL, unless the model has none.
type sentence struct {
	source, target []int32
}

// text is the training corpus, laid out for EM word by word: a source word's row of the lexicon is spread out once, and all places
// where the word stands are done with it, so that no probability is looked up.
type text struct {
	source, target words
	nulls          int // 1, or 0 in a model without NULL
	sentences      []sentence
	blocks         []block
}

// block is a run of the sentences whose matrices, [S,T] each, one behind the other, fit into memory at once. Row i of a matrix is source
// place i, NULL first.
type block struct {
	sentences []sentence
	// begin of each sentence's matrix, and at last the end.
	begin []int
	// words are the source words in the block, and places[first[k]:first[k+1]] those where words[k] stands.
	words  []int32
	first  []int
	places []place
}

// place is a source word in a sentence: the row that begins at cell begin belongs to it.
type place struct {
	sentence int32
	begin    int
}

// cellsPerBlock is the size of the matrices in memory: 8 bytes each. Larger blocks spread out fewer rows.
const cellsPerBlock = 1 << 23

// newText numbers the words of the pairs.
func newText(pairs []corpus.Pair, nulls int) (*text, error) {
	if len(pairs) == 0 {
		return nil, errors.New("ibm: no sentence pair to learn from")
	}
	t := &text{nulls: nulls, source: words{ids: map[string]int32{}, text: []string{"NULL"}}, target: words{ids: map[string]int32{}}}
	for n, p := range pairs {
		if len(p.Source) == 0 || len(p.Target) == 0 {
			return nil, fmt.Errorf("ibm: pair %d has %d source and %d target words: leave out pairs with an empty side", n, len(p.Source), len(p.Target))
		}
		s := sentence{make([]int32, 0, len(p.Source)+nulls), make([]int32, 0, len(p.Target))}
		if nulls > 0 {
			s.source = append(s.source, null)
		}
		for _, w := range p.Source {
			s.source = append(s.source, t.source.id(w))
		}
		for _, w := range p.Target {
			s.target = append(s.target, t.target.id(w))
		}
		t.sentences = append(t.sentences, s)
	}
	// Sentences of one shape share a table in Model 2, and are done by one worker, in this order.
	slices.SortStableFunc(t.sentences, func(a, b sentence) int {
		return cmp.Or(len(a.source)-len(b.source), len(a.target)-len(b.target))
	})
	for rest := t.sentences; len(rest) > 0; {
		n, cells := 0, 0
		for n < len(rest) && (n == 0 || cells+rest[n].cells() <= cellsPerBlock) {
			cells += rest[n].cells()
			n++
		}
		t.blocks = append(t.blocks, newBlock(rest[:n], len(t.source.text)))
		rest = rest[n:]
	}
	return t, nil
}

func (s sentence) cells() int { return len(s.source) * len(s.target) }

// newBlock sorts the places of a run of sentences by their word.
func newBlock(sentences []sentence, vocabulary int) block {
	b := block{sentences: sentences, begin: []int{0}}
	ends := make([]int, vocabulary+1) // ends[w+1] counts w, then where w's places begin, and at last where they end
	for _, s := range sentences {
		b.begin = append(b.begin, b.begin[len(b.begin)-1]+s.cells())
		for _, w := range s.source {
			ends[w+1]++
		}
	}
	for w := range vocabulary {
		if ends[w+1] > 0 {
			b.words = append(b.words, int32(w))
			b.first = append(b.first, ends[w])
		}
		ends[w+1] += ends[w]
	}
	b.first = append(b.first, ends[vocabulary])
	b.places = make([]place, ends[vocabulary])
	for n, s := range sentences {
		for i, w := range s.source {
			b.places[ends[w]] = place{int32(n), b.begin[n] + i*len(s.target)}
			ends[w]++
		}
	}
	return b
}

// shapes are the runs of sentences with equal lengths, as bounds.
func (b block) shapes() (bounds []int) {
	for n, s := range b.sentences {
		if n == 0 || len(s.source) != len(b.sentences[n-1].source) || len(s.target) != len(b.sentences[n-1].target) {
			bounds = append(bounds, n)
		}
	}
	return append(bounds, len(b.sentences))
}
