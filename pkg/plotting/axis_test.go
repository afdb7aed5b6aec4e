package plotting

import (
	"math"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		want string
	}{
		{BLEU(), "0 20 40 60 80 100"},
		{Share("right"), "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{Min: -5, Max: 25}, "−5 0 5 10 15 20 25"},
		{Axis{Min: 0, Max: 1500}, "0 250 500 750 1,000 1,250 1,500"},
		{Axis{Min: 0, Max: 1_000_000}, "0 200,000 400,000 600,000 800,000 1,000,000"},
		{Axis{Min: 0.001, Max: 0.004}, "0.0010 0.0015 0.0020 0.0025 0.0030 0.0035 0.0040"},
		{Axis{Min: 0.3, Max: 7, Log: true}, "0.5 1 2 5"},
		{Axis{Min: 0.001, Max: 10, Log: true}, "0.001 0.01 0.1 1 10"},
		{Axis{Min: 2, Max: 3.2, Log: true}, "2 3"},
	} {
		var got []string
		for _, tick := range c.axis.ticks() {
			if !tick.IsMinor() {
				got = append(got, tick.Label)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%g to %g: %s, not %s", c.axis.Min, c.axis.Max, text, c.want)
		}
	}
}

func TestCover(t *testing.T) {
	for _, c := range []struct{ low, high, min, max float64 }{
		{3, 78, 0, 80},
		{31, 33, 31, 33},
		{-3, 22, -5, 25},
		{0.4, 0.4, 0.36, 0.44},
		{0, 0, -0.001, 0.001},
		{99.99999999999996, 100, 90, 110},
		{-100, -99.99999999999996, -110, -90},
		{1e-300, 2e-300, 0, 0.001},
	} {
		a := Axis{}.cover(c.low, c.high)
		if math.Abs(a.Min-c.min) > 1e-3*math.Abs(c.min)+1e-3 || math.Abs(a.Max-c.max) > 1e-3*math.Abs(c.max)+1e-3 || a.Min > c.low || a.Max < c.high || a.Max <= a.Min {
			t.Errorf("cover(%g, %g) is %g to %g", c.low, c.high, a.Min, a.Max)
		}
		if n := len(a.ticks()); n < 2 || n > 9 {
			t.Errorf("%g to %g has %d ticks", a.Min, a.Max, n)
		}
	}
	if a := BLEU().cover(30, 200); a.Max != 100 {
		t.Errorf("a given range became %g to %g", a.Min, a.Max)
	}
	for _, v := range [][2]float64{{1, 1}, {0.01, 100}, {1e-9, 1e9}} {
		a := Axis{Log: true}.cover(v[0], v[1])
		if below, length := math.Log(v[0]/a.Min), math.Log(a.Max/a.Min); below < 0.03*length || math.Abs(math.Log(a.Max/v[1])-below) > 1e-9 {
			t.Errorf("logarithmic cover(%v) is %g to %g", v, a.Min, a.Max)
		}
	}
	for _, v := range [][2]float64{{5e-324, 1}, {1, math.MaxFloat64}, {5e-324, math.MaxFloat64}} {
		if a := (Axis{Log: true}).cover(v[0], v[1]); a.Min <= 0 || a.Min > v[0] || a.Max < v[1] || math.IsInf(a.Max, 0) {
			t.Errorf("logarithmic cover(%v) is %g to %g", v, a.Min, a.Max)
		}
	}
}

func TestAxisErrors(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		want string
	}{
		{Axis{}, ""},
		{Axis{Min: 1, Max: 2, Log: true}, ""},
		{Axis{Min: 2, Max: 1}, "Min must be below Max"},
		{Axis{Min: 1, Max: 1}, "Min must be below Max"},
		{Axis{Min: math.NaN(), Max: 1}, "finite"},
		{Axis{Min: 0, Max: math.Inf(1)}, "finite"},
		{Axis{Min: 0, Max: 1, Log: true}, "above 0"},
	} {
		wantError(t, c.axis.check("Y"), c.want)
	}
}

// wantError checks that an error says what it must, or that there is none.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("unexpected: %v", err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%v, want an error with %q", err, want)
	}
}

func TestDecimal(t *testing.T) {
	for want, v := range map[string]float64{"1,234,567": 1234567, "−1,000": -1000, "999": 999, "0": 0} {
		if got := decimal(v, 0); got != want {
			t.Errorf("%g is %s", v, got)
		}
	}
	if got := decimal(-1234.5, 2); got != "−1,234.50" {
		t.Error(got)
	}
}

func TestShort(t *testing.T) {
	for want, v := range map[string]float64{"93.2": 93.24, "1,200": 1200, "0.81": 0.812, "0.0123": 0.01234, "4": 4, "9.67": 9.666, "−12.5": -12.5, "1e-09": 1e-9} {
		if got := short(v); got != want {
			t.Errorf("%g is %s, not %s", v, got, want)
		}
	}
}
