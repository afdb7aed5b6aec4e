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
	// Which sentences have the word is found from all blocks, so that no row is begun twice.
	in := make([][]occurrence, len(rows))
	for b := range t.blocks {
		for k, w := range t.blocks[b].words {
			in[w] = append(in[w], occurrence{b, k})
		}
	}
	parallel.do(len(rows), func() func(int) {
		seen := make([]bool, len(t.target.text))
		return func(e int) {
			var row []int32
			for _, o := range in[e] {
				b := &t.blocks[o.block]
				for _, place := range b.places[b.first[o.word]:b.first[o.word+1]] {
					for _, f := range b.sentences[place.sentence].target {
						if !seen[f] {
							seen[f] = true
							row = append(row, f)
						}
					}
				}
			}
			for _, f := range row {
				seen[f] = false
			}
			slices.Sort(row)
			rows[e] = slices.Clip(row)
		}
	})
	l := &lexicon{begin: make([]int, len(rows)+1)}
	for e, row := range rows {
		l.begin[e+1] = l.begin[e] + len(row)
	}
	cells := l.begin[len(rows)]
	l.target, l.p, l.count = make([]int32, 0, cells), make([]float64, cells), make([]float64, cells)
	for e, row := range rows {
		l.target = append(l.target, row...)
		rows[e] = nil
	}
	for c := range l.p {
		l.p[c] = 1 / float64(len(t.target.text))
	}
	return l
}

// occurrence names words[word] of a block.
type occurrence struct{ block, word int }

// clone has the same probabilities, and no counts.
func (l *lexicon) clone() *lexicon {
	return &lexicon{l.begin, l.target, slices.Clone(l.p), make([]float64, len(l.p))}
}

// probability is t(f|e), 0 where the words never met.
func (l *lexicon) probability(e, f int32) float64 {
	from, to := l.begin[e], l.begin[e+1]
	if i, ok := slices.BinarySearch(l.target[from:to], f); ok {
		return l.p[from+i]
	}
	return 0
}

// spread writes the probabilities of every place of the block into its matrices.
func (l *lexicon) spread(b *block, cells []float64, vocabulary int, parallel parallel) {
	parallel.do(len(b.words), func() func(int) {
		row := make([]float64, vocabulary)
		return func(k int) {
			e := b.words[k]
			from, to := l.begin[e], l.begin[e+1]
			for c, f := range l.target[from:to] {
				row[f] = l.p[from+c]
			}
			for _, place := range b.places[b.first[k]:b.first[k+1]] {
				target := b.sentences[place.sentence].target
				out := cells[place.begin:][:len(target)]
				for j, f := range target {
					out[j] = row[f]
				}
			}
		}
	})
}

// collect adds the posteriors in the block's matrices to the counts. Each row is added up by one worker in the order of the text, so that
// the sums do not depend on the number of workers.
func (l *lexicon) collect(b *block, cells []float64, vocabulary int, parallel parallel) {
	parallel.do(len(b.words), func() func(int) {
		row := make([]float64, vocabulary)
		return func(k int) {
			e := b.words[k]
			from, to := l.begin[e], l.begin[e+1]
			for _, f := range l.target[from:to] {
				row[f] = 0
			}
			for _, place := range b.places[b.first[k]:b.first[k+1]] {
				target := b.sentences[place.sentence].target
				in := cells[place.begin:][:len(target)]
				for j, f := range target {
					row[f] += in[j]
				}
			}
			for c, f := range l.target[from:to] {
				l.count[from+c] += row[f]
			}
		}
	})
}

// maximize makes the counts of each row its probabilities.
func (l *lexicon) maximize(parallel parallel) {
	parallel.do(len(l.begin)-1, func() func(int) {
		return func(e int) {
			count := l.count[l.begin[e]:l.begin[e+1]]
			total := 0.0
			for _, c := range count {
				total += c
			}
			if total > 0 { // a word that explains nothing any more keeps what it had
				for i, c := range count {
					l.p[l.begin[e]+i] = c / total
				}
			}
			clear(count)
		}
	})
}

// Translation is a target word with its probability.
type Translation struct {
	Word        string
	Probability float64
}

// best are the n most probable words of row e, equal ones in the order of the text; all where n is negative.
func (l *lexicon) best(e int32, n int, target []string) []Translation {
	var all []Translation
	for c := l.begin[e]; c < l.begin[e+1]; c++ {
		all = append(all, Translation{target[l.target[c]], l.p[c]})
	}
	slices.SortStableFunc(all, func(a, b Translation) int { return cmp.Compare(b.Probability, a.Probability) })
	if n >= 0 && n < len(all) {
		all = all[:n:n]
	}
	return all
}
