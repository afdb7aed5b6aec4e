package metrics

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		p         Proportion
		low, high float64 // from the closed form, worked by hand with z = 1.959964
	}{
		{Proportion{5, 10}, 0.236593, 0.763407},
		{Proportion{0, 10}, 0, 0.277533},
		{Proportion{10, 10}, 0.722467, 1},
		{Proportion{1, 1}, 0.206549, 1},
		{Proportion{0, 0}, 0, 1},
	} {
		got, err := c.p.Wilson(0.95)
		if err != nil || math.Abs(got.Low-c.low) > 1e-6 || math.Abs(got.High-c.high) > 1e-6 || got.Confidence != 0.95 {
			t.Errorf("%v: %v, %v, want %g to %g", c.p, got, err, c.low, c.high)
		}
	}
	for _, confidence := range []float64{0, 1, 95, -1, math.NaN()} {
		if got, err := (Proportion{1, 2}).Wilson(confidence); err == nil {
			t.Errorf("confidence %g: %v, want an error", confidence, got)
		}
	}
	for n := 1; n < 40; n++ {
		for right := 0; right <= n; right++ {
			p := Proportion{right, n}
			wide, _ := p.Wilson(0.99)
			narrow, _ := p.Wilson(0.5)
			mirrored, _ := Proportion{n - right, n}.Wilson(0.99)
			if !(0 <= wide.Low && wide.Low <= narrow.Low && narrow.Low <= p.Share()+1e-12 && p.Share()-1e-12 <= narrow.High && narrow.High <= wide.High && wide.High <= 1) {
				t.Errorf("%v: %v within %v", p, narrow, wide)
			}
			if math.Abs(wide.Low-(1-mirrored.High)) > 1e-12 {
				t.Errorf("%v: %v, mirrored %v", p, wide, mirrored)
			}
		}
	}
}

func TestProportionString(t *testing.T) {
	for want, p := range map[string]Proportion{"0.75 (3 of 4)": {3, 4}, "none (n = 0)": {}} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := (Interval{0.2966, 0.954, 0.95}).String(); got != "[0.30, 0.95] at 95%" {
		t.Errorf("interval %q", got)
	}
}
