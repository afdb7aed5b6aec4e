package plotting_test

import (
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
)

func TestBarsErrors(t *testing.T) {
	valid := func() plotting.Bars {
		return plotting.Bars{Groups: []string{"g", "h"}, Series: []plotting.Series{{Name: "a", Values: plotting.Once([]float64{1, 2})}}}
	}
	for _, c := range []struct {
		want string
		edit func(o *plotting.Bars)
	}{
		{"", func(o *plotting.Bars) {}},
		{"", func(o *plotting.Bars) { o.Series[0].Values[0] = metrics.Spread{} }},
		{"", func(o *plotting.Bars) { o.Series[0].Values = plotting.Once([]float64{0, 0}) }},
		{"no Groups", func(o *plotting.Bars) { o.Groups = nil }},
		{"no Series", func(o *plotting.Bars) { o.Series = nil }},
		{"8 Series", func(o *plotting.Bars) { o.Series = make([]plotting.Series, 8) }},
		{"N has 1 entries for 2 Groups", func(o *plotting.Bars) { o.N = []int{1} }},
		{"Y is logarithmic", func(o *plotting.Bars) { o.Y.Log = true }},
		{"Y runs from 10 to 20 without 0", func(o *plotting.Bars) { o.Y = plotting.Axis{Min: 10, Max: 20} }},
		{"Series[0] has no Name", func(o *plotting.Bars) { o.Series[0].Name = "" }},
		{`two series are named "a"`, func(o *plotting.Bars) { o.Series = append(o.Series, o.Series[0]) }},
		{"Series[0] (a) has 1 values for 2 Groups", func(o *plotting.Bars) { o.Series[0].Values = o.Series[0].Values[:1] }},
		{"value 1 (h) is 2, beyond Y, which runs from 0 to 1", func(o *plotting.Bars) { o.Y = plotting.Share("a") }},
		{"value 1 (h) is", func(o *plotting.Bars) { o.Series[0].Values[1].Mean = math.Inf(-1) }},
		{"of 2 seeds, where Band says Exact", func(o *plotting.Bars) {
			o.Band, o.Series[0].Values[0] = plotting.Exact, metrics.Spread{N: 2, Mean: 1, Min: 1, Max: 1}
		}},
		{"no value to draw", func(o *plotting.Bars) { o.Series[0].Values = make([]metrics.Spread, 2) }},
		{"do not fit side by side", func(o *plotting.Bars) {
			o.Groups = make([]string, 30)
			for i := range o.Groups {
				o.Groups[i] = strings.Repeat("long name ", 5)
			}
			o.Series[0].Values = plotting.Once(make([]float64, 30))
		}},
	} {
		o := valid()
		c.edit(&o)
		_, err := o.Figure()
		wantError(t, err, c.want)
	}
}

// A bar is as high as its value on the axis.
func TestBarHeights(t *testing.T) {
	figure, err := plotting.Bars{Groups: []string{"g"}, Y: plotting.BLEU(), Series: []plotting.Series{
		{Name: "a", Values: plotting.Once([]float64{50})}, {Name: "b", Values: plotting.Once([]float64{25})}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	var heights []float64
	for _, fill := range plotting.DrawnOf(figure).Fills {
		low, high := math.Inf(1), math.Inf(-1)
		for _, s := range fill {
			low, high = min(low, s.Y), max(high, s.Y)
		}
		if high-low > 20 { // not a sample of the key
			heights = append(heights, high-low)
		}
	}
	if len(heights) != 2 || math.Abs(heights[0]/heights[1]-2) > 1e-6 {
		t.Errorf("heights %v", heights)
	}
}
