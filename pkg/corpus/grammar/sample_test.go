package grammar

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSampleHitsTheLength(t *testing.T) {
	r := newRules()
	w := writer{}
	random := rand.New(rand.NewPCG(1, 1))
	root := r.category(symbol{kind: sentence})
	for n := 3; n <= 90; n++ {
		for range 10 {
			r.forget()
			if source := w.english(r.sample(root, n, random)); len(source) != n {
				t.Fatalf("%d words asked for, %d made: %q", n, len(source), joined(source))
			}
		}
	}
	for _, n := range []int{0, 1, 2} {
		if weight := r.weight(root, n); weight != 0 {
			t.Errorf("sentences of %d words have weight %v, want none", n, weight)
		}
	}
}

// TestSampleIsFair: phrases of a length come as often as their weights say, here those of the smallest category with two lengths.
func TestSampleIsFair(t *testing.T) {
	r := newRules()
	w := writer{}
	random := rand.New(rand.NewPCG(1, 1))
	c := r.category(symbol{kind: moment, tense: future})
	const n = 60000
	for _, words := range []int{1, 2} {
		counts := map[string]float64{}
		for range n {
			r.forget()
			counts[joined(w.english(r.sample(c, words, random)))]++
		}
		if len(counts) < 2 {
			t.Errorf("%d words: only %v", words, counts)
		}
		for phrase, count := range counts {
			// The weight of the phrase among those of its length, from the grammar by hand.
			p := map[string]float64{"tomorrow": 3. / 4, "today": 1. / 4}[phrase]
			if words == 2 {
				on, in := 1.5, 1.0
				share := func(k int, names []name) float64 {
					sum := 0.0
					for i := range names {
						sum += common(float64(i) / 3)
					}
					return common(float64(k)/3) / sum
				}
				for k, d := range days {
					if phrase == "on "+d.english {
						p = on / (on + in) * share(k, days)
					}
				}
				for k, m := range months {
					if phrase == "in "+m.english {
						p = in / (on + in) * share(k, months)
					}
				}
			}
			if math.Abs(count-n*p) > 5*math.Sqrt(n*p) {
				t.Errorf("%q came %v times, want about %.0f", phrase, count, n*p)
			}
		}
	}
}

// TestWeights: a free phrase has one length, so the weights over all lengths sum to 1; to less where some cannot be finished.
func TestWeights(t *testing.T) {
	r := newRules()
	for _, test := range []struct {
		symbol symbol
		least  float64
	}{{symbol{kind: moment, tense: past}, 1}, {symbol{kind: human}, 1}, {symbol{kind: location, class: animal}, .7}, {symbol{kind: bareNoun, class: deed}, .7}} {
		sum := 0.0
		for n := range 40 {
			sum += r.weight(r.category(test.symbol), n)
		}
		if sum > 1+1e-9 || sum < test.least-1e-9 {
			t.Errorf("the weights of %+v sum to %v, want %v to 1", test.symbol, sum, test.least)
		}
	}
}

// TestClausesSayNothingTwice: no clause names one thing twice, or says of it what its adjective has said, save where it is so long that words run out.
func TestClausesSayNothingTwice(t *testing.T) {
	r := newRules()
	random := rand.New(rand.NewPCG(2, 1))
	root := r.category(symbol{kind: sentence})
	var check func(n *node) (clauses, bad int)
	check = func(n *node) (clauses, bad int) {
		if n.distinct {
			clauses++
			if n.repeats() {
				bad++
			}
		}
		for _, part := range n.parts[:len(n.production.parts)] {
			c, b := check(part)
			clauses, bad = clauses+c, bad+b
		}
		return clauses, bad
	}
	clauses, bad := 0, 0
	for i := range 3000 {
		r.forget()
		c, b := check(r.sample(root, 3+i%28, random))
		clauses, bad = clauses+c, bad+b
	}
	if bad > clauses/1000 {
		t.Errorf("%d of %d clauses repeat themselves", bad, clauses)
	}
}
