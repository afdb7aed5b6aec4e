package plotting_test

import (
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/plotting"
)

// No label leaves the page or meets another, and none of the axes and keys meets anything that is drawn.
func TestLayout(t *testing.T) {
	for name, k := range figures() {
		t.Run(name, func(t *testing.T) {
			figure, err := k.Figure()
			if err != nil {
				t.Fatal(err)
			}
			overCells := strings.HasPrefix(name, "heatmap") || strings.HasPrefix(name, "matrix") || name == "diagram"
			layout(t, plotting.DrawnOf(figure), overCells)
			for _, page := range [][]plotting.Option{{plotting.In(plotting.Slide)}, {plotting.Size(8, 6)}, {plotting.Size(0, 30)}, {plotting.Pixels(600, 600)}, {plotting.Size(40, 10)}} {
				layout(t, plotting.DrawnOf(figure, page...), overCells)
			}
		})
	}
}

func layout(t *testing.T, drawn plotting.Drawn, overCells bool) {
	t.Helper()
	for i, l := range drawn.Labels {
		for _, c := range l.Corners {
			if c.X < 0 || c.Y < 0 || c.X > drawn.Width || c.Y > drawn.Height {
				t.Errorf("%q reaches to %.1f, %.1f on a page of %.1f × %.1f", l.Text, c.X, c.Y, drawn.Width, drawn.Height)
				break
			}
		}
		for _, other := range drawn.Labels[:i] {
			if meet(l.Corners[:], other.Corners[:]) {
				t.Errorf("%q and %q overlap: %.1f and %.1f", l.Text, other.Text, l.Corners, other.Corners)
			}
		}
		if overCells {
			continue // their numbers lie on the cells
		}
		for _, s := range drawn.Lines {
			if meet(l.Corners[:], []plotting.Spot{s.From, s.To}) {
				t.Errorf("%q lies on a line %v", l.Text, s)
				break
			}
		}
		for _, fill := range drawn.Fills {
			if inside(l.Corners[0], fill) {
				t.Errorf("%q lies on a filled area", l.Text)
			}
		}
	}
}

// meet tells whether two convex shapes overlap: no side of either has all of the other beyond it.
func meet(a, b []plotting.Spot) bool {
	for _, shape := range [][]plotting.Spot{a, b} {
		for i := range shape {
			p, q := shape[i], shape[(i+1)%len(shape)]
			nx, ny := p.Y-q.Y, q.X-p.X
			extent := func(spots []plotting.Spot) (low, high float64) {
				low, high = math.Inf(1), math.Inf(-1)
				for _, s := range spots {
					d := nx*s.X + ny*s.Y
					low, high = min(low, d), max(high, d)
				}
				return low, high
			}
			aLow, aHigh := extent(a)
			bLow, bHigh := extent(b)
			if aHigh <= bLow || bHigh <= aLow {
				return false
			}
		}
	}
	return true
}

// inside tells whether a spot is within a closed outline, by the edges that a ray from it crosses.
func inside(s plotting.Spot, outline []plotting.Spot) bool {
	in := false
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		if (p.Y > s.Y) != (q.Y > s.Y) && s.X < p.X+(s.Y-p.Y)/(q.Y-p.Y)*(q.X-p.X) {
			in = !in
		}
	}
	return in
}

func TestMeet(t *testing.T) {
	square := func(x, y float64) []plotting.Spot {
		return []plotting.Spot{{X: x, Y: y}, {X: x + 1, Y: y}, {X: x + 1, Y: y + 1}, {X: x, Y: y + 1}}
	}
	tilted := []plotting.Spot{{X: 1.2, Y: 0}, {X: 2.2, Y: 1}, {X: 2, Y: 1.2}, {X: 1, Y: 0.2}}
	for _, c := range []struct {
		a, b []plotting.Spot
		want bool
	}{
		{square(0, 0), square(0.5, 0.5), true},
		{square(0, 0), square(1, 0), false},
		{square(0, 0), tilted, false},
		{square(1.5, 0.2), tilted, true},
		{square(0, 0), []plotting.Spot{{X: -1, Y: 0.5}, {X: 2, Y: 0.5}}, true},
		{square(0, 0), []plotting.Spot{{X: -1, Y: 1.5}, {X: 2, Y: 1.5}}, false},
	} {
		if got := meet(c.a, c.b); got != c.want {
			t.Errorf("meet(%v, %v) = %v", c.a, c.b, got)
		}
	}
}

// Labels of every length are whole on an image of bounded size.
func TestLongWords(t *testing.T) {
	words := strings.Fields(strings.Repeat("Donaudampfschifffahrt ", 25))
	figure, err := plotting.Heatmap{Source: words, Target: words, Weights: rows(25, 25, 0.04)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	drawn := plotting.DrawnOf(figure)
	layout(t, drawn, true)
	whole := 0
	for _, l := range drawn.Labels {
		if l.Text == "Donaudampfschifffahrt" {
			whole++
		}
	}
	if whole != 50 || len(figure.Warnings()) > 0 {
		t.Errorf("%d of 50 labels are whole, warnings %q", whole, figure.Warnings())
	}
	if drawn.Width > 800 || drawn.Height > 800 {
		t.Errorf("the page is %.0f × %.0f points", drawn.Width, drawn.Height)
	}

	// What no page could hold is shortened, and said.
	endless := strings.Repeat("Rhabarberbarbara", 20)
	figure, err = plotting.Heatmap{Source: []string{"a", endless}, Target: []string{endless, "b"}, Weights: rows(2, 2, 0.5)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	drawn = plotting.DrawnOf(figure)
	layout(t, drawn, true)
	if len(figure.Warnings()) != 1 || !strings.Contains(figure.Warnings()[0], endless) || drawn.Width > 600 {
		t.Errorf("page of %.0f points, warnings %q", drawn.Width, figure.Warnings())
	}
}

// Text of any length stays on the page, in whatever place and script: broken into lines, or shortened, which is said.
func TestLongTexts(t *testing.T) {
	line := func(name string) []plotting.Line {
		return []plotting.Line{{Name: name, Values: plotting.Once([]float64{1, 2})}}
	}
	series := func(name string) []plotting.Series {
		return []plotting.Series{{Name: name, Values: plotting.Once([]float64{1, 2})}}
	}
	at, two, half := []float64{1, 2}, []string{"a", "b"}, rows(2, 2, 0.5)
	falls := []plotting.Point{{Update: 1, Loss: 2}, {Update: 2, Loss: 1}}
	for _, text := range []string{strings.Repeat("Donaudampf", 12), strings.Repeat("我喜欢红色的船", 20), strings.Repeat("a text of many words ", 9), "one\nand another line"} {
		for place, k := range map[string]kind{
			"title":           plotting.Curves{Title: text, At: at, Lines: line("a")},
			"caption":         plotting.Curves{Caption: text, At: at, Lines: line("a")},
			"X":               plotting.Curves{X: plotting.Axis{Label: text}, At: at, Lines: line("a")},
			"Y":               plotting.Curves{Y: plotting.Axis{Label: text}, At: at, Lines: line("a")},
			"name":            plotting.Curves{At: at, Lines: line(text)},
			"mark":            plotting.Curves{At: at, Lines: line("a"), Marks: []plotting.Mark{{At: 1.5, Label: text}}},
			"group":           plotting.Bars{Groups: []string{text, "b"}, Series: series("a")},
			"series":          plotting.Bars{Groups: two, Series: series(text)},
			"run":             plotting.Loss{Runs: []plotting.LossRun{{Name: text, Train: falls}}},
			"heatmap title":   plotting.Heatmap{Title: text, Source: two, Target: two, Weights: half},
			"heatmap caption": plotting.Heatmap{Caption: text, Source: two, Target: two, Weights: half},
			"heatmap source":  plotting.Heatmap{SourceName: text, Source: two, Target: two, Weights: half},
			"heatmap target":  plotting.Heatmap{TargetName: text, Source: two, Target: two, Weights: half},
			"heatmap weight":  plotting.Heatmap{WeightName: text, Source: two, Target: two, Weights: half},
			"matrix rows":     plotting.Matrix{RowsName: text, Rows: two, Columns: two, Values: half},
			"matrix scale":    plotting.Matrix{Scale: plotting.Axis{Label: text}, Rows: two, Columns: two, Values: half},
			"ring":            plotting.Heatmap{Highlight: []plotting.Cell{{}}, HighlightName: text, Source: two, Target: two, Weights: half},
		} {
			t.Run(place, func(t *testing.T) {
				figure, err := k.Figure()
				if err != nil {
					t.Fatal(err)
				}
				drawn := plotting.DrawnOf(figure)
				layout(t, drawn, strings.HasPrefix(place, "heatmap") || strings.HasPrefix(place, "matrix") || place == "ring")
				if drawn.Width > 600 || drawn.Height > 600 {
					t.Errorf("the page is %.0f × %.0f points", drawn.Width, drawn.Height)
				}
				letters := ""
				for _, l := range drawn.Labels {
					letters += l.Text
				}
				whole := strings.Contains(strings.ReplaceAll(letters, " ", ""), strings.Join(strings.Fields(text), ""))
				if said := strings.Contains(strings.Join(figure.Warnings(), " "), "shortened"); whole == said {
					t.Errorf("whole: %v, said to be shortened: %v", whole, said)
				}
			})
		}
	}
}

// Places with many digits get whole ticks: those of the axis, where their own have no room.
func TestLongTicks(t *testing.T) {
	for _, at := range [][]float64{{0.22184661082498652, 13.055084380057135}, {1.0 / 3}, {1e6, 2e6}, {123456789, 987654321}} {
		for _, log := range []bool{false, true} {
			figure, err := plotting.Curves{At: at, X: plotting.Axis{Log: log}, Lines: []plotting.Line{{Name: "a", Values: plotting.Once(at)}}}.Figure()
			if err != nil {
				t.Fatal(err)
			}
			layout(t, plotting.DrawnOf(figure), false)
		}
	}
}

func rows(n, columns int, weight float64) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, columns)
		for j := range all[i] {
			all[i][j] = weight
		}
	}
	return all
}

// Sizes between one word and as many as are allowed.
func TestSizes(t *testing.T) {
	word := func(n int) []string {
		some := strings.Fields("a résumé internationalisation I of western")
		all := make([]string, n)
		for i := range all {
			all[i] = some[i%len(some)]
		}
		return all
	}
	for _, size := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {1, 60}, {60, 1}, {7, 24}, {24, 25}, {100, 100}, {100, 3}} {
		for _, numbers := range []bool{false, true} {
			figure, err := plotting.Heatmap{Title: "A title that is longer than a matrix of one word is wide", Source: word(size[1]), Target: word(size[0]),
				Weights: rows(size[0], size[1], 1/float64(size[1])), Numbers: numbers}.Figure()
			if err != nil {
				t.Fatal(err)
			}
			layout(t, plotting.DrawnOf(figure), true)
		}
	}
}

// Marks that stand close together keep their labels apart.
func TestMarks(t *testing.T) {
	for _, marks := range [][]plotting.Mark{
		{{At: 2, Label: "a label"}, {At: 2.2, Label: "another label"}},
		{{At: 1, Label: "at the very beginning"}, {At: 9, Label: "at the very end"}},
		{{At: 5, Label: "one"}, {At: 5.3, Label: "two that is long"}, {At: 5.6, Label: "three that is longer"}, {At: 5.9, Label: "four"}},
		{{At: 1.5, Label: "under the label of the axis"}},
	} {
		figure, err := plotting.Curves{At: []float64{1, 5, 9}, X: plotting.Axis{Label: "x"}, Y: plotting.Axis{Label: "a measure with a long name"},
			Lines: []plotting.Line{{Name: "line", Values: plotting.Once([]float64{1, 2, 3})}}, Marks: marks}.Figure()
		if err != nil {
			t.Fatal(err)
		}
		layout(t, plotting.DrawnOf(figure), false)
	}
}
