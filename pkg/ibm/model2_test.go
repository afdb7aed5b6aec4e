package ibm

import (
	"math"
	"testing"
)

// Where each word always stands in the other's place, Model 2 finds that out, for these lengths only.
func TestModel2Order(t *testing.T) {
	m := newModel1(t, pairs("a b ||| y x", "a c ||| z x", "b c ||| z y", "c a ||| x z", "b a ||| x y"), Options{})
	m.Train(2)
	m2 := m.Model2()
	m2.Train(30)
	for i := range 2 {
		if p, ok := m2.PlaceProbability(1-i, i, 2, 2); !ok || p < 0.99 {
			t.Errorf("a(%d|%d) = %g, %v", 1-i, i, p, ok)
		}
		sum := 0.0
		for j := -1; j < 2; j++ {
			p, _ := m2.PlaceProbability(j, i, 2, 2)
			sum += p
		}
		if !near(sum, 1, 1e-12) {
			t.Errorf("Σ_j a(j|%d) = %g", i, sum)
		}
	}
	for _, c := range [][4]int{{0, 0, 3, 2}, {2, 0, 2, 2}, {-2, 0, 2, 2}, {0, 2, 2, 2}, {0, -1, 2, 2}} {
		if p, ok := m2.PlaceProbability(c[0], c[1], c[2], c[3]); ok || !math.IsNaN(p) {
			t.Errorf("a(%v) = %g, %v", c, p, ok)
		}
	}
}
