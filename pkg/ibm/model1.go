package ibm

import "math"

// everywhere is Model 1's prior: all places alike.
type everywhere struct{}

func (everywhere) run(rows, T int) run { return evenly{rows, T} }
func (everywhere) end(run)             {}
func (everywhere) maximize()           {}
func (everywhere) clone() prior        { return everywhere{} }

func (everywhere) best(matrix []float64, rows, T int) []int { return likeliest(matrix, rows, T) }

type evenly struct{ rows, T int }

func (e evenly) expect(matrix []float64) float64 {
	return normalize(matrix, e.rows, e.T) - float64(e.T)*math.Log(float64(e.rows))
}

// iterateEvenly is one pass of Model 1, which needs no matrices: the E-step leaves one number for each target word, and the M-step is done with
// those.
func (m *Model) iterateEvenly(update bool) (logLikelihood float64) {
	z, logLikelihood := m.expectEvenly()
	if update {
		m.maximizeEvenly(z)
	}
	return logLikelihood
}

// expectEvenly is Model 1's E-step: z_i = Σ_j t(y_i|x_j) of every target word of the text, so that t(y_i|x_j)/z_i is the posterior probability
// that it looks at j. It gives the log-likelihood too.
func (m *Model) expectEvenly() (z []float64, logLikelihood float64) {
	t, l := m.text, m.lexicon
	z = make([]float64, len(t.targets))
	sums := make([]float64, len(t.sentences))
	// Each word of a sentence is added to z in the same order, whichever part the sentence is in.
	parts := int(m.parallel)
	m.parallel.do(parts, func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(part int) {
			b := block{len(t.sentences) * part / parts, len(t.sentences) * (part + 1) / parts}
			for x := range t.source.text {
				places := t.in(b, x)
				if len(places) == 0 {
					continue
				}
				words, p := l.row(x)
				for c, y := range words {
					row[y] = p[c]
				}
				for _, place := range places {
					target := t.of(int(place.sentence))
					z := z[t.begin[place.sentence]:][:len(target)]
					for i, y := range target {
						z[i] += row[y]
					}
				}
			}
			for n := b.from; n < b.to; n++ {
				s := t.sentences[n]
				sums[n] = logSum(z[t.begin[n]:t.begin[n+1]]) - float64(len(s.target))*math.Log(float64(len(s.source)))
			}
		}
	})
	for _, s := range sums {
		logLikelihood += s
	}
	return z, logLikelihood
}

// maximizeEvenly is Model 1's M-step. The count of a pair of words is the sum of its posteriors t(y|x)/z_i, and so the new t(y|x) is in
// proportion to
//
//	t(y|x) Σ 1/z_i    over all places of x and all i opposite them with y_i = y.
//
// It changes z.
func (m *Model) maximizeEvenly(z []float64) {
	t, l := m.text, m.lexicon
	for i := range z {
		z[i] = 1 / z[i]
	}
	m.parallel.do(len(t.source.text), func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(x int) {
			for _, place := range t.places[t.first[x]:t.first[x+1]] {
				target := t.of(int(place.sentence))
				z := z[t.begin[place.sentence]:][:len(target)]
				for i, y := range target {
					row[y] += z[i]
				}
			}
			words, p := l.row(x)
			for c, y := range words {
				p[c] *= row[y]
				row[y] = 0
			}
			toOne(p)
		}
	})
}

// logSum is the sum of the values' logarithms, by few logarithms.
func logSum(values []float64) (sum float64) {
	product := 1.0
	for _, v := range values {
		if product *= v; !(product > 1e-200 && product < 1e200) {
			sum += math.Log(product)
			product = 1
		}
	}
	return sum + math.Log(product)
}

// normalize divides each column by its sum, which makes posteriors of joint probabilities, and gives the sum of the sums' logarithms.
func normalize(matrix []float64, rows, T int) float64 {
	sums := make([]float64, T)
	for j := range rows {
		for i, p := range matrix[j*T:][:T] {
			sums[i] += p
		}
	}
	for j := range rows {
		row := matrix[j*T:][:T]
		for i, s := range sums {
			row[i] /= s
		}
	}
	return logSum(sums)
}

// likeliest is the row of each column's greatest value, the first of equals.
func likeliest(matrix []float64, rows, T int) []int {
	best := make([]int, T)
	for j := 1; j < rows; j++ {
		for i := range T {
			if matrix[j*T+i] > matrix[best[i]*T+i] {
				best[i] = j
			}
		}
	}
	return best
}
