package metrics

import (
	"math"
	"testing"
)

func TestPerplexity(t *testing.T) {
	for _, c := range []struct {
		name   string
		nats   float64
		tokens int
		want   float64 // NaN where an error is right
	}{
		{"uniform over 10", 7 * math.Log(10), 7, 10},
		{"certain", 0, 3, 1},
		{"rounding below certain", -1e-6, 1, 1},
		{"overflow", 1e6, 1, math.Inf(1)},
		{"impossible", math.Inf(1), 5, math.Inf(1)},
		{"no token", 3, 0, math.NaN()},
		{"fewer than none", 3, -1, math.NaN()},
		{"not a number", math.NaN(), 2, math.NaN()},
		{"lost sign", -14, 7, math.NaN()},
	} {
		got, err := Perplexity(c.nats, c.tokens)
		if (err != nil) != math.IsNaN(c.want) || err == nil && got != c.want && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, %v, want %g", c.name, got, err, c.want)
		}
	}
}

// Sentences of 2 and of 20 tokens have one perplexity, however they are batched; a mean of means would have another.
func TestPerplexityOfBatches(t *testing.T) {
	nats, lengths := []float64{2 * 3.0, 20 * 0.5}, []int{2, 20}
	got, err := Perplexity(nats[0]+nats[1], lengths[0]+lengths[1])
	if err != nil || math.Abs(got-math.Exp(16.0/22)) > 1e-12 {
		t.Errorf("%g, %v", got, err)
	}
	if mean := math.Exp((3.0 + 0.5) / 2); math.Abs(got-mean) < 1 {
		t.Errorf("%g is the mean of means %g", got, mean)
	}
}
