package ibm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"

	"seq2attn/pkg/corpus"
)

// Null names the empty source word, which explains target words that no word of the source does.
const Null = ""

// unmet is the probability of two words that never stood opposite each other in the training text, and of words that were not in it.
const unmet = 1e-9

// Options of a model. The zero value keeps NULL and uses all cores.
type Options struct {
	// NoNull leaves NULL out, as the textbooks' first example does: every target word then has a source word.
	NoNull bool
	// Workers is the number of goroutines; 0 is one for each core. Results do not depend on it.
	Workers int
}

// Model is an alignment model with the text it learns from. It explains the target by the source; for the other direction make one of
// reversed pairs ([corpus.ReversePairs]). Methods that only read may run at the same time.
type Model struct {
	text     *text
	lexicon  *lexicon
	prior    prior
	parallel parallel
}

// prior is what a model believes of the place that each target word looks at, before it sees the words. Matrices are [rows,T], one row
// for each source place; NULL is row 0 where there is one.
type prior interface {
	// run begins a run of training sentences of one shape. Runs are begun and ended one after the other; between these, several work at
	// the same time.
	run(rows, T int) run
	// end takes over what a run has counted.
	end(run)
	// maximize turns what was counted into probabilities.
	maximize()
	// best is the row of each target word in the most probable alignment, given the probabilities t(y_i|x_j).
	best(matrix []float64, rows, T int) []int
	clone() prior
}

// run counts over sentences of one shape.
type run interface {
	// expect turns a sentence's matrix of t(y_i|x_j) into the posterior probabilities that i looks at j, and gives the log-likelihood
	// of its target words.
	expect(matrix []float64) float64
}

// NewModel1 makes IBM Model 1 of a text, not trained yet: every t(y|x) is the same. A target word looks at all places of the source, and
// NULL, with the same probability (Brown et al. 1993, section 4.1):
//
//	P(y|x) = Π_i Σ_j t(y_i|x_j) / (S+1)
//
// Its likelihood has one maximum, so that the start does not matter. A pair with an empty side is an error.
func NewModel1(pairs []corpus.Pair, o Options) (*Model, error) {
	m := &Model{prior: everywhere{}, parallel: parallel(o.Workers)}
	if o.Workers < 0 {
		return nil, fmt.Errorf("ibm: Options.Workers is %d: give 0 or more", o.Workers)
	}
	if o.Workers == 0 {
		m.parallel = parallel(runtime.GOMAXPROCS(0))
	}
	nulls := 1
	if o.NoNull {
		nulls = 0
	}
	var err error
	if m.text, err = newText(pairs, nulls); err != nil {
		return nil, err
	}
	m.lexicon = newLexicon(m.text, m.parallel)
	return m, nil
}

// with is a model of the same text that begins with this one's lexicon and another prior.
func (m *Model) with(p prior) *Model {
	return &Model{m.text, m.lexicon.clone(), p, m.parallel}
}

// Train runs EM for so many iterations, and gives the log-likelihood of the target words before each, in nats. It never falls, but
// for rounding.
func (m *Model) Train(iterations int) (logLikelihoods []float64) {
	for range iterations {
		logLikelihoods = append(logLikelihoods, m.iterate(true))
	}
	return logLikelihoods
}

// LogLikelihood is that of the training text as the model stands, in nats.
func (m *Model) LogLikelihood() float64 { return m.iterate(false) }

// TargetWords is the number of words in the target side of the training text: exp(-LogLikelihood/TargetWords) is the perplexity.
func (m *Model) TargetWords() int { return len(m.text.targets) }

// cellsPerBlock is how many cells of matrices are in memory at once, 8 bytes each. Larger blocks spread out fewer rows.
const cellsPerBlock = 1 << 23

// iterate is one pass over the text, which changes the model only if update is set.
func (m *Model) iterate(update bool) (logLikelihood float64) {
	if _, ok := m.prior.(everywhere); ok {
		return m.iterateEvenly(update)
	}
	p := m.prior
	if !update {
		p = p.clone() // it counts all the same
	}
	t := m.text
	var cells []float64
	for _, b := range t.blocks(cellsPerBlock) {
		begin := []int{0}
		for _, s := range t.sentences[b.from:b.to] {
			begin = append(begin, begin[len(begin)-1]+s.cells())
		}
		if size := begin[len(begin)-1]; len(cells) < size {
			cells = make([]float64, size)
		}
		m.lexicon.spread(t, b, begin, cells, m.parallel)
		shapes := t.shapes(b)
		runs := make([]run, len(shapes))
		for r, shape := range shapes {
			s := t.sentences[shape.from]
			runs[r] = p.run(len(s.source), len(s.target))
		}
		sums := make([]float64, len(runs))
		m.parallel.do(len(runs), func() func(int) {
			return func(r int) {
				for n := shapes[r].from; n < shapes[r].to; n++ {
					sums[r] += runs[r].expect(cells[begin[n-b.from]:begin[n-b.from+1]])
				}
			}
		})
		for r := range runs {
			logLikelihood += sums[r]
			p.end(runs[r])
		}
		if update {
			m.lexicon.collect(t, b, begin, cells, m.parallel)
		}
	}
	if update {
		m.lexicon.maximize(m.parallel)
		p.maximize()
	}
	return logLikelihood
}

// Probability is t(target|source); source may be [Null]. It is 0 for words that never stood opposite each other, or are unknown.
func (m *Model) Probability(target, source string) float64 {
	x, y := m.sourceID(source), m.targetID(target)
	if x < 0 || y < 0 {
		return 0
	}
	return m.lexicon.probability(x, y)
}

// Translations are the n most probable target words of a source word or [Null], all where n is negative; none of an unknown word.
func (m *Model) Translations(source string, n int) []Translation {
	x := m.sourceID(source)
	if x < 0 {
		return nil
	}
	all := m.lexicon.best(x, 0, m.text.target.text)
	if n >= 0 && n < len(all) {
		all = all[:n:n]
	}
	return all
}

func (m *Model) sourceID(word string) int32 {
	if word == Null {
		return null // an empty row in a model without NULL
	}
	if id, ok := m.text.source.ids[word]; ok {
		return id
	}
	return -1
}

func (m *Model) targetID(word string) int32 {
	if id, ok := m.text.target.ids[word]; ok {
		return id
	}
	return -1
}

// Align links each target word to the source word that it looks at in the most probable alignment, or to none where that is NULL; of equal
// ones the first, NULL before all. The pair need not be one of the training text: words that never met have a very small probability.
// The links are in the order of the target words.
func (m *Model) Align(p corpus.Pair) ([]corpus.Link, error) {
	matrix, err := m.matrix(p)
	if err != nil {
		return nil, err
	}
	links := []corpus.Link{}
	for i, j := range m.prior.best(matrix, len(matrix)/len(p.Target), len(p.Target)) {
		if j >= m.text.nulls {
			links = append(links, corpus.Link{Source: j - m.text.nulls, Target: i})
		}
	}
	return links, nil
}

// AlignAll aligns every pair. An error names the first pair at fault.
func (m *Model) AlignAll(pairs []corpus.Pair) ([][]corpus.Link, error) {
	alignments := make([][]corpus.Link, len(pairs))
	failed := make([]error, len(pairs))
	m.parallel.do(len(pairs), func() func(int) {
		return func(n int) { alignments[n], failed[n] = m.Align(pairs[n]) }
	})
	for n, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("pair %d: %w", n, err)
		}
	}
	return alignments, nil
}

// Posteriors are the probabilities that target word i looks at source word j, given both sentences: [T,S+1], or [T,S] without NULL. NULL is the last
// column, where attention has EOS, so that what reads attention reads them.
func (m *Model) Posteriors(p corpus.Pair) ([][]float64, error) {
	matrix, err := m.matrix(p)
	if err != nil {
		return nil, err
	}
	T := len(p.Target)
	rows := len(matrix) / T
	m.prior.clone().run(rows, T).expect(matrix)
	posteriors := make([][]float64, T)
	for i := range posteriors {
		posteriors[i] = make([]float64, rows)
		for j := range rows {
			posteriors[i][(j+rows-m.text.nulls)%rows] = matrix[j*T+i]
		}
	}
	return posteriors, nil
}

// matrix is t(y_i|x_j) of a pair.
func (m *Model) matrix(p corpus.Pair) ([]float64, error) {
	if len(p.Source) == 0 || len(p.Target) == 0 {
		return nil, errors.New("ibm: a pair with an empty side has nothing to align")
	}
	var source, target []int32
	if m.text.nulls > 0 {
		source = append(source, null)
	}
	for _, w := range p.Source {
		if w == Null {
			return nil, errors.New("ibm: an empty source word")
		}
		source = append(source, m.sourceID(w))
	}
	for _, w := range p.Target {
		target = append(target, m.targetID(w))
	}
	matrix := make([]float64, 0, len(source)*len(target))
	for _, x := range source {
		for _, y := range target {
			t := 0.0
			if x >= 0 && y >= 0 {
				t = m.lexicon.probability(x, y)
			}
			matrix = append(matrix, max(t, unmet))
		}
	}
	return matrix, nil
}

// WriteLexicon writes t(y|x) of at least a probability, a line each: source word, target word and probability with tabs between, NULL as an empty
// source word. Source words are in the order of the text, the translations of each the most probable first.
func (m *Model) WriteLexicon(w io.Writer, least float64) error {
	b := bufio.NewWriter(w)
	for x, source := range m.text.source.text {
		if x == null {
			source = Null
		}
		for _, t := range m.lexicon.best(int32(x), least, m.text.target.text) {
			b.WriteString(source)
			b.WriteByte('\t')
			b.WriteString(t.Word)
			b.WriteByte('\t')
			b.WriteString(strconv.FormatFloat(t.Probability, 'g', 6, 64))
			b.WriteByte('\n')
		}
	}
	return b.Flush()
}
