package ibm

import (
	"maps"
	"math"
	"slices"
)

// Model2 makes IBM Model 2 with this model's lexicon: where target word i looks depends on i and on both lengths (Brown et al. 1993, section
// 4.2):
//
//	P(y|x) = Π_i Σ_j a(j|i,S,T) t(y_i|x_j)
//
// The first a is uniform. Two lengths that the training text does not have together keep that.
func (m *Model) Model2() *Model { return m.with(positions{}) }

// positions is Model 2's prior: a(j|i,S,T) for each pair of lengths.
type positions map[shape]*position

// shape is the number of rows and of target words.
type shape struct{ rows, T int }

// position has a(j|i) and what EM counts for it, [rows,T], of one shape; nothing is counted before count is there.
type position struct {
	shape
	p, count []float64
}

func (a positions) run(rows, T int) run {
	s := shape{rows, T}
	if a[s] == nil {
		a[s] = &position{shape: s, p: slices.Repeat([]float64{1 / float64(rows)}, rows*T)}
	}
	return a[s]
}

func (a *position) expect(matrix []float64) float64 {
	for c, p := range a.p {
		matrix[c] *= p
	}
	logLikelihood := normalize(matrix, a.rows, a.T)
	if a.count == nil {
		a.count = make([]float64, len(a.p))
	}
	for c, p := range matrix {
		a.count[c] += p
	}
	return logLikelihood
}

func (positions) end(run) {} // counted in place

func (a positions) maximize() {
	for _, s := range a {
		copy(s.p, s.count)
		normalize(s.p, s.rows, s.T)
		clear(s.count)
	}
}

func (a positions) best(matrix []float64, rows, T int) []int {
	if s := a[shape{rows, T}]; s != nil {
		for c, p := range s.p {
			matrix[c] *= p
		}
	}
	return likeliest(matrix, rows, T)
}

func (a positions) clone() prior {
	b := maps.Clone(a)
	for s, table := range b {
		b[s] = &position{shape: s, p: table.p}
	}
	return b
}

// PlaceProbability is Model 2's a(j|i,S,T): that target word i, from 0, of T looks at source word j of S; j of -1 is NULL. ok is false for other models,
// and for lengths that are not in the training text.
func (m *Model) PlaceProbability(j, i, S, T int) (p float64, ok bool) {
	a, _ := m.prior.(positions)
	table := a[shape{S + m.text.nulls, T}]
	row := j + m.text.nulls
	if table == nil || row < 0 || row >= table.rows || i < 0 || i >= T {
		return math.NaN(), false
	}
	return table.p[row*T+i], true
}
