package grammar

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestOptionsComplete(t *testing.T) {
	for _, test := range []struct {
		in   Options
		want string // of the error; empty for none
	}{
		{Options{}, ""},
		{Options{Train: 10}, ""},
		{Options{MinLength: 60}, ""},
		{Options{Dev: -1}, "Options.Train, Dev and Test are 0, -1 and 0"},
		{Options{MinLength: 2}, "Options.MinLength is 2"},
		{Options{MinLength: 9, MaxLength: 8}, "Options.MaxLength is 8, less than MinLength 9"},
		{Options{MaxLength: 201}, "Options.MaxLength is 201"},
		{Options{Lengths: Lengths{Name: "normal"}}, `Options.Lengths.Name is "normal"`},
		{Options{Lengths: Exponential(0)}, "Options.Lengths.Mean is 0"},
		{Options{Lengths: Exponential(math.NaN())}, "Options.Lengths.Mean is NaN"},
	} {
		_, err := test.in.complete()
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%+v: %v", test.in, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%+v: error %v, want %q in it", test.in, err, test.want)
		}
	}
	o, _ := Options{}.complete()
	if want := (Options{60000, 1000, 1000, 3, 40, Exponential(9), 0}); o != want {
		t.Errorf("the defaults are %+v, want %+v", o, want)
	}
}

func TestDraw(t *testing.T) {
	const n = 200000
	for _, o := range []Options{{MinLength: 3, MaxLength: 40, Lengths: Exponential(9)}, {MinLength: 10, MaxLength: 12, Lengths: Exponential(9)},
		{MinLength: 3, MaxLength: 40, Lengths: Uniform()}} {
		random := rand.New(rand.NewPCG(1, 2))
		counts := make([]float64, o.MaxLength+1)
		for range n {
			counts[o.draw(random)]++
		}
		// What each length should come to: an equal share, or one that falls by e^(-1/mean) from word to word.
		sum := 0.0
		want := make([]float64, o.MaxLength+1)
		for k := o.MinLength; k <= o.MaxLength; k++ {
			want[k] = 1
			if o.Lengths.Mean > 0 {
				want[k] = math.Exp(-float64(k) / o.Lengths.Mean)
			}
			sum += want[k]
		}
		for k := range counts {
			p := want[k] / sum
			if deviation := math.Abs(counts[k] - n*p); deviation > 5*math.Sqrt(n*p) {
				t.Errorf("%+v: length %d was drawn %v times, want about %.0f", o, k, counts[k], n*p)
			}
		}
	}
}
