package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"seq2attn/pkg/metrics"
)

// Bars compares models in groups of bars, with whiskers over seeds.
type Bars struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, the values are listed.
	Alt string

	// Groups label the groups from left to right, and N, where given, says how much stands behind each.
	Groups []string
	N      []int
	Series []Series
	// X names the groups, Y is the measure; bars stand on 0, which is part of the axis.
	X    string
	Y    Axis
	Band Band
}

// Series is one model's bar in every group.
type Series struct {
	Name string
	// Values has one entry for each group; one without seeds (N is 0) or whose mean is NaN has no bar.
	Values []metrics.Spread
}

func (o Bars) check() error {
	switch {
	case len(o.Groups) == 0:
		return errors.New("plotting: bars: no Groups")
	case len(o.Series) == 0:
		return errors.New("plotting: bars: no Series")
	case len(o.Series) > maxLines:
		return fmt.Errorf("plotting: bars: %d Series: at most %d can be told apart", len(o.Series), maxLines)
	case len(o.N) != 0 && len(o.N) != len(o.Groups):
		return fmt.Errorf("plotting: bars: N has %d entries for %d Groups", len(o.N), len(o.Groups))
	case o.Y.Log:
		return errors.New("plotting: bars: Y is logarithmic, which has no 0 for bars to stand on")
	case o.Y.fixed() && (o.Y.Min > 0 || o.Y.Max < 0):
		return fmt.Errorf("plotting: bars: Y runs from %g to %g without 0, on which bars stand", o.Y.Min, o.Y.Max)
	}
	if err := o.Y.check("bars: Y"); err != nil {
		return err
	}
	drawn := false
	for i, s := range o.Series {
		if s.Name == "" {
			return fmt.Errorf("plotting: bars: Series[%d] has no Name", i)
		}
		if slices.ContainsFunc(o.Series[:i], func(other Series) bool { return other.Name == s.Name }) {
			return fmt.Errorf("plotting: bars: two series are named %q", s.Name)
		}
		if len(s.Values) != len(o.Groups) {
			return fmt.Errorf("plotting: bars: Series[%d] (%s) has %d values for %d Groups", i, s.Name, len(s.Values), len(o.Groups))
		}
		for k, v := range s.Values {
			if gap(v) {
				continue
			}
			drawn = true
			if o.Band == Exact && v.N > 1 {
				return fmt.Errorf("plotting: bars: Series[%d] (%s): value %d is of %d seeds, where Band says Exact", i, s.Name, k, v.N)
			}
			low, high := o.Band.ends(v)
			if math.IsInf(v.Mean, 0) || math.IsNaN(low) || math.IsInf(low, 0) || math.IsNaN(high) || math.IsInf(high, 0) || low > v.Mean || high < v.Mean {
				return fmt.Errorf("plotting: bars: Series[%d] (%s): value %d (%s) is %v", i, s.Name, k, o.Groups[k], v)
			}
			if o.Y.beyond(v.Mean) {
				return fmt.Errorf("plotting: bars: Series[%d] (%s): value %d (%s) is %g, beyond Y, which runs from %g to %g", i, s.Name, k, o.Groups[k], v.Mean, o.Y.Min, o.Y.Max)
			}
		}
	}
	if !drawn {
		return errors.New("plotting: bars: Series have no value to draw")
	}
	return nil
}

// Figure draws the bars. The error names the option that is wrong.
func (o Bars) Figure() (*Figure, error) { return newFigure(o.draw) }

func (o Bars) draw(t *press, room vg.Point) (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	low, high := 0.0, 0.0
	for _, s := range o.Series {
		for _, v := range s.Values {
			if !gap(v) {
				l, h := o.Band.ends(v)
				low, high = min(low, l), max(high, h)
			}
		}
	}
	x := Axis{Label: o.X, Min: -0.5, Max: float64(len(o.Groups)) - 0.5}
	y := o.Y.cover(low, high)
	ticks := make(plot.ConstantTicks, len(o.Groups))
	for i, g := range o.Groups {
		ticks[i] = plot.Tick{Value: float64(i), Label: t.shorten(strings.Join(strings.Fields(g), " "), tickSize, maxWord)}
	}
	f := newFrame(t, x, y, ticks)
	for i, n := range o.N {
		f.counts = append(f.counts, count{float64(i), decimal(float64(n), 0)})
	}
	for i, s := range o.Series {
		f.keys = append(f.keys, key{s.Name, func(c *draw.Canvas, from, to vg.Point) {
			half := vg.Point{Y: 5}
			t.pattern(c, vg.Rectangle{Min: from.Sub(half), Max: to.Add(half)}, i)
		}, math.Inf(1)}) // on top, in the order of the bars
	}
	f.plot.Add(painter(func(c draw.Canvas, p *plot.Plot) { o.paint(t, c, p) }))
	figure := &Figure{title: o.Title, alt: cmp.Or(o.Alt, o.describe()), press: t, notes: o.notes()}
	f.fill(figure, room)
	if figure.body.width > max(maxWidth, room.X) {
		return nil, fmt.Errorf("plotting: bars: %d Groups do not fit side by side with their labels: take fewer, or shorter names", len(o.Groups))
	}
	return figure.finish(), nil
}

func (o Bars) paint(t *press, c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	group := 0.8
	wide := group / float64(len(o.Series))
	inside := func(v float64) vg.Length { return y(min(max(v, p.Y.Min), p.Y.Max)) }
	for i, s := range o.Series {
		for k, v := range s.Values {
			if gap(v) {
				continue
			}
			left := float64(k) - group/2 + float64(i)*wide
			bar := vg.Rectangle{Min: vg.Point{X: x(left) + 0.75, Y: inside(min(v.Mean, 0))}, Max: vg.Point{X: x(left+wide) - 0.75, Y: inside(max(v.Mean, 0))}}
			t.pattern(&c, bar, i)
			if v.N < 2 {
				continue
			}
			low, high := o.Band.ends(v)
			middle, foot := (bar.Min.X+bar.Max.X)/2, min(4, (bar.Max.X-bar.Min.X)/4)
			for _, line := range []draw.LineStyle{{Color: t.page, Width: 3}, {Color: t.ink, Width: 1.3}} {
				c.StrokeLines(line,
					[]vg.Point{{X: middle, Y: inside(low)}, {X: middle, Y: inside(high)}},
					[]vg.Point{{X: middle - foot, Y: inside(low)}, {X: middle + foot, Y: inside(low)}},
					[]vg.Point{{X: middle - foot, Y: inside(high)}, {X: middle + foot, Y: inside(high)}})
			}
		}
	}
	c.StrokeLine2(draw.LineStyle{Color: t.quiet, Width: 0.75}, c.Min.X, inside(0), c.Max.X, inside(0))
}

// pattern fills a bar with the hue of a series and with strokes of its own, so that bars differ in print without colour.
func (t *press) pattern(c *draw.Canvas, r vg.Rectangle, i int) {
	c.SetColor(t.hues[i%maxLines])
	c.Fill(r.Path())
	inner := draw.Canvas{Canvas: c.Canvas, Rectangle: r}
	line := draw.LineStyle{Color: faded(t.page, 0.7), Width: 1.1}
	size := r.Size()
	slope := func(rise vg.Length, step vg.Length) {
		for x := -size.Y; x < size.X+size.Y; x += step {
			from, to := vg.Point{X: r.Min.X + x, Y: r.Min.Y}, vg.Point{X: r.Min.X + x + rise*size.Y, Y: r.Max.Y}
			c.StrokeLines(line, inner.ClipLinesXY([]vg.Point{from, to})...)
		}
	}
	level := func(step vg.Length) {
		for y := step / 2; y < size.Y; y += step {
			c.StrokeLine2(line, r.Min.X, r.Min.Y+y, r.Max.X, r.Min.Y+y)
		}
	}
	switch i % maxLines {
	case 1:
		slope(1, 6)
	case 2:
		slope(-1, 6)
	case 3:
		level(5)
	case 4:
		slope(0, 4)
	case 5:
		slope(1, 6)
		slope(-1, 6)
	case 6:
		level(5)
		slope(0, 5)
	}
}

func (o Bars) notes() []string {
	var notes []string
	if o.Caption != "" {
		notes = append(notes, o.Caption)
	}
	least, most, gaps := math.MaxInt, 0, false
	for _, s := range o.Series {
		for _, v := range s.Values {
			if gap(v) {
				gaps = true
				continue
			}
			least, most = min(least, v.N), max(most, v.N)
		}
	}
	switch {
	case o.Band == Exact:
	case most == 1:
		notes = append(notes, "One seed.")
	case least == most:
		notes = append(notes, fmt.Sprintf("Bars: mean of %d seeds; whiskers: %v.", most, o.Band))
	default:
		notes = append(notes, fmt.Sprintf("Bars: mean of %d to %d seeds; whiskers: %v.", least, most, o.Band))
	}
	if gaps {
		notes = append(notes, "No bar where nothing was measured.")
	}
	return notes
}

func (o Bars) describe() string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	fmt.Fprintf(&b, "Bars of %s.", cmp.Or(o.Y.Label, "a measure"))
	for _, s := range o.Series {
		b.WriteString(" " + s.Name)
		separator := ": "
		for k, v := range s.Values {
			if !gap(v) {
				fmt.Fprintf(&b, "%s%s %s", separator, o.Groups[k], short(v.Mean))
				separator = ", "
			}
		}
		b.WriteString(".")
	}
	return b.String()
}
