package seq2seq

import (
	"math"
	"testing"
)

func TestPace(t *testing.T) {
	for _, test := range []struct {
		paces []float64
		want  float64
	}{
		{[]float64{100}, 100},
		{[]float64{1, 100, 120}, 100},
		{[]float64{1, 100, 120, 110}, 105},
	} {
		var r Report
		for _, p := range test.paces {
			r.Train = append(r.Train, Point{TokensPerSecond: p})
		}
		if got := r.Pace(); got != test.want {
			t.Errorf("%v: %v, want %v", test.paces, got, test.want)
		}
	}
	if got := (Report{}).Pace(); !math.IsNaN(got) {
		t.Errorf("no update: %v", got)
	}
}
