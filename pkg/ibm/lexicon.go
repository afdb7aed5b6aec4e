package ibm

import (
	"cmp"
	"slices"
)

// lexicon is t(y|x), sparse: row x has the target words that stand opposite x somewhere in the corpus, by id.
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
		return func(x int) {
			row = row[:0]
			for _, place := range t.places[t.first[x]:t.first[x+1]] {
				for _, y := range t.of(int(place.sentence)) {
					if !seen[y] {
						seen[y] = true
						row = append(row, y)
					}
				}
			}
			if len(row) > vocabulary/32 { // quicker in order than sorted
				row = row[:0]
				for y, s := range seen {
					if s {
						row = append(row, int32(y))
					}
				}
			} else {
				slices.Sort(row)
			}
			for _, y := range row {
				seen[y] = false
			}
			rows[x] = slices.Clone(row)
		}
	})
	l := &lexicon{begin: make([]int, len(rows)+1)}
	for x, row := range rows {
		l.begin[x+1] = l.begin[x] + len(row)
	}
	cells := l.begin[len(rows)]
	l.target = make([]int32, 0, cells)
	for x, row := range rows {
		l.target = append(l.target, row...)
		rows[x] = nil
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

// row is the words of row x, and their probabilities.
func (l *lexicon) row(x int) (target []int32, p []float64) {
	return l.target[l.begin[x]:l.begin[x+1]], l.p[l.begin[x]:l.begin[x+1]]
}

// probability is t(y|x), 0 where the words never met.
func (l *lexicon) probability(x, y int32) float64 {
	from, to := l.begin[x], l.begin[x+1]
	if c, ok := slices.BinarySearch(l.target[from:to], y); ok {
		return l.p[from+c]
	}
	return 0
}

// spread writes the probabilities of every place of a block into the matrices of its sentences, which begin at the cells begin[n-b.from].
func (l *lexicon) spread(t *text, b block, begin []int, cells []float64, parallel parallel) {
	parallel.do(len(t.source.text), func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(x int) {
			places := t.in(b, x)
			if len(places) == 0 {
				return
			}
			words, p := l.row(x)
			for c, y := range words {
				row[y] = p[c]
			}
			for _, place := range places {
				target := t.of(int(place.sentence))
				out := cells[begin[int(place.sentence)-b.from]+int(place.row)*len(target):][:len(target)]
				for i, y := range target {
					out[i] = row[y]
				}
			}
		}
	})
}

// collect adds the posteriors in the matrices of a block to the counts c(y|x), which ends the E-step. Each row is added up by one worker in the order of the text, so
// that the sums do not depend on the number of workers.
func (l *lexicon) collect(t *text, b block, begin []int, cells []float64, parallel parallel) {
	if l.count == nil {
		l.count = make([]float64, len(l.p))
	}
	parallel.do(len(t.source.text), func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(x int) {
			places := t.in(b, x)
			if len(places) == 0 {
				return
			}
			for _, place := range places {
				target := t.of(int(place.sentence))
				in := cells[begin[int(place.sentence)-b.from]+int(place.row)*len(target):][:len(target)]
				for i, y := range target {
					row[y] += in[i]
				}
			}
			count := l.count[l.begin[x]:l.begin[x+1]]
			words, _ := l.row(x)
			for c, y := range words {
				count[c] += row[y]
				row[y] = 0
			}
		}
	})
}

// maximize is the M-step: t(y|x) = c(y|x) / Σ_y' c(y'|x).
func (l *lexicon) maximize(parallel parallel) {
	parallel.do(len(l.begin)-1, func() func(int) {
		return func(x int) {
			_, p := l.row(x)
			count := l.count[l.begin[x]:l.begin[x+1]]
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
	for c := range values {
		values[c] /= sum
	}
}

// Translation is a target word with its probability.
type Translation struct {
	Word        string
	Probability float64
}

// best are the words of row x with at least a probability, the most probable first, equal ones in the order of the text.
func (l *lexicon) best(x int32, least float64, target []string) (all []Translation) {
	words, p := l.row(int(x))
	for c, y := range words {
		if p[c] >= least {
			all = append(all, Translation{target[y], p[c]})
		}
	}
	slices.SortStableFunc(all, func(a, b Translation) int { return cmp.Compare(b.Probability, a.Probability) })
	return all
}
