package ibm

import (
	"cmp"
	"slices"
)

// lexicon is t(f|e), sparse: row e has the target words that stand opposite e somewhere in the corpus, by id.
type lexicon struct {
	begin  []int   // of each row, and the end of the last
	target []int32 // the word of each cell
	p      []float64
	count  []float64 // expected number of links, while EM collects them
}

// newLexicon finds which words meet, and gives every pair of them the same probability, 1 / number of target words. What a row lacks of 1
// belongs to words that it never meets, and is gone after the first iteration.
func newLexicon(t *text, parallel parallel) *lexicon {
	rows := make([][]int32, len(t.source.text))
	vocabulary := len(t.target.text)
	parallel.do(len(rows), func() func(int) {
		seen := make([]bool, vocabulary)
		var row []int32
		return func(e int) {
			row = row[:0]
			for _, place := range t.places[t.first[e]:t.first[e+1]] {
				for _, f := range t.of(int(place.sentence)) {
					if !seen[f] {
						seen[f] = true
						row = append(row, f)
					}
				}
			}
			if len(row) > vocabulary/32 { // quicker in order than sorted
				row = row[:0]
				for f, s := range seen {
					if s {
						row = append(row, int32(f))
					}
				}
			} else {
				slices.Sort(row)
			}
			for _, f := range row {
				seen[f] = false
			}
			rows[e] = slices.Clone(row)
		}
	})
	l := &lexicon{begin: make([]int, len(rows)+1)}
	for e, row := range rows {
		l.begin[e+1] = l.begin[e] + len(row)
	}
	cells := l.begin[len(rows)]
	l.target = make([]int32, 0, cells)
	for e, row := range rows {
		l.target = append(l.target, row...)
		rows[e] = nil
	}
	l.p = make([]float64, cells)
	for c := range l.p {
		l.p[c] = 1 / float64(vocabulary)
	}
	return l
}

// clone has the same probabilities, and no counts.
func (l *lexicon) clone() *lexicon {
	return &lexicon{begin: l.begin, target: l.target, p: slices.Clone(l.p)}
}

// row is the words of row e, and their probabilities.
func (l *lexicon) row(e int) (target []int32, p []float64) {
	return l.target[l.begin[e]:l.begin[e+1]], l.p[l.begin[e]:l.begin[e+1]]
}

// probability is t(f|e), 0 where the words never met.
func (l *lexicon) probability(e, f int32) float64 {
	from, to := l.begin[e], l.begin[e+1]
	if i, ok := slices.BinarySearch(l.target[from:to], f); ok {
		return l.p[from+i]
	}
	return 0
}

// spread writes the probabilities of every place of a block into the matrices of its sentences, which begin at the cells begin[n-b.from].
func (l *lexicon) spread(t *text, b block, begin []int, cells []float64, parallel parallel) {
	parallel.do(len(t.source.text), func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(e int) {
			places := t.in(b, e)
			if len(places) == 0 {
				return
			}
			words, p := l.row(e)
			for c, f := range words {
				row[f] = p[c]
			}
			for _, place := range places {
				target := t.of(int(place.sentence))
				out := cells[begin[int(place.sentence)-b.from]+int(place.row)*len(target):][:len(target)]
				for j, f := range target {
					out[j] = row[f]
				}
			}
		}
	})
}

// collect adds the posteriors in the matrices of a block to the counts. Each row is added up by one worker in the order of the text, so
// that the sums do not depend on the number of workers.
func (l *lexicon) collect(t *text, b block, begin []int, cells []float64, parallel parallel) {
	if l.count == nil {
		l.count = make([]float64, len(l.p))
	}
	parallel.do(len(t.source.text), func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(e int) {
			places := t.in(b, e)
			if len(places) == 0 {
				return
			}
			for _, place := range places {
				target := t.of(int(place.sentence))
				in := cells[begin[int(place.sentence)-b.from]+int(place.row)*len(target):][:len(target)]
				for j, f := range target {
					row[f] += in[j]
				}
			}
			count := l.count[l.begin[e]:l.begin[e+1]]
			words, _ := l.row(e)
			for c, f := range words {
				count[c] += row[f]
				row[f] = 0
			}
		}
	})
}

// maximize makes the counts of each row its probabilities.
func (l *lexicon) maximize(parallel parallel) {
	parallel.do(len(l.begin)-1, func() func(int) {
		return func(e int) {
			_, p := l.row(e)
			count := l.count[l.begin[e]:l.begin[e+1]]
			copy(p, count)
			toOne(p)
			clear(count)
		}
	})
}

// toOne scales values so that they sum to 1.
func toOne(values []float64) {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	for i := range values {
		values[i] /= sum
	}
}

// Translation is a target word with its probability.
type Translation struct {
	Word        string
	Probability float64
}

// best are the words of row e with at least a probability, the most probable first, equal ones in the order of the text.
func (l *lexicon) best(e int32, least float64, target []string) (all []Translation) {
	words, p := l.row(int(e))
	for c, f := range words {
		if p[c] >= least {
			all = append(all, Translation{target[f], p[c]})
		}
	}
	slices.SortStableFunc(all, func(a, b Translation) int { return cmp.Compare(b.Probability, a.Probability) })
	return all
}
