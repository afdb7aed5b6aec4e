package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"seq2attn/pkg/metrics"
)

// Band says what the band around a curve is.
type Band int

const (
	// Range is from the lowest to the highest seed.
	Range Band = iota
	// Deviation is one sample standard deviation to either side of the mean.
	Deviation
	// Exact values are none of a seed, because nothing was drawn at random; so nothing is said of seeds.
	Exact
)

func (b Band) String() string {
	if b == Deviation {
		return "one standard deviation either side"
	}
	return "lowest to highest"
}

// Curves shows a measure of several models, against sentence length in bins or against anything else in numbers.
type Curves struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, the values are listed.
	Alt string

	// Bins are the length bins, left to right, and N the number of sentences in each, shown under it. Values of a bin with N 0 are
	// not drawn.
	Bins []metrics.Bin
	N    []int
	// At are the places of the values on the horizontal axis where they are not of bins; they must rise.
	At []float64

	X, Y  Axis
	Lines []Line
	// Order, where given, are names whose colours come in this order, be they drawn or not, so that a model has one colour in several
	// figures. The other lines' follow.
	Order []string
	Marks []Mark
	Band  Band
}

// Line is one curve: the means over seeds, with a band where there are several.
type Line struct {
	Name string
	// Values has one entry for each bin or place. An entry without seeds (N is 0) or whose mean is NaN is a gap.
	Values []metrics.Spread
	// Shipped results are drawn pale behind the others, in the colour of the line of the same name. Where they are of another test set
	// than N counts, say so in the caption.
	Shipped bool
}

// Once makes the values of a single run; NaN is a gap.
func Once(values []float64) []metrics.Spread {
	spreads := make([]metrics.Spread, len(values))
	for i, v := range values {
		if !math.IsNaN(v) {
			spreads[i] = metrics.Spread{N: 1, Mean: v, Min: v, Max: v, Deviation: math.NaN()}
		}
	}
	return spreads
}

// Seeds makes the values of several runs, runs[seed][place]. NaN is a gap, in all runs or in none.
func Seeds(runs [][]float64) ([]metrics.Spread, error) {
	if len(runs) == 0 {
		return nil, errors.New("plotting: seeds: no runs")
	}
	spreads := make([]metrics.Spread, len(runs[0]))
	for place := range spreads {
		var values []float64
		for seed, run := range runs {
			if len(run) != len(spreads) {
				return nil, fmt.Errorf("plotting: seeds: run %d has %d values, run 0 has %d", seed, len(run), len(spreads))
			}
			if math.IsNaN(run[place]) != math.IsNaN(runs[0][place]) {
				return nil, fmt.Errorf("plotting: seeds: value %d is NaN in some runs and not in run %d: a gap is one in all", place, seed)
			}
			values = append(values, run[place])
		}
		if math.IsNaN(values[0]) {
			continue
		}
		spread, err := metrics.Summarize(values)
		if err != nil {
			return nil, fmt.Errorf("plotting: seeds: place %d: %w", place, err)
		}
		spreads[place] = spread
	}
	return spreads, nil
}

// gap tells that nothing is drawn.
func gap(s metrics.Spread) bool { return s.N == 0 || math.IsNaN(s.Mean) }

// ends are the band's.
func (b Band) ends(s metrics.Spread) (low, high float64) {
	switch {
	case s.N < 2:
		return s.Mean, s.Mean
	case b == Deviation:
		return s.Mean - s.Deviation, s.Mean + s.Deviation
	}
	return s.Min, s.Max
}

func (o Curves) check() error {
	places := len(o.Bins)
	switch {
	case len(o.Bins) == 0 && len(o.At) == 0:
		return errors.New("plotting: curves: neither Bins nor At is given")
	case len(o.Bins) > 0 && len(o.At) > 0:
		return errors.New("plotting: curves: both Bins and At are given: values are of one or the other")
	case len(o.Bins) > 0 && len(o.N) != len(o.Bins):
		return fmt.Errorf("plotting: curves: N has %d entries for %d Bins", len(o.N), len(o.Bins))
	case len(o.At) > 0 && len(o.N) != 0 && len(o.N) != len(o.At):
		return fmt.Errorf("plotting: curves: N has %d entries for %d places in At", len(o.N), len(o.At))
	case len(o.Lines) == 0:
		return errors.New("plotting: curves: no Lines")
	}
	for i, n := range o.N {
		if n < 0 {
			return fmt.Errorf("plotting: curves: N[%d] is %d", i, n)
		}
	}
	for i, b := range o.Bins {
		if b.High < b.Low || i > 0 && b.Low <= o.Bins[i-1].High {
			return fmt.Errorf("plotting: curves: Bins[%d] is %v: bins rise from left to right and do not overlap", i, b)
		}
	}
	if len(o.At) > 0 {
		places = len(o.At)
		for i, x := range o.At {
			switch {
			case math.IsNaN(x) || math.IsInf(x, 0):
				return fmt.Errorf("plotting: curves: At[%d] is %g", i, x)
			case i > 0 && x <= o.At[i-1]:
				return fmt.Errorf("plotting: curves: At[%d] is %g after %g: places must rise", i, x, o.At[i-1])
			case o.X.Log && x <= 0:
				return fmt.Errorf("plotting: curves: At[%d] is %g on a logarithmic axis", i, x)
			}
		}
	}
	if err := errors.Join(o.X.check("curves: X"), o.Y.check("curves: Y")); err != nil {
		return err
	}
	drawn := false
	for i, l := range o.Lines {
		if l.Name == "" {
			return fmt.Errorf("plotting: curves: Lines[%d] has no Name", i)
		}
		if len(l.Values) != places {
			return fmt.Errorf("plotting: curves: Lines[%d] (%s) has %d values for %d places", i, l.Name, len(l.Values), places)
		}
		for _, other := range o.Lines[:i] {
			if other.Name == l.Name && other.Shipped == l.Shipped {
				return fmt.Errorf("plotting: curves: two lines are named %q", l.Name)
			}
		}
		for k, v := range l.Values {
			if gap(v) {
				continue
			}
			if o.Band == Exact && v.N > 1 {
				return fmt.Errorf("plotting: curves: Lines[%d] (%s): value %d is of %d seeds, where Band says Exact", i, l.Name, k, v.N)
			}
			low, high := o.Band.ends(v)
			for _, x := range []float64{v.Mean, low, high} {
				if math.IsInf(x, 0) || math.IsNaN(x) || o.Y.Log && x <= 0 {
					return fmt.Errorf("plotting: curves: Lines[%d] (%s): value %d is %v", i, l.Name, k, v)
				}
			}
			if low > v.Mean || high < v.Mean {
				return fmt.Errorf("plotting: curves: Lines[%d] (%s): the mean of value %d is outside its range: %v", i, l.Name, k, v)
			}
			drawn = drawn || k >= len(o.N) || o.N[k] > 0
		}
	}
	if !drawn {
		return errors.New("plotting: curves: Lines have no value to draw: all are gaps")
	}
	if _, n := o.names(); n > maxLines {
		return fmt.Errorf("plotting: curves: %d different Lines: at most %d can be told apart, make two figures", n, maxLines)
	}
	if len(o.Marks) > maxMarks {
		return fmt.Errorf("plotting: curves: %d Marks: at most %d have room", len(o.Marks), maxMarks)
	}
	for i, m := range o.Marks {
		if math.IsNaN(m.At) || math.IsInf(m.At, 0) || o.X.Log && m.At <= 0 {
			return fmt.Errorf("plotting: curves: Marks[%d] is at %g", i, m.At)
		}
	}
	return nil
}

// names numbers the lines, by Order and by their own: those of one name have one number.
func (o Curves) names() (number []int, n int) {
	seen := map[string]int{}
	for _, name := range o.Order {
		if _, ok := seen[name]; !ok {
			seen[name] = len(seen)
		}
	}
	for _, l := range o.Lines {
		if _, ok := seen[l.Name]; !ok {
			seen[l.Name] = len(seen)
		}
		number = append(number, seen[l.Name])
	}
	return number, len(seen)
}

// Figure draws the curves. The error names the option that is wrong.
func (o Curves) Figure() (*Figure, error) { return newFigure(o.draw) }

func (o Curves) draw(t *press, room vg.Point) (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(o.N) > 0 { // nothing was measured where there was nothing to measure
		lines := make([]Line, len(o.Lines))
		for i, l := range o.Lines {
			values := append([]metrics.Spread(nil), l.Values...)
			for k := range values {
				if o.N[k] == 0 {
					values[k] = metrics.Spread{}
				}
			}
			l.Values = values
			lines[i] = l
		}
		o.Lines = lines
	}
	x, places, ticks := o.horizontal()
	f := newFrame(t, x, o.vertical(), ticks)
	for i, n := range o.N {
		f.counts = append(f.counts, count{places[i], decimal(float64(n), 0)})
	}
	for _, m := range o.Marks {
		f.marks = append(f.marks, Mark{o.place(m.At), m.Label})
	}
	for _, m := range f.marks {
		if m.At < x.Min || m.At > x.Max {
			return nil, fmt.Errorf("plotting: curves: the mark %q lies outside the horizontal axis", m.Label)
		}
	}
	number, _ := o.names()
	var live, shipped []painter
	keyed, means := map[string]bool{}, map[string]float64{}
	for _, pass := range []bool{false, true} {
		for i, l := range o.Lines {
			if l.Shipped != pass {
				continue
			}
			look := look{press: t, hue: number[i], pale: l.Shipped}
			paint := look.curve(places, l.Values, o.Band)
			if l.Shipped {
				shipped = append(shipped, paint...)
			} else {
				live = append(live, paint...)
			}
			if !keyed[l.Name] {
				keyed[l.Name] = true
				f.keys = append(f.keys, key{l.Name, look.sample, lastMean(l.Values)})
				means[l.Name] = meanOf(l.Values)
			}
		}
	}
	// Curves that end at the same height are named in the order of their means.
	slices.SortStableFunc(f.keys, func(a, b key) int { return cmp.Compare(means[b.name], means[a.name]) })
	if len(live) > 0 && len(shipped) > 0 {
		f.keys = append(f.keys, key{"shipped results", look{press: t, hue: 4, pale: true}.sample, math.NaN()})
	}
	for _, p := range append(shipped, live...) {
		f.plot.Add(p)
	}
	figure := &Figure{title: o.Title, notes: o.notes(), alt: cmp.Or(o.Alt, o.describe()), press: t}
	f.fill(figure, room)
	if figure.body.width > max(maxWidth, room.X) {
		return nil, fmt.Errorf("plotting: curves: %d places do not fit side by side with their labels: take fewer bins", len(places))
	}
	return figure.finish(), nil
}

// horizontal gives the axis, the places of the values on it, and ticks for bins.
func (o Curves) horizontal() (Axis, []float64, plot.ConstantTicks) {
	if len(o.At) > 0 {
		x := o.X
		if !x.fixed() {
			low, high := o.At[0], o.At[len(o.At)-1]
			if x.Log || low == high {
				x = x.cover(low, high)
			} else {
				room := (high - low) / 40
				x.Min, x.Max = low-room, high+room
			}
		}
		return x, o.At, o.ticksAt(x)
	}
	x := o.X
	x.Min, x.Max, x.Log = -0.5, float64(len(o.Bins))-0.5, false
	places := make([]float64, len(o.Bins))
	ticks := make(plot.ConstantTicks, len(o.Bins))
	for i, b := range o.Bins {
		places[i] = float64(i)
		ticks[i] = plot.Tick{Value: float64(i), Label: binName(b)}
	}
	return x, places, ticks
}

// ticksAt marks the places themselves where they are few and far enough from each other, and leaves the choice open otherwise.
func (o Curves) ticksAt(x Axis) (ticks plot.ConstantTicks) {
	norm := plot.LinearScale{}.Normalize
	if x.Log {
		norm = plot.LogScale{}.Normalize
	}
	const perLetter = 0.55 * float64(tickSize/(9*vg.Centimeter))
	const beyond = 0.04 // what a label may reach beyond the axis
	end := -beyond - perLetter
	for _, v := range o.At {
		tick := plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)}
		if v == math.Trunc(v) {
			tick.Label = decimal(v, 0)
		}
		middle, half := norm(x.Min, x.Max, v), perLetter*float64(len(tick.Label))/2
		if middle-half < end+perLetter {
			return nil
		}
		end = middle + half
		ticks = append(ticks, tick)
	}
	if end > 1+beyond {
		return nil
	}
	return ticks
}

// binName has an en dash, as ranges do in print.
func binName(b metrics.Bin) string { return strings.Replace(b.String(), "-", "–", 1) }

// place is where a length lies among equally wide bins.
func (o Curves) place(length float64) float64 {
	if len(o.Bins) == 0 {
		return length
	}
	for i, b := range o.Bins {
		low, high := float64(b.Low)-0.5, float64(b.High)+0.5
		if length <= high {
			// A length between two bins, or before the first, is on the border.
			return float64(i) - 0.5 + max(0, (length-low)/(high-low))
		}
	}
	return float64(len(o.Bins)) - 0.5
}

func (o Curves) vertical() Axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range o.Lines {
		for _, v := range l.Values {
			if !gap(v) {
				l, h := o.Band.ends(v)
				low, high = min(low, l), max(high, h)
			}
		}
	}
	return o.Y.cover(low, high)
}

func lastMean(values []metrics.Spread) float64 {
	last := math.NaN()
	for _, v := range values {
		if !gap(v) {
			last = v.Mean
		}
	}
	return last
}

// meanOf is the mean of a line's values, NaN where it has none.
func meanOf(values []metrics.Spread) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !gap(v) {
			sum, n = sum+v.Mean, n+1
		}
	}
	return sum / float64(n)
}

// look is how a curve is drawn.
type look struct {
	*press
	hue  int
	pale bool
}

func (l look) line() draw.LineStyle {
	s := draw.LineStyle{Color: l.hues[l.hue], Width: 2}
	if l.pale {
		s.Color, s.Width = faded(l.hues[l.hue], 0.45), 1.5
	}
	return s
}

func (l look) bandColor() (opacity float64) {
	if l.pale {
		return 0.13
	}
	return 0.2
}

const markerRadius = vg.Length(3.8)

// curve draws bands first, so that no curve is covered, then the line, broken at gaps, then markers.
func (l look) curve(places []float64, values []metrics.Spread, band Band) []painter {
	var runs [][]int
	for i, v := range values {
		switch {
		case gap(v):
		case i > 0 && !gap(values[i-1]):
			runs[len(runs)-1] = append(runs[len(runs)-1], i)
		default:
			runs = append(runs, []int{i})
		}
	}
	bands := func(c draw.Canvas, p *plot.Plot) {
		x, y := p.Transforms(&c)
		for _, run := range runs {
			var up, down []vg.Point
			for _, i := range run {
				low, high := band.ends(values[i])
				up = append(up, vg.Point{X: x(places[i]), Y: y(high)})
				down = append(down, vg.Point{X: x(places[i]), Y: y(low)})
			}
			if len(run) == 1 { // alone between gaps, a band has no width
				wide := vg.Point{X: 3}
				up, down = []vg.Point{up[0].Sub(wide), up[0].Add(wide)}, []vg.Point{down[0].Sub(wide), down[0].Add(wide)}
			}
			for i := range down {
				up = append(up, down[len(down)-1-i])
			}
			c.FillPolygon(faded(l.hues[l.hue], l.bandColor()), c.ClipPolygonXY(up))
		}
	}
	lines := func(c draw.Canvas, p *plot.Plot) {
		x, y := p.Transforms(&c)
		for _, run := range runs {
			var points []vg.Point
			for _, i := range run {
				points = append(points, vg.Point{X: x(places[i]), Y: y(values[i].Mean)})
			}
			c.StrokeLines(l.line(), c.ClipLinesXY(points)...)
			for _, at := range points {
				if c.Contains(at) && (!l.pale || len(run) == 1) {
					l.mark(&c, at)
				}
			}
		}
	}
	return []painter{bands, lines}
}

func (l look) mark(c *draw.Canvas, at vg.Point) {
	if l.pale {
		c.SetColor(faded(l.hues[l.hue], 0.45))
		c.Fill(marker(l.hue, at, markerRadius*0.7))
		return
	}
	l.drawMarker(c, l.hue, at, markerRadius)
}

// sample draws a piece of the curve for the key.
func (l look) sample(c *draw.Canvas, from, to vg.Point) {
	if l.pale {
		half := vg.Point{Y: 4}
		c.FillPolygon(faded(l.hues[l.hue], l.bandColor()), []vg.Point{from.Sub(half), to.Sub(half), to.Add(half), from.Add(half)})
	}
	c.StrokeLines(l.line(), []vg.Point{from, to})
	if !l.pale {
		l.mark(c, from.Add(to).Scale(0.5))
	}
}

// beyondNote is said where a range that was given cuts curves off.
const beyondNote = "Some values lie beyond the vertical axis."

// notes are the caption and what the marks mean.
func (o Curves) notes() []string {
	var notes []string
	if o.Caption != "" {
		notes = append(notes, o.Caption)
	}
	for _, shipped := range []bool{false, true} {
		least, most, named := math.MaxInt, 0, 0
		for _, l := range o.Lines {
			if l.Shipped != shipped {
				continue
			}
			named++
			n := 0
			for _, v := range l.Values {
				n = max(n, v.N)
			}
			least, most = min(least, n), max(most, n)
		}
		if named == 0 {
			continue
		}
		seeds := fmt.Sprintf("%d seeds", most)
		if least != most {
			seeds = fmt.Sprintf("%d to %d seeds", least, most)
		}
		switch {
		case shipped && most == 1:
			notes = append(notes, "Pale: shipped results, one seed.")
		case shipped:
			notes = append(notes, fmt.Sprintf("Pale: shipped results, mean of %s, band %v.", seeds, o.Band))
		case o.Band == Exact:
		case most == 1:
			notes = append(notes, "One seed, no band.")
		default:
			notes = append(notes, fmt.Sprintf("Lines: mean of %s; bands: %v.", seeds, o.Band))
		}
	}
	if slices.ContainsFunc(o.Lines, func(l Line) bool {
		return slices.ContainsFunc(l.Values, func(v metrics.Spread) bool { return !gap(v) && o.Y.beyond(v.Mean) })
	}) {
		notes = append(notes, beyondNote)
	}
	switch {
	case slices.Contains(o.N, 0):
		notes = append(notes, "n: how many there are of each length; no value where it is 0.")
	case o.N != nil:
		notes = append(notes, "n: how many there are of each length.")
	}
	return notes
}

// describe lists the values.
func (o Curves) describe() string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	fmt.Fprintf(&b, "Curves of %s against %s.", cmp.Or(o.Y.Label, "a measure"), cmp.Or(o.X.Label, "a number"))
	for _, l := range o.Lines {
		b.WriteString(" " + l.Name)
		if l.Shipped {
			b.WriteString(" (shipped)")
		}
		separator := ": "
		for i, v := range l.Values {
			if gap(v) {
				continue
			}
			at := ""
			if len(o.Bins) > 0 {
				at = binName(o.Bins[i])
			} else {
				at = short(o.At[i])
			}
			fmt.Fprintf(&b, "%s%s at %s", separator, short(v.Mean), at)
			separator = ", "
		}
		b.WriteString(".")
	}
	for _, m := range o.Marks {
		fmt.Fprintf(&b, " A vertical line at %s: %s.", short(m.At), m.Label)
	}
	return b.String()
}

// short is a number to three figures, as in a sentence.
func short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || v == math.Trunc(v):
		return decimal(v, 0)
	case a >= 10:
		return decimal(v, 1)
	case a >= 0.1:
		return decimal(v, 2)
	}
	return fmt.Sprintf("%.3g", v)
}
