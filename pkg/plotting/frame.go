package plotting

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Mark is a vertical line with a label above the curves.
type Mark struct {
	// At is the place on the axis. Between length bins, a bin of the lengths 11 to 20 reaches from 10.5 to 20.5: the longest sentence
	// in training, say 15 words, is marked at 15.5, where the unseen lengths begin.
	At    float64
	Label string
}

// frame is what stands around drawn values: axes, marks, counts and a key beside the drawing, so that none covers a value.
type frame struct {
	letters *press
	plot    *plot.Plot
	x, y    Axis
	marks   []Mark // placed on the axis' own scale
	counts  []count
	keys    []key
}

// count says how much stands behind the values at a place of the horizontal axis.
type count struct {
	at   float64
	text string
}

// key is the entry of one curve. It stands as near to the curve's end as the others allow.
type key struct {
	name   string
	sample func(c *draw.Canvas, from, to vg.Point)
	// end is the height of the curve's end on the axis; NaN puts the entry below all curves.
	end float64
}

const (
	keySample = vg.Length(24)
	keyGap    = vg.Length(7)
	countSize = vg.Length(11)
	// maxLabel is the longest label above the drawing that is not shortened.
	maxLabel = 12 * vg.Centimeter
)

// painter draws values on the axes.
type painter func(c draw.Canvas, p *plot.Plot)

// Plot makes painter a gonum/plot plotter.
func (f painter) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// newFrame makes the axes. Ticks on the horizontal axis are given for bins, nil otherwise.
func newFrame(t *press, x, y Axis, ticks plot.ConstantTicks) *frame {
	p := plot.New()
	p.BackgroundColor = nil
	p.TextHandler = t
	p.Legend.TextStyle.Handler = t
	for axis, own := range map[*plot.Axis]Axis{&p.X: x, &p.Y: y} {
		axis.Min, axis.Max = own.Min, own.Max
		if own.Log {
			axis.Scale = plot.LogScale{}
		}
		axis.Padding = 0
		axis.LineStyle = draw.LineStyle{Color: t.quiet, Width: 0.75}
		axis.Label.TextStyle.Handler = t
		axis.Label.TextStyle.Font = fontOf(tickSize, false)
		axis.Tick.Label.Handler = t
		axis.Tick.Label.Font = fontOf(tickSize, false)
		axis.Tick.Label.Color = t.ink
		axis.Tick.LineStyle = axis.LineStyle
		axis.Tick.Length = 4
		axis.Tick.Marker = own.ticks()
	}
	if ticks != nil {
		p.X.Tick.Marker = ticks
	}
	p.Y.LineStyle.Width = 0 // the grid says as much
	p.Y.Tick.LineStyle.Width = 0
	f := &frame{letters: t, plot: p, x: x, y: y}
	p.Add(painter(f.grid))
	return f
}

func (f *frame) grid(c draw.Canvas, p *plot.Plot) {
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := c.Y(p.Y.Norm(t.Value)); !t.IsMinor() && c.ContainsY(y) {
			c.StrokeLine2(draw.LineStyle{Color: f.letters.grid, Width: 0.75}, c.Min.X, y, c.Max.X, y)
		}
	}
}

// placed is a label above the drawing.
type placed struct {
	text     string
	at       vg.Length // of a mark's line
	from, to vg.Length
	row      int
	hasLine  bool
}

// layout finds a place for everything; width and height are those wished for, and grow where labels need more.
func (f *frame) layout(width, height vg.Length) body {
	t := f.letters
	keys := slices.Clone(f.keys)
	var keyWidth vg.Length
	for i := range keys {
		keys[i].name = t.wrap(keys[i].name, tickSize, false, 4.2*vg.Centimeter)
		keyWidth = max(keyWidth, keySample+keyGap+t.width(keys[i].name, tickSize, false))
	}
	right := vg.Length(0)
	if keyWidth > 0 {
		right = keyWidth + 2*keyGap
	}
	// The axes' width: ticks must not touch, and curves need some room.
	area := func(w, low, high vg.Length) draw.Canvas {
		return draw.Canvas{Rectangle: vg.Rectangle{Min: vg.Point{Y: low}, Max: vg.Point{X: w - right, Y: high}}}
	}
	data := func(w, low, high vg.Length) draw.Canvas { return f.plot.DataCanvas(area(w, low, high)) }
	width = max(width, right+7.5*vg.Centimeter)
	yLabel, marks := t.shorten(f.y.Label, labelSize, maxLabel), slices.Clone(f.marks)
	width = max(width, right+t.width(yLabel, labelSize, false))
	for i := range marks {
		marks[i].Label = t.shorten(marks[i].Label, tickSize, maxLabel)
		width = max(width, right+t.width(marks[i].Label, tickSize, false))
	}
	for range 3 {
		d := data(width, 0, height)
		width += f.crowded(d)
	}
	d := data(width, 0, height)

	labels := f.above(d, yLabel, marks)
	rows := 0
	for _, l := range labels {
		rows = max(rows, l.row+1)
	}
	const rowHeight = labelSize * leading
	top := vg.Length(rows)*rowHeight + 3
	low := vg.Length(0)
	middle := (d.Min.X + d.Max.X) / 2
	xLabel := t.wrap(f.x.Label, labelSize, false, 2*min(middle, d.Max.X+keyGap-middle))
	if xLabel != "" {
		low += blockHeight(xLabel, labelSize) + 5
	}
	if len(f.counts) > 0 {
		low += countSize*(capitals+descent) + 3
	}
	blocks := make([]vg.Length, len(keys))
	var keysHeight vg.Length
	for i, k := range keys {
		blocks[i] = blockHeight(k.name, tickSize) + 7
		keysHeight += blocks[i]
	}
	height = max(height, keysHeight, top+low+4*vg.Centimeter)
	width, height = dots(width), dots(height)
	d = data(width, low, height-top)
	middles := spread(keys, blocks, func(v float64) vg.Length { return d.Y(f.plot.Y.Norm(min(max(v, f.plot.Y.Min), f.plot.Y.Max))) }, height)

	return body{width, height, func(c *draw.Canvas) {
		at := func(x, y vg.Length) vg.Point { return c.Min.Add(vg.Point{X: x, Y: y}) }
		axes := area(width, low, height-top)
		axes.Canvas = c.Canvas
		axes.Min, axes.Max = axes.Min.Add(c.Min), axes.Max.Add(c.Min)
		// Marks lie behind the curves.
		for _, l := range labels {
			y := height - top + 3 + vg.Length(l.row)*rowHeight
			if l.hasLine {
				c.StrokeLine2(draw.LineStyle{Color: t.quiet, Width: 1, Dashes: []vg.Length{4, 3}}, c.Min.X+l.at, c.Min.Y+d.Min.Y, c.Min.X+l.at, c.Min.Y+y-2)
			}
			s := style{size: labelSize}
			if l.hasLine {
				s = style{size: tickSize, color: t.quiet}
			}
			t.put(c, l.text, at(l.from, y+descent*labelSize-1), s)
		}
		f.plot.Draw(axes)
		t.put(c, xLabel, at((d.Min.X+d.Max.X)/2, descent*labelSize), style{size: labelSize, x: atCenter})
		if len(f.counts) > 0 {
			y := low - 3 - countSize*capitals
			s := style{size: countSize, color: t.quiet, x: atCenter}
			for _, n := range f.counts {
				t.put(c, n.text, at(d.X(f.plot.X.Norm(n.at)), y), s)
			}
			s.x = atEnd
			t.put(c, "n", at(d.Min.X-t.width(" ", tickSize, false)-4, y), s)
		}
		x := width - keyWidth
		for i, k := range keys {
			k.sample(c, at(x, middles[i]), at(x+keySample, middles[i]))
			t.put(c, k.name, at(x+keySample+keyGap, middles[i]), style{size: tickSize, y: atMiddle})
		}
	}}
}

// fill lays the frame out as the body of a figure, of the usual size or so that the figure fills the room.
func (f *frame) fill(figure *Figure, room vg.Point) {
	wide, high := defaultWidth-2*margin, defaultHeight-margin
	if room.X > 0 {
		wide = room.X - 2*margin
		high *= wide / (defaultWidth - 2*margin)
	}
	figure.body = f.layout(wide, high)
	if room.Y > 0 {
		inner := figure.inner()
		figure.body = f.layout(wide, room.Y-2*margin-figure.head(inner)-figure.foot(inner))
	}
}

// crowded is by how much the drawing is too narrow for the labels under it.
func (f *frame) crowded(d draw.Canvas) vg.Length {
	type span struct{ at, half vg.Length }
	var lacking vg.Length
	check := func(spans []span) {
		slices.SortFunc(spans, func(a, b span) int { return int(math.Copysign(1, float64(a.at-b.at))) })
		for i := 1; i < len(spans); i++ {
			apart := spans[i].at - spans[i-1].at
			if need := spans[i].half + spans[i-1].half + 0.5*tickSize; apart > 0 && need > apart {
				lacking = max(lacking, (need/apart-1)*(d.Max.X-d.Min.X))
			}
		}
	}
	var ticks, counts []span
	for _, tick := range f.plot.X.Tick.Marker.Ticks(f.plot.X.Min, f.plot.X.Max) {
		if !tick.IsMinor() {
			ticks = append(ticks, span{d.X(f.plot.X.Norm(tick.Value)), f.letters.width(tick.Label, tickSize, false) / 2})
		}
	}
	for _, n := range f.counts {
		counts = append(counts, span{d.X(f.plot.X.Norm(n.at)), f.letters.width(n.text, countSize, false) / 2})
	}
	check(ticks)
	check(counts)
	return lacking
}

// maxMarks is for how many marks places are sought.
const maxMarks = 6

// above puts the vertical axis' label and those of the marks into as few rows over the drawing as leave each label free of the others
// and of the lines of marks above it. A mark's label stands over its line or, where that is taken, to either side of it.
func (f *frame) above(d draw.Canvas, yLabel string, marks []Mark) []placed {
	var labels []placed
	if yLabel != "" {
		labels = append(labels, placed{text: yLabel, to: f.letters.width(yLabel, labelSize, false)})
	}
	for _, m := range marks {
		labels = append(labels, placed{text: m.Label, at: d.X(f.plot.X.Norm(m.At)), hasLine: true})
	}
	free := func(l placed, others []placed) bool {
		for _, o := range others {
			meets := o.row == l.row && l.from < o.to+6 && o.from < l.to+6
			crosses := l.hasLine && o.row < l.row && l.at > o.from-3 && l.at < o.to+3
			crossed := o.hasLine && o.row >= l.row && o.at > l.from-3 && o.at < l.to+3
			if meets || crosses || crossed {
				return false
			}
		}
		return true
	}
	var place func(i, rows int) bool
	place = func(i, rows int) bool {
		if i == len(labels) {
			return true
		}
		l := labels[i]
		froms := []vg.Length{0}
		l.to -= l.from // the width, whatever was tried before
		l.from = 0
		if l.hasLine {
			w := f.letters.width(l.text, tickSize, false)
			froms = []vg.Length{max(0, min(l.at-w/2, d.Max.X-w)), l.at - 2, l.at + 2 - w}
			l.to = w
		}
		for l.row = range rows {
			for _, from := range froms {
				labels[i] = l
				labels[i].from, labels[i].to = from, from+l.to
				if from >= 0 && (from == 0 || labels[i].to <= d.Max.X+1) && free(labels[i], labels[:i]) && place(i+1, rows) {
					return true
				}
			}
		}
		labels[i] = l
		return false
	}
	for rows := 1; rows <= len(labels); rows++ {
		if place(0, rows) {
			return labels
		}
	}
	// Marks in nearly one place: each label has a row, whatever line crosses it.
	for i := range labels {
		if l := &labels[i]; l.hasLine {
			w := f.letters.width(l.text, tickSize, false)
			l.from = max(0, min(l.at-w/2, d.Max.X-w))
			l.to = l.from + w
		}
		labels[i].row = i
	}
	return labels
}

// spread finds the middle of each key's entry: near the end of its curve, in the order of the ends, none over another.
func spread(keys []key, blocks []vg.Length, y func(float64) vg.Length, height vg.Length) []vg.Length {
	order := make([]int, len(keys))
	wish := make([]vg.Length, len(keys))
	for i, k := range keys {
		order[i] = i
		wish[i] = blocks[i] / 2
		if !math.IsNaN(k.end) {
			wish[i] = y(k.end)
		}
	}
	rank := func(i int) float64 {
		if math.IsNaN(keys[i].end) {
			return math.Inf(-1)
		}
		return keys[i].end
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case rank(a) > rank(b):
			return -1
		case rank(a) < rank(b):
			return 1
		}
		return 0
	})
	middles := make([]vg.Length, len(keys))
	// Down from the top, then up again from the bottom for what fell out of it.
	limit := height
	for _, i := range order {
		middles[i] = min(wish[i], limit-blocks[i]/2)
		limit = middles[i] - blocks[i]/2
	}
	limit = 0
	for _, i := range slices.Backward(order) {
		middles[i] = max(middles[i], limit+blocks[i]/2)
		limit = middles[i] + blocks[i]/2
	}
	return middles
}
