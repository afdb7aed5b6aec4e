package ibm

import (
	"fmt"
	"math"
	"slices"
)

// HMM makes the hidden Markov model with this model's lexicon: where a target word looks depends on where the one before looked, by the width of the
// jump alone (Vogel, Ney and Tillmann 1996, equation 6):
//
//	p(j|j',S) = c(j-j') / Σ_{j''=1..S} c(j''-j')
//
// The first word jumps from before the sentence, j' of 0. nullProbability is that of NULL, at least 0 and below 1; a word that looks at NULL
// remembers where the last one looked that did not (Och and Ney 2003, equations 14 to 16). It is not learned; they took what suits held-out data. In a
// model without NULL it must be 0. The first jumps are all alike.
func (m *Model) HMM(nullProbability float64) (*Model, error) {
	switch {
	case !(nullProbability >= 0 && nullProbability < 1):
		return nil, fmt.Errorf("ibm: NULL's probability is %g: give at least 0 and less than 1", nullProbability)
	case m.text.nulls == 0 && nullProbability != 0:
		return nil, fmt.Errorf("ibm: NULL's probability is %g in a model without NULL: give 0", nullProbability)
	}
	longest := 0
	for _, s := range m.text.sentences {
		longest = max(longest, len(s.source)-m.text.nulls)
	}
	h := &jumps{null: nullProbability, nulls: m.text.nulls, longest: longest}
	h.c = slices.Repeat([]float64{1 / float64(2*longest)}, 2*longest)
	h.reset()
	return m.with(h), nil
}

// jumps is the HMM's prior. A place is 1 to S, and 0 before the sentence; a state is a place, or NULL with the last place.
type jumps struct {
	null    float64
	nulls   int
	longest int       // source sentence of the training text
	c       []float64 // c[d+longest-1] is that of the jump d, 1-longest to longest; they sum to 1
	count   []float64 // expected number of jumps, as c
	// leave[S][k] is the expected number of jumps from place k of a sentence of S words.
	leave [][]float64
}

func (h *jumps) reset() {
	h.count = make([]float64, len(h.c))
	h.leave = make([][]float64, h.longest+1)
}

func (h *jumps) clone() prior {
	c := *h
	c.reset()
	return &c
}

// JumpProbability is c(d) of the HMM, relative to those of all jumps from one end of the longest source sentence to the other; ok is false for other models and wider
// jumps.
func (m *Model) JumpProbability(d int) (p float64, ok bool) {
	h, isHMM := m.prior.(*jumps)
	if !isHMM || d < 1-h.longest || d > h.longest {
		return math.NaN(), false
	}
	return h.c[d+h.longest-1], true
}

// transitions are q[k*S+j-1], the probability of place j after place k, [S+1,S], without NULL's share. Jumps wider than any in the training text
// count as the widest.
func (h *jumps) transitions(S int) []float64 {
	q := make([]float64, (S+1)*S)
	for k := range S + 1 {
		row := q[k*S:][:S]
		sum := 0.0
		for j := range row {
			d := min(max(j+1-k, 1-h.longest), h.longest)
			row[j] = max(h.c[d+h.longest-1], leastJump)
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return q
}

// leastJump keeps jumps that died out from making all ways impossible.
const leastJump = 1e-12

func (h *jumps) run(rows, T int) run {
	S := rows - h.nulls
	r := &march{S: S, T: T, nulls: h.nulls, null: h.null, q: h.transitions(S), meet: make([]float64, (S+1)*S)}
	r.place, r.silent = make([]float64, (T+1)*(S+1)), make([]float64, (T+1)*(S+1))
	r.scale = make([]float64, T+1)
	r.after, r.next = make([]float64, S+1), make([]float64, S+1)
	r.seen = make([]float64, S)
	return r
}

// march is forward-backward over sentences of one shape.
type march struct {
	S, T, nulls int
	null        float64
	q           []float64 // transitions, [S+1,S]
	meet        []float64 // Σ_i of forward at k times backward at j, [S+1,S]: times q it is the expected number of jumps
	// Forward probabilities, scaled to sum to 1 for each i, [T+1,S+1]: the i-th word looks at place k; or at NULL, k having been the last
	// place. Row 0 is before the sentence.
	place, silent []float64
	scale         []float64
	after, next   []float64 // backward probabilities of i and i+1 by the last place, [S+1]
	seen          []float64 // t(y_i|x_j) times backward, [S]
}

func (r *march) expect(matrix []float64) (logLikelihood float64) {
	S, T := r.S, r.T
	n := S + 1
	word := func(j, i int) float64 { return matrix[(j+r.nulls)*T+i] }
	empty := func(i int) float64 {
		if r.nulls == 0 {
			return 0
		}
		return matrix[i]
	}
	clear(r.place)
	r.silent[0] = 1
	last := make([]float64, n)
	for i := 1; i <= T; i++ {
		for k := range last {
			last[k] = r.place[(i-1)*n+k] + r.silent[(i-1)*n+k]
		}
		place, silent := r.place[i*n:][:n], r.silent[i*n:][:n]
		into := place[1:]
		for k, p := range last {
			if p != 0 {
				for j, q := range r.q[k*S:][:S] {
					into[j] += p * q
				}
			}
		}
		sum, none := 0.0, r.null*empty(i-1)
		for j := range into {
			into[j] *= (1 - r.null) * word(j, i-1)
			sum += into[j]
		}
		for k, p := range last {
			silent[k] = p * none
			sum += silent[k]
		}
		r.scale[i] = sum
		logLikelihood += math.Log(sum)
		for k := range n {
			place[k] /= sum
			silent[k] /= sum
		}
	}
	after, next := r.after, r.next
	for k := range after {
		after[k] = 1
	}
	for i := T; i >= 1; i-- {
		place, silent := r.place[i*n:][:n], r.silent[i*n:][:n]
		none := r.null * empty(i-1) / r.scale[i]
		for j := range S {
			r.seen[j] = (1 - r.null) * word(j, i-1) * after[j+1] / r.scale[i]
		}
		before := r.place[(i-1)*n:][:n]
		quiet := r.silent[(i-1)*n:][:n]
		for k := range n {
			p := before[k] + quiet[k]
			sum := 0.0
			q, meet := r.q[k*S:][:S], r.meet[k*S:][:S]
			for j, s := range r.seen {
				sum += q[j] * s
				meet[j] += p * s
			}
			next[k] = sum + none*after[k]
		}
		// The matrix becomes the posterior.
		if r.nulls > 0 {
			sum := 0.0
			for k := range n {
				sum += silent[k] * after[k]
			}
			matrix[i-1] = sum
		}
		for j := range S {
			matrix[(j+r.nulls)*T+i-1] = place[j+1] * after[j+1]
		}
		after, next = next, after
	}
	return logLikelihood
}

func (h *jumps) end(finished run) {
	r := finished.(*march)
	if r.S > h.longest { // not of the training text
		return
	}
	if h.leave[r.S] == nil {
		h.leave[r.S] = make([]float64, r.S+1)
	}
	for k := range r.S + 1 {
		for j := range r.S {
			x := r.meet[k*r.S+j] * r.q[k*r.S+j]
			h.count[j+1-k+h.longest-1] += x
			h.leave[r.S][k] += x
		}
	}
}

// maximize raises Σ_d count(d) log c(d) − Σ_{S,k} leave(S,k) log Σ_j c(j-k), what of the likelihood depends on c. It has no maximum in closed form,
// because the sums have bounds: c ∝ count, as is often done, can lower the likelihood. Each step of Hunter (2004, "MM algorithms for generalized
// Bradley-Terry models") raises it, so that EM does.
func (h *jumps) maximize() {
	const steps = 10
	D := len(h.c)
	for range steps {
		// share[d] = Σ of leave(S,k)/Σ_j c(j-k) over all (S,k) that can jump d, from sums that begin and end.
		share := make([]float64, D+1)
		for S, leave := range h.leave {
			for k, n := range leave {
				if n == 0 {
					continue
				}
				from := 1 - k + h.longest - 1
				sum := 0.0
				for _, c := range h.c[from : from+S] {
					sum += max(c, leastJump)
				}
				share[from] += n / sum
				share[from+S] -= n / sum
			}
		}
		total, running := 0.0, 0.0
		for d := range h.c {
			running += share[d]
			if h.c[d] = 0; h.count[d] > 0 && running > 0 {
				h.c[d] = h.count[d] / running
			}
			total += h.c[d]
		}
		for d := range h.c {
			h.c[d] /= total
		}
	}
	h.reset()
}

// best is Viterbi's way through the states.
func (h *jumps) best(matrix []float64, rows, T int) []int {
	S := rows - h.nulls
	n := S + 1
	q := h.transitions(S)
	// score of the best way to each state, silent states behind the places: state k is a place, n+k is NULL after it.
	score, fresh := make([]float64, 2*n), make([]float64, 2*n)
	score[n] = 1 // before the sentence
	from := make([]int, T*2*n)
	for i := range T {
		back := from[i*2*n:][:2*n]
		clear(fresh)
		greatest := 0.0
		for k := range n {
			state := k
			if score[n+k] > score[k] {
				state = n + k
			}
			p := score[state]
			for j, step := range q[k*S:][:S] {
				if x := p * step; x > fresh[j+1] {
					fresh[j+1], back[j+1] = x, state
				}
			}
			if h.nulls > 0 {
				fresh[n+k], back[n+k] = p*h.null*matrix[i], state
			}
			greatest = max(greatest, fresh[n+k])
		}
		for j := 1; j <= S; j++ {
			fresh[j] *= (1 - h.null) * matrix[(j-1+h.nulls)*T+i]
			greatest = max(greatest, fresh[j])
		}
		for k := range fresh {
			fresh[k] /= greatest // no underflow
		}
		score, fresh = fresh, score
	}
	state := 0
	for k, s := range score {
		if s > score[state] {
			state = k
		}
	}
	places := make([]int, T)
	for i := T - 1; i >= 0; i-- {
		if state < n {
			places[i] = state - 1 + h.nulls
		} // else NULL, row 0
		state = from[i*2*n+state]
	}
	return places
}
