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
type sentence struct{ source, target []int32 }

func (s sentence) cells() int { return len(s.source) * len(s.target) }

// text is the training corpus, laid out for EM word by word: a source word's row of the lexicon is spread out once, and all places where
// the word stands are done with it, so that no probability is looked up.
type text struct {
	source, target words
	nulls          int // 1, or 0 in a model without NULL
	sentences      []sentence
	// targets[begin[n]:begin[n+1]] is the target of sentence n: all in one array, in the order in which they are read.
	targets []int32
	begin   []int
	// places[first[x]:first[x+1]] are those of source word x, in the order of the sentences.
	first  []int
	places []place
}

// place is where a source word stands: its sentence, and its row in the sentence's matrix.
type place struct{ sentence, row int32 }

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
		s := sentence{source: make([]int32, 0, len(p.Source)+nulls), target: make([]int32, 0, len(p.Target))}
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
	t.first = make([]int, len(t.source.text)+2) // at first, first[x+2] counts x
	t.begin = []int{0}
	for _, s := range t.sentences {
		t.targets = append(t.targets, s.target...)
		t.begin = append(t.begin, len(t.targets))
		for _, x := range s.source {
			t.first[x+2]++
		}
	}
	for n := range t.sentences {
		t.sentences[n].target = t.of(n)
	}
	for x := range t.source.text {
		t.first[x+2] += t.first[x+1]
	}
	t.places = make([]place, t.first[len(t.first)-1])
	for n, s := range t.sentences {
		for row, x := range s.source {
			t.places[t.first[x+1]] = place{int32(n), int32(row)}
			t.first[x+1]++
		}
	}
	t.first = t.first[:len(t.source.text)+1]
	return t, nil
}

// of is the target of sentence n.
func (t *text) of(n int) []int32 { return t.targets[t.begin[n]:t.begin[n+1]] }

// block is the sentences from one number to before another.
type block struct{ from, to int }

// in are the places of source word x in a block.
func (t *text) in(b block, x int) []place {
	places := t.places[t.first[x]:t.first[x+1]]
	at := func(n int) int {
		i, _ := slices.BinarySearchFunc(places, n, func(p place, n int) int { return int(p.sentence) - n })
		return i
	}
	return places[at(b.from):at(b.to)]
}

// blocks cuts the text into runs of whole sentences with at most so many cells, but one sentence at least.
func (t *text) blocks(mostCells int) (all []block) {
	cells := 0
	for n, s := range t.sentences {
		if n == 0 || cells+s.cells() > mostCells {
			all = append(all, block{n, n})
			cells = 0
		}
		cells += s.cells()
		all[len(all)-1].to = n + 1
	}
	return all
}

// shapes cuts a block into runs of sentences with equal lengths.
func (t *text) shapes(b block) (runs []block) {
	for n := b.from; n < b.to; n++ {
		s := t.sentences[n]
		if n == b.from || len(s.source) != len(t.sentences[n-1].source) || len(s.target) != len(t.sentences[n-1].target) {
			runs = append(runs, block{n, n})
		}
		runs[len(runs)-1].to = n + 1
	}
	return runs
}
