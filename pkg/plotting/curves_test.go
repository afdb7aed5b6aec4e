package plotting_test

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
)

func TestCurvesErrors(t *testing.T) {
	valid := func() plotting.Curves {
		return plotting.Curves{Bins: bins("1-10,11-20"), N: []int{5, 5}, Y: plotting.BLEU(),
			Lines: []plotting.Line{{Name: "a", Values: plotting.Once([]float64{1, 2})}}}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want string
		edit func(o *plotting.Curves)
	}{
		{"", func(o *plotting.Curves) {}},
		{"neither Bins nor At", func(o *plotting.Curves) { o.Bins = nil }},
		{"both Bins and At", func(o *plotting.Curves) { o.At = []float64{1, 2} }},
		{"N has 1 entries for 2 Bins", func(o *plotting.Curves) { o.N = o.N[:1] }},
		{"N has 0 entries for 2 Bins", func(o *plotting.Curves) { o.N = nil }},
		{"N[1] is -3", func(o *plotting.Curves) { o.N[1] = -3 }},
		{"N has 2 entries for 3 places", func(o *plotting.Curves) { o.Bins, o.At = nil, []float64{1, 2, 3} }},
		{"Bins[1] is 5-20", func(o *plotting.Curves) { o.Bins[1].Low = 5 }},
		{"no Lines", func(o *plotting.Curves) { o.Lines = nil }},
		{"Lines[0] has no Name", func(o *plotting.Curves) { o.Lines[0].Name = "" }},
		{"Lines[0] (a) has 1 values for 2 places", func(o *plotting.Curves) { o.Lines[0].Values = o.Lines[0].Values[:1] }},
		{`two lines are named "a"`, func(o *plotting.Curves) { o.Lines = append(o.Lines, o.Lines[0]) }},
		{"value 1 is", func(o *plotting.Curves) { o.Lines[0].Values[1].Mean = inf }},
		{"value 0 is", func(o *plotting.Curves) { o.Lines[0].Values[0] = metrics.Spread{N: 2, Mean: 1, Min: nan, Max: 2} }},
		{"outside its range", func(o *plotting.Curves) { o.Lines[0].Values[0] = metrics.Spread{N: 2, Mean: 1, Min: 2, Max: 3} }},
		{"of 2 seeds, where Band says Exact", func(o *plotting.Curves) {
			o.Band, o.Lines[0].Values[0] = plotting.Exact, metrics.Spread{N: 2, Mean: 1, Min: 1, Max: 1}
		}},
		{"all are gaps", func(o *plotting.Curves) { o.Lines[0].Values = plotting.Once([]float64{nan, nan}) }},
		{"all are gaps", func(o *plotting.Curves) { o.N = []int{0, 0} }},
		{"Y runs from 3 to 2", func(o *plotting.Curves) { o.Y = plotting.Axis{Min: 3, Max: 2} }},
		{"At[1] is 1 after 2", func(o *plotting.Curves) { o.Bins, o.N, o.At = nil, nil, []float64{2, 1} }},
		{"At[0] is NaN", func(o *plotting.Curves) { o.Bins, o.N, o.At = nil, nil, []float64{nan, 1} }},
		{"At[0] is 0 on a logarithmic axis", func(o *plotting.Curves) { o.Bins, o.N, o.At, o.X.Log = nil, nil, []float64{0, 1}, true }},
		{"value 0 is", func(o *plotting.Curves) {
			o.Y = plotting.Axis{Log: true}
			o.Lines[0].Values = plotting.Once([]float64{0, 1})
		}},
		{"Marks[0] is at NaN", func(o *plotting.Curves) { o.Marks = []plotting.Mark{{At: nan}} }},
		{`mark "far" lies outside`, func(o *plotting.Curves) {
			o.Bins, o.N, o.At, o.Marks = nil, nil, []float64{1, 2}, []plotting.Mark{{At: 30, Label: "far"}}
		}},
		{"7 Marks", func(o *plotting.Curves) { o.Marks = make([]plotting.Mark, 7) }},
		{"8 different Lines: at most 7", func(o *plotting.Curves) {
			for _, name := range strings.Fields("b c d e f g h") {
				o.Lines = append(o.Lines, plotting.Line{Name: name, Values: o.Lines[0].Values})
			}
		}},
		{"do not fit", func(o *plotting.Curves) {
			o.Bins, _ = metrics.Bins(1, 100)
			for i := range o.Bins {
				o.Bins[i] = metrics.Bin{Low: 1_000_000 * i, High: 1_000_000*i + 999_999}
			}
			o.N, o.Lines[0].Values = make([]int, 100), plotting.Once(make([]float64, 100))
			o.N[3] = 1
		}},
	} {
		o := valid()
		c.edit(&o)
		_, err := o.Figure()
		wantError(t, err, c.want)
	}
}

func TestSeeds(t *testing.T) {
	nan := math.NaN()
	got, err := plotting.Seeds([][]float64{{1, nan, 5}, {3, nan, 5}})
	if err != nil {
		t.Fatal(err)
	}
	if got[0].N != 2 || got[0].Mean != 2 || got[0].Min != 1 || got[0].Max != 3 || got[1].N != 0 || got[2].Deviation != 0 {
		t.Errorf("%v", got)
	}
	for want, runs := range map[string][][]float64{
		"no runs":                                 nil,
		"run 1 has 1 values, run 0 has 2":         {{1, 2}, {1}},
		"value 1 is NaN in some runs":             {{1, 2}, {1, nan}},
		"place 0: metrics: value 0 of 1 is +Inf:": {{math.Inf(1)}},
	} {
		_, err := plotting.Seeds(runs)
		wantError(t, err, want)
	}
}

// What the band is, and of how many seeds, is said.
func TestCurvesNotes(t *testing.T) {
	spread := func(n int) []metrics.Spread { return []metrics.Spread{{N: n, Mean: 2, Min: 1, Max: 3, Deviation: 0.5}} }
	for _, c := range []struct {
		lines []plotting.Line
		band  plotting.Band
		n     int
		want  string
	}{
		{[]plotting.Line{{Name: "a", Values: spread(1)}}, plotting.Range, 4, "One seed, no band."},
		{[]plotting.Line{{Name: "a", Values: spread(5)}, {Name: "b", Values: spread(5)}}, plotting.Range, 4, "Lines: mean of 5 seeds; bands: lowest to highest."},
		{[]plotting.Line{{Name: "a", Values: spread(5)}, {Name: "b", Values: spread(3)}}, plotting.Deviation, 4, "Lines: mean of 3 to 5 seeds; bands: one standard deviation either side."},
		{[]plotting.Line{{Name: "a", Values: spread(1)}, {Name: "a", Shipped: true, Values: spread(5)}}, plotting.Range, 4, "One seed, no band. Pale: shipped results, mean of 5 seeds, band lowest to highest."},
		{[]plotting.Line{{Name: "a", Shipped: true, Values: spread(1)}}, plotting.Range, 4, "Pale: shipped results, one seed."},
		{[]plotting.Line{{Name: "a", Values: spread(1)}}, plotting.Exact, 4, "n: how many"},
	} {
		figure, err := plotting.Curves{Bins: bins("1-10"), N: []int{c.n}, Lines: c.lines, Band: c.band}.Figure()
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, l := range plotting.DrawnOf(figure).Labels {
			texts = append(texts, l.Text)
		}
		all := strings.Join(texts, " ")
		if !strings.Contains(all, c.want) {
			t.Errorf("no %q in %q", c.want, all)
		}
		if c.band == plotting.Exact && strings.Contains(all, "seed") {
			t.Errorf("exact values are of seeds: %q", all)
		}
	}
}

// Curves that end at the same height stand in the key in the order of their means, the others in that of their ends.
func TestCurvesKeyOrder(t *testing.T) {
	figure, err := plotting.Curves{Bins: bins("1-10,11-20,21-30"), N: []int{4, 4, 4}, Y: plotting.BLEU(), Lines: []plotting.Line{
		{Name: "worst", Values: plotting.Once([]float64{5, 2, 0})},
		{Name: "better", Values: plotting.Once([]float64{50, 20, 0})},
		{Name: "middle", Values: plotting.Once([]float64{20, 10, 0})},
		{Name: "best", Values: plotting.Once([]float64{10, 10, 10})},
	}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	height := map[string]float64{}
	for _, l := range plotting.DrawnOf(figure).Labels {
		height[l.Text] = l.Corners[0].Y
	}
	for i, names := 0, []string{"best", "better", "middle", "worst"}; i+1 < len(names); i++ {
		if height[names[i]] >= height[names[i+1]] { // counted from the top
			t.Errorf("%s stands at %v, not above %s at %v", names[i], height[names[i]], names[i+1], height[names[i+1]])
		}
	}
}

// A line's colour goes by its name where an order is given, whatever else is drawn.
func TestCurvesOrder(t *testing.T) {
	hue := func(order []string, names ...string) (hues []color.NRGBA) {
		t.Helper()
		c := plotting.Curves{Bins: bins("1-10,11-20"), N: []int{4, 4}, Y: plotting.BLEU(), Order: order}
		for i, name := range names {
			c.Lines = append(c.Lines, plotting.Line{Name: name, Values: plotting.Once([]float64{10 * float64(i+1), 10 * float64(i+1)})})
		}
		figure, err := c.Figure()
		if err != nil {
			t.Fatal(err)
		}
		var level []plotting.Segment
		for _, l := range plotting.DrawnOf(figure).Lines {
			if l.Width == 2 && l.From.Y == l.To.Y && l.To.X-l.From.X > 100 {
				level = append(level, l)
			}
		}
		slices.SortFunc(level, func(a, b plotting.Segment) int { return cmp.Compare(b.From.Y, a.From.Y) })
		for _, l := range level {
			hues = append(hues, l.Color)
		}
		return hues
	}
	all := hue(nil, "a", "b", "c", "d")
	for _, test := range []struct {
		order, names []string
		want         []color.NRGBA
	}{
		{nil, []string{"c", "d"}, all[:2]},
		{[]string{"a", "b", "c"}, []string{"c", "d", "a"}, []color.NRGBA{all[2], all[3], all[0]}},
		{[]string{"a", "a", "b"}, []string{"b", "x"}, []color.NRGBA{all[1], all[2]}},
	} {
		if got := hue(test.order, test.names...); !slices.Equal(got, test.want) {
			t.Errorf("in the order %v, %v have the colours %v, want %v", test.order, test.names, got, test.want)
		}
	}
}

// A bin without sentences has no value, whatever was put there: neither a 0 nor a line across it.
func TestEmptyBin(t *testing.T) {
	figure, err := plotting.Curves{Bins: bins("1-10,11-20,21-30"), N: []int{1, 0, 1}, Y: plotting.BLEU(),
		Lines: []plotting.Line{{Name: "a", Values: plotting.Once([]float64{80, 0, 40})}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range plotting.DrawnOf(figure).Lines {
		if long := math.Abs(l.To.X-l.From.X) > 50; long && l.Width == 2 {
			t.Errorf("a line from %v to %v", l.From, l.To)
		}
	}
	if strings.Contains(figure.Alt(), "11–20") {
		t.Errorf("%s", figure.Alt())
	}
}

// A mark at the end of a bin's lengths stands between the bins.
func TestMarkPlace(t *testing.T) {
	for at, want := range map[float64]float64{20.5: 1.5, 15.5: 1, 10.5: 0.5, 0.5: -0.5, 30.5: 2, 24: 1.675, 0: -0.5, 99: 2.5} {
		figure, err := plotting.Curves{Bins: bins("1-10,11-20,21-40"), N: []int{1, 1, 1}, Marks: []plotting.Mark{{At: at, Label: "m"}},
			Lines: []plotting.Line{{Name: "a", Values: plotting.Once([]float64{1, 2, 3})}}}.Figure()
		if err != nil {
			t.Fatal(err)
		}
		drawn := plotting.DrawnOf(figure)
		var ticks []float64
		for _, name := range []string{"1–10", "11–20"} {
			for _, l := range drawn.Labels {
				if l.Text == name {
					ticks = append(ticks, (l.Corners[0].X+l.Corners[1].X)/2)
				}
			}
		}
		for _, l := range drawn.Lines {
			if l.Width == 1 && l.From.X == l.To.X {
				if got := (l.From.X - ticks[0]) / (ticks[1] - ticks[0]); math.Abs(got-want) > 0.03 {
					t.Errorf("a mark at %g stands at %.2f, not %.2f", at, got, want)
				}
			}
		}
	}
}

// A description of one's own takes the place of the list of values.
func TestAlt(t *testing.T) {
	figure, err := plotting.Curves{Alt: "Two curves\nthat fall.", At: []float64{1}, Lines: []plotting.Line{{Name: "a", Values: plotting.Once([]float64{1})}}}.Figure()
	if err != nil || figure.Alt() != "Two curves that fall." {
		t.Errorf("%q: %v", figure.Alt(), err)
	}
}

// Where a range that was given cuts curves off, the figure says so.
func TestBeyond(t *testing.T) {
	for top, want := range map[float64]bool{1: true, 3: false} {
		y := plotting.Axis{Max: top}
		for name, k := range map[string]kind{
			"curves": plotting.Curves{At: []float64{1, 2}, Y: y, Lines: []plotting.Line{{Name: "a", Values: plotting.Once([]float64{0.5, 2})}}},
			"loss":   plotting.Loss{Y: y, Runs: []plotting.LossRun{{Name: "a", Train: []plotting.Point{{Update: 1, Loss: 2}, {Update: 2, Loss: 0.5}}}}},
		} {
			figure, err := k.Figure()
			if err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(plotting.DrawnOf(figure).Labels, func(l plotting.Label) bool { return strings.Contains(l.Text, "beyond the vertical axis") })
			if said != want {
				t.Errorf("%s up to %g: said to be cut off: %v", name, top, said)
			}
		}
	}
}
