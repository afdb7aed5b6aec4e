package metrics

import (
	"math"
	"testing"
)

func TestSummarize(t *testing.T) {
	s, err := Summarize([]float64{68, 74, 70, 71, 72})
	if err != nil {
		t.Fatal(err)
	}
	if s.N != 5 || s.Mean != 71 || s.Min != 68 || s.Max != 74 || math.Abs(s.Deviation-math.Sqrt(5)) > 1e-12 {
		t.Errorf("%+v", s)
	}
	// Student's t for 4 degrees of freedom is 2.776445 in the tables, the standard error is 1.
	if got, err := s.Interval(0.95); err != nil || math.Abs(got.Low-(71-2.776445)) > 1e-6 || math.Abs(got.High-(71+2.776445)) > 1e-6 {
		t.Errorf("%v, %v", got, err)
	}
	if got := s.String(); got != "71.00 (68.00 to 74.00, n = 5)" {
		t.Errorf("%q", got)
	}
}

func TestSpreadOfOne(t *testing.T) {
	s, err := Summarize([]float64{0.1})
	if err != nil || s.Mean != 0.1 || s.Min != 0.1 || s.Max != 0.1 || !math.IsNaN(s.Deviation) {
		t.Errorf("%+v, %v", s, err)
	}
	if got, err := s.Interval(0.95); err == nil {
		t.Errorf("interval of one seed: %v, want an error", got)
	}
	equal, err := Summarize([]float64{0.1, 0.1, 0.1})
	if err != nil || equal.Mean != 0.1 || !(equal.Deviation < 1e-12) {
		t.Errorf("equal values: %+v, %v", equal, err)
	}
}

func TestSpreadErrors(t *testing.T) {
	for _, values := range [][]float64{nil, {1, math.NaN()}, {math.Inf(1)}} {
		if got, err := Summarize(values); err == nil {
			t.Errorf("spread of %v: %v, want an error", values, got)
		}
	}
	s, _ := Summarize([]float64{1, 2})
	if got, err := s.Interval(1); err == nil {
		t.Errorf("interval at 100%%: %v, want an error", got)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}, {[]float64{8, 1, 2, 3}, 2.5}} {
		if got := Median(c.values); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}
