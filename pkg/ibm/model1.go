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

// iterateEvenly is one pass of Model 1, which needs no matrices: with z_j = Σ_i t(f_j|e_i), the new t(f|e) is in proportion to
//
//	t(f|e) Σ 1/z_j    over all places of e and all j opposite them with f_j = f
func (m *Model) iterateEvenly(update bool) (logLikelihood float64) {
	t, l := m.text, m.lexicon
	z := make([]float64, len(t.targets))
	sums := make([]float64, len(t.sentences))
	// Each word of a sentence is added to z in the same order, whichever part the sentence is in.
	parts := int(m.parallel)
	m.parallel.do(parts, func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(part int) {
			b := block{len(t.sentences) * part / parts, len(t.sentences) * (part + 1) / parts}
			for e := range t.source.text {
				places := t.in(b, e)
				if len(places) == 0 {
					continue
				}
				words, p := l.row(e)
				for c, f := range words {
					row[f] = p[c]
				}
				for _, place := range places {
					target := t.of(int(place.sentence))
					z := z[t.begin[place.sentence]:][:len(target)]
					for j, f := range target {
						z[j] += row[f]
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
	if !update {
		return logLikelihood
	}
	for j := range z {
		z[j] = 1 / z[j]
	}
	m.parallel.do(len(t.source.text), func() func(int) {
		row := make([]float64, len(t.target.text))
		return func(e int) {
			for _, place := range t.places[t.first[e]:t.first[e+1]] {
				target := t.of(int(place.sentence))
				z := z[t.begin[place.sentence]:][:len(target)]
				for j, f := range target {
					row[f] += z[j]
				}
			}
			words, p := l.row(e)
			for c, f := range words {
				p[c] *= row[f]
				row[f] = 0
			}
			toOne(p)
		}
	})
	return logLikelihood
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

// normalize divides each column by its sum, and gives the sum of the sums' logarithms.
func normalize(matrix []float64, rows, T int) float64 {
	sums := make([]float64, T)
	for i := range rows {
		for j, p := range matrix[i*T:][:T] {
			sums[j] += p
		}
	}
	for i := range rows {
		row := matrix[i*T:][:T]
		for j, s := range sums {
			row[j] /= s
		}
	}
	return logSum(sums)
}

// likeliest is the row of each column's greatest value, the first of equals.
func likeliest(matrix []float64, rows, T int) []int {
	best := make([]int, T)
	for i := 1; i < rows; i++ {
		for j := range T {
			if matrix[i*T+j] > matrix[best[j]*T+j] {
				best[j] = i
			}
		}
	}
	return best
}
