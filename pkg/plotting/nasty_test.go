package plotting_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
)

// nastyWords are labels that have gone wrong in figures: of every script, combined, empty, endless, or with a meaning in a format.
var nastyWords = []string{"a", "I", "été", "cafe\u0301", "Donaudampfschifffahrtsgesellschaftskapitän", "我喜欢红色的船", "船", "日本語テキスト", "한국어", "שלום", "עברית", "سلام", "المنطقة", "ψυχή", "Привет", "ё", "e\u0323\u0302", "▁the", "<unk>", "", " ", "\n", "a\tb", "x_1", "_", "$5", "100%", "\\textbf{a}", "{", "&amp;", "\"q\"", "'", "…", "—", "🙂", "\x00", "\xff", "ﬁ", "Ａ", "ı", "İ", "ß", "नमस्ते", "ไทย", "a\u200db", "\u202eabc", "A\u0301\u0302\u0303\u0304\u0305", strings.Repeat("W", 60), strings.Repeat("i", 200), strings.Repeat("ab cd ", 30)}

// nasty makes figures that nobody would ask for.
type nasty struct{ *rand.Rand }

func (r nasty) word() string { return nastyWords[r.IntN(len(nastyWords))] }
func (r nasty) words(n int) []string {
	w := make([]string, n)
	simple := r.IntN(2) == 0
	for i := range w {
		if w[i] = r.word(); simple {
			w[i] = []string{"the", "agreement", "on", "European", "area", "was", "signed", "."}[r.IntN(8)]
		}
	}
	return w
}
func (r nasty) text() string {
	if r.IntN(3) == 0 {
		return ""
	}
	return strings.Join(r.words(1+r.IntN(6)), " ")
}
func (r nasty) number() float64 {
	switch r.IntN(12) {
	case 0:
		return 0
	case 1:
		return math.NaN()
	case 2:
		return -r.Float64() * 100
	case 3:
		return 1e-9 * r.Float64()
	case 4:
		return 1e9 * r.Float64()
	case 5:
		return 50
	}
	return 100 * r.Float64()
}
func (r nasty) size() int { return []int{1, 1, 2, 3, 5, 8, 12, 13, 24, 25, 40, 60, 100}[r.IntN(13)] }
func (r nasty) spread() metrics.Spread {
	v := r.number()
	if math.IsNaN(v) {
		return metrics.Spread{}
	}
	if r.IntN(2) == 0 {
		return metrics.Spread{N: 1, Mean: v, Min: v, Max: v, Deviation: math.NaN()}
	}
	d := math.Abs(v) * r.Float64()
	return metrics.Spread{N: 3, Mean: v, Min: v - d, Max: v + d/2, Deviation: d / 2}
}
func (r nasty) spreads(n int) []metrics.Spread {
	s := make([]metrics.Spread, n)
	for i := range s {
		s[i] = r.spread()
	}
	return s
}
func (r nasty) axis() plotting.Axis {
	a := plotting.Axis{Label: r.text()}
	switch r.IntN(5) {
	case 0:
		a.Log = true
	case 1:
		a.Max = 100
	case 2:
		a.Min, a.Max = -1, 1
	}
	return a
}
func (r nasty) names(n int) []string {
	w := r.words(n)
	for i := range w {
		w[i] += fmt.Sprint(" ", i)
	}
	return w
}
func (r nasty) heatmap() plotting.Heatmap {
	n, m := r.size(), r.size()
	w := make([][]float64, n+r.IntN(2))
	cols := m + r.IntN(2)
	for i := range w {
		w[i] = make([]float64, cols)
		for j := range w[i] {
			switch r.IntN(4) {
			case 0:
				w[i][j] = r.Float64()
			case 1:
				w[i][j] = 1
			}
		}
	}
	h := plotting.Heatmap{Title: r.text(), Caption: r.text(), Source: r.words(m), Target: r.words(n), Weights: w, HideEnd: r.IntN(3) == 0, Numbers: r.IntN(3) == 0, SourceName: r.text(), TargetName: r.text(), WeightName: r.text()}
	for range r.IntN(3) {
		h.Gold = append(h.Gold, corpus.Link{Source: r.IntN(m), Target: r.IntN(n), Possible: r.IntN(2) == 0})
		h.Highlight = append(h.Highlight, plotting.Cell{Row: r.IntN(n), Column: r.IntN(m)})
		h.HighlightName = r.text()
	}
	return h
}
func (r nasty) curves() plotting.Curves {
	n := 1 + r.IntN(9)
	c := plotting.Curves{Title: r.text(), Caption: r.text(), X: r.axis(), Y: r.axis()}
	c.X.Min, c.X.Max = 0, 0
	if r.IntN(2) == 0 {
		at := math.Abs(r.number())
		for i := range n {
			if math.IsNaN(at) {
				at = 3
			}
			c.At = append(c.At, at)
			at += 0.001 + math.Abs(r.Float64()*100)
			_ = i
		}
	} else {
		c.X.Log = false
		for i := range n {
			c.Bins = append(c.Bins, metrics.Bin{Low: 10*i + 1, High: 10*i + 10})
			c.N = append(c.N, r.IntN(3)*r.IntN(100000))
		}
	}
	for i := range 1 + r.IntN(7) {
		c.Lines = append(c.Lines, plotting.Line{Name: r.word() + fmt.Sprint(" ", i), Values: r.spreads(n), Shipped: r.IntN(4) == 0})
	}
	for range r.IntN(4) {
		low, high := 1.0, 10.0*float64(n)
		if c.At != nil {
			low, high = c.At[0], c.At[n-1]
		}
		c.Marks = append(c.Marks, plotting.Mark{At: low + (high-low)*r.Float64(), Label: r.text()})
	}
	return c
}
func (r nasty) make() (string, kind) {
	switch r.IntN(6) {
	case 0, 1:
		return "heatmap", r.heatmap()
	case 2:
		return "curves", r.curves()
	case 3:
		n := 1 + r.IntN(8)
		b := plotting.Bars{Title: r.text(), Caption: r.text(), Groups: r.names(n), X: r.text(), Y: r.axis()}
		for i := range 1 + r.IntN(7) {
			b.Series = append(b.Series, plotting.Series{Name: r.word() + fmt.Sprint(" ", i), Values: r.spreads(n)})
		}
		if r.IntN(2) == 0 {
			for range n {
				b.N = append(b.N, r.IntN(100000))
			}
		}
		return "bars", b
	case 4:
		n, m := min(r.size(), 40), min(r.size(), 40)
		x := plotting.Matrix{Title: r.text(), Caption: r.text(), Rows: r.names(n), Columns: r.names(m), RowsName: r.text(), ColumnsName: r.text(), Scale: plotting.Axis{Label: r.text()}}
		for range n {
			row := make([]float64, m)
			for j := range row {
				row[j] = r.number()
			}
			x.Values = append(x.Values, row)
		}
		return "matrix", x
	}
	l := plotting.Loss{Title: r.text(), Caption: r.text(), Y: r.axis(), Updates: r.IntN(3) * 1000}
	for i := range 1 + r.IntN(4) {
		run := plotting.LossRun{Name: r.word() + fmt.Sprint(" ", i)}
		for u := range r.IntN(300) {
			v := math.Abs(r.number())
			run.Train = append(run.Train, plotting.Point{Update: u + 1, Loss: v})
			if u%10 == 9 {
				run.Dev = append(run.Dev, plotting.Point{Update: u + 1, Loss: v})
			}
		}
		l.Runs = append(l.Runs, run)
	}
	return "loss", l
}

// Whatever is in a figure, there is an error that says what is wrong, or a page in every format; and no label of a matrix meets another.
func TestNasty(t *testing.T) {
	pages := [][]plotting.Option{nil, {plotting.In(plotting.Slide), plotting.DPI(48)}, {plotting.Size(8, 6)}, {plotting.Size(0, 20)}, {plotting.Size(12, 0), plotting.In(plotting.Dark)},
		{plotting.Pixels(1280, 720), plotting.In(plotting.DarkSlide)}, {plotting.Size(40, 10), plotting.Transparent()}}
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	drawn := 0
	for seed := range seeds {
		r := nasty{rand.New(rand.NewPCG(seed, 7))}
		name, k := r.make()
		t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
			figure, err := k.Figure()
			if err != nil {
				if !strings.HasPrefix(err.Error(), "plotting: "+name+": ") {
					t.Errorf("an error that does not name its figure: %v", err)
				}
				return
			}
			drawn++
			page := pages[r.IntN(len(pages))]
			if name == "heatmap" || name == "matrix" {
				layout(t, plotting.DrawnOf(figure), true)
				layout(t, plotting.DrawnOf(figure, page...), true)
			}
			for _, extension := range []string{".png", ".svg", ".pdf", ".tex"} {
				if _, err := plotting.FileOf(figure, extension, page...); err != nil {
					t.Errorf("%s: %v", extension, err)
				}
			}
		})
	}
	if drawn < int(seeds)/2 {
		t.Errorf("only %d of %d inputs were drawn", drawn, seeds)
	}
}
