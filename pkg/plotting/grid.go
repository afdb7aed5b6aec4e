package plotting

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"seq2attn/pkg/corpus"
)

const (
	// maxWord is the longest label that is not shortened.
	maxWord  = 7 * vg.Centimeter
	tickGap  = vg.Length(4)
	scaleBar = vg.Length(12)

	smallestNumber = vg.Length(6.5)
	numberShare    = 0.42 // of a cell's width
)

// Cell is a place in a matrix, counted from the top and from the left, from 0.
type Cell struct{ Row, Column int }

// grid is a matrix of shaded cells with labels of either side.
type grid struct {
	*press
	rows, columns []string
	values        [][]float64
	// shades are those from the low end of the scale to the high one; what is not a number has none.
	shades []color.NRGBA
	bar    Axis
	bare   bool // there are no shades to read, and no bar
	ticks  plot.ConstantTicks
	// number writes a value into its cell; nil for none.
	number     func(v float64) string
	numberSize vg.Length
	gold       []corpus.Link
	rings      []Cell
	ringName   string

	size   vg.Length // of the labels' letters
	cell   vg.Length
	across bool      // the columns' labels fit level
	angle  float64   // otherwise they are turned by this
	left   vg.Length // of the matrix
	top    vg.Length // above the matrix
}

// measure finds sizes at which no label meets another.
func (g *grid) measure(rows, columns []string) {
	most := vg.Length(max(len(rows), len(columns)))
	// From 13 points for a dozen words to 8 for sixty and 6.5 for a hundred.
	switch {
	case most <= 12:
		g.size = 13
	case most <= 60:
		g.size = 13 - 5*(most-12)/48
	default:
		g.size = 8 - 1.5*(most-60)/40
	}
	label := func(words []string) []string {
		labels := make([]string, len(words))
		for i, word := range words {
			word = strings.Join(strings.Fields(word), " ") // a line feed would break the row
			labels[i] = g.shorten(word, g.size, maxWord)
		}
		return labels
	}
	g.rows, g.columns = label(rows), label(columns)
	var widest, high vg.Length
	for _, w := range g.columns {
		widest = max(widest, g.width(w, g.size, false))
	}
	// Cells of few words are large; those of many as close as their labels allow, upright ones closer than tilted ones.
	g.cell = min(330/most, 34)
	if g.angle = math.Pi / 4; len(g.columns) > 24 {
		g.angle = math.Pi / 2
		g.cell = max(g.cell, 1.35*g.size)
	} else {
		g.cell = max(g.cell, 1.7*g.size)
	}
	var longest vg.Length // of the numbers, in ems, with what stands beside them
	if g.number != nil {
		g.cell = max(g.cell, smallestNumber/numberShare)
		for _, row := range g.values {
			for _, v := range row {
				longest = max(longest, g.width(g.number(v), g.size, false)/g.size)
			}
		}
		if longest += 0.75; len(g.rings) > 0 {
			longest += 0.6
		}
		g.cell = max(g.cell, smallestNumber*longest)
	}
	// Levelled labels may make cells somewhat wider than tilted ones would, as they read much better.
	if need := widest + 0.6*g.size; need <= max(g.cell, min(1.5*g.cell, 42)) {
		g.across, g.angle, g.cell = true, 0, max(g.cell, need)
	}
	g.cell = dots(g.cell)
	if g.numberSize = min(numberShare*g.cell, g.size); longest > 0 {
		g.numberSize = min(g.numberSize, g.cell/longest)
	}
	for _, w := range g.columns {
		_, tall := g.turnedBox(w, g.size, g.angle)
		high = max(high, tall)
	}
	for _, w := range g.rows {
		g.left = max(g.left, g.width(w, g.size, false))
	}
	g.left = dots(g.left + tickGap + 2)
	g.top = dots(high + tickGap + 2)
}

// shade is the colour of a value's cell.
func (g *grid) shade(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return g.page
	}
	return step(g.shades, (v-g.bar.Min)/(g.bar.Max-g.bar.Min))
}

// overhang is how far tilted labels reach beyond the last column.
func (g *grid) overhang() (beyond vg.Length) {
	if g.across || g.angle == math.Pi/2 {
		return 0
	}
	for j, w := range g.columns {
		wide, _ := g.turnedBox(w, g.size, g.angle)
		beyond = max(beyond, wide-g.cell*(vg.Length(len(g.columns)-j)-0.5))
	}
	return dots(beyond)
}

const axisNameGap = vg.Length(4)

func (g *grid) body(sourceName, targetName string) body {
	nameSize := min(labelSize, g.size+1)
	nameHeight := dots(nameSize*(capitals+descent) + axisNameGap)
	width, height := g.cell*vg.Length(len(g.columns)), g.cell*vg.Length(len(g.rows))
	left := nameHeight + g.left
	name := func(s string, side vg.Length) string {
		return g.shorten(strings.Join(strings.Fields(s), " "), nameSize, max(side, maxWord))
	}
	sourceName, targetName = name(sourceName, width), name(targetName, height)
	full := body{width: left + width + g.overhang(), height: nameHeight + g.top + height}
	// Names longer than their sides, over a matrix of one word, say, get room.
	nameWide, nameTall := g.press.width(sourceName, nameSize, false), g.press.width(targetName, nameSize, false)
	full.width = max(full.width, dots(left+nameWide))
	full.height = max(full.height, dots(nameTall))
	full.draw = func(c *draw.Canvas) {
		corner := vg.Point{X: c.Min.X + left, Y: c.Max.Y - nameHeight - g.top} // of the matrix, top left
		g.cells(c, corner)
		for j, w := range g.columns {
			at := corner.Add(vg.Point{X: (vg.Length(j) + 0.5) * g.cell})
			g.tick(c, at, at.Add(vg.Point{Y: tickGap - 1}))
			at.Y += tickGap + 1
			switch {
			case g.across:
				g.put(c, w, at.Add(vg.Point{Y: descent * g.size}), style{size: g.size, x: atCenter})
			case g.angle == math.Pi/2:
				g.put(c, w, at, style{size: g.size, y: atMiddle, angle: g.angle})
			default:
				// The middle of the first letter stands over the tick.
				g.put(c, w, at.Add(vg.Point{X: -0.1 * g.size, Y: 0.05 * g.size}), style{size: g.size, angle: g.angle})
			}
		}
		for i, w := range g.rows {
			at := corner.Sub(vg.Point{Y: (vg.Length(i) + 0.5) * g.cell})
			g.tick(c, at, at.Sub(vg.Point{X: tickGap - 1}))
			g.put(c, w, at.Sub(vg.Point{X: tickGap + 1}), style{size: g.size, x: atEnd, y: atMiddle})
		}
		quiet := style{size: nameSize, color: g.quiet, x: atCenter, y: atTop}
		middle := max(corner.X+width/2, c.Min.X+left+nameWide/2)
		g.put(c, sourceName, vg.Point{X: min(middle, c.Max.X-nameWide/2), Y: c.Max.Y}, quiet)
		quiet.angle = math.Pi / 2
		middle = corner.Y - height/2
		g.put(c, targetName, vg.Point{X: c.Min.X, Y: min(max(middle, c.Min.Y+nameTall/2), c.Max.Y-nameTall/2)}, quiet)
	}
	return full
}

func (g *grid) tick(c *draw.Canvas, from, to vg.Point) {
	c.StrokeLine2(draw.LineStyle{Color: g.quiet, Width: 0.75}, from.X, from.Y, to.X, to.Y)
}

// cells fills the matrix. Neighbours of one shade are one rectangle, and every rectangle reaches a little under those to the right
// and below, which are drawn later, so that no light falls through between them.
func (g *grid) cells(c *draw.Canvas, corner vg.Point) {
	under := g.cell / 2 // more than a dot, however small the page
	rows, columns := len(g.rows), len(g.columns)
	at := func(i, j int) vg.Point {
		return corner.Add(vg.Point{X: vg.Length(j) * g.cell, Y: -vg.Length(i) * g.cell})
	}
	for i, row := range g.values {
		for j := 0; j < columns; {
			next := j + 1
			for next < columns && g.shade(row[next]) == g.shade(row[j]) {
				next++
			}
			low, high := at(i+1, j), at(i, next)
			if i+1 < rows {
				low.Y -= under
			}
			if next < columns {
				high.X += under
			}
			c.SetColor(g.shade(row[j]))
			c.Fill(vg.Rectangle{Min: low, Max: high}.Path())
			j = next
		}
	}
	if g.number != nil {
		for i, row := range g.values {
			for j, w := range row {
				middle := at(i, j).Add(vg.Point{X: g.cell / 2, Y: -g.cell / 2})
				g.put(c, g.number(w), middle, style{size: g.numberSize, color: inkOn(g.shade(w)), x: atCenter, y: atMiddle})
			}
		}
	}
	for i, row := range g.values {
		for j, v := range row {
			if low, high := at(i+1, j), at(i, j+1); math.IsNaN(v) {
				c.StrokeLine2(draw.LineStyle{Color: g.quiet, Width: 0.75}, low.X, low.Y, high.X, high.Y)
			}
		}
	}
	for _, l := range g.gold {
		g.goldFrame(c, vg.Rectangle{Min: at(l.Target+1, l.Source), Max: at(l.Target, l.Source+1)}, l.Possible, min(1.9, 0.11*g.cell))
	}
	for _, cell := range g.rings {
		g.ring(c, at(cell.Row, cell.Column).Add(vg.Point{X: g.cell / 2, Y: -g.cell / 2}), g.cell/2, min(2.2, 0.12*g.cell))
	}
	edge := vg.Rectangle{Min: at(rows, 0), Max: at(0, columns)}
	c.SetLineStyle(draw.LineStyle{Color: g.quiet, Width: 0.75})
	c.Stroke(edge.Path())
}

// ring draws a ring around the middle of a cell, with the page's colour to both sides.
func (p *press) ring(c *draw.Canvas, middle vg.Point, r, width vg.Length) {
	var path vg.Path
	r -= width/2 + 0.9
	path.Move(middle.Add(vg.Point{X: r}))
	path.Arc(middle, r, 0, 2*math.Pi)
	path.Close()
	for _, line := range []draw.LineStyle{{Color: p.page, Width: width + 1.8}, {Color: p.hues[ringHue], Width: width}} {
		c.SetLineStyle(line)
		c.Stroke(path)
	}
}

// ringHue is the colour of rings among the hues; the shape tells them from gold links.
const ringHue = 3

// goldFrame draws a frame into the edges of a cell, with the page's colour to both sides so that it is seen on every cell.
func (p *press) goldFrame(c *draw.Canvas, r vg.Rectangle, possible bool, width vg.Length) {
	const casing = vg.Length(0.9)
	ring := func(outer, inner vg.Length) {
		in := func(by vg.Length) vg.Rectangle {
			return vg.Rectangle{Min: r.Min.Add(vg.Point{X: by, Y: by}), Max: r.Max.Sub(vg.Point{X: by, Y: by})}
		}
		hole := in(inner)
		path := in(outer).Path()
		path.Move(hole.Min) // the other way round
		path.Line(vg.Point{X: hole.Min.X, Y: hole.Max.Y})
		path.Line(hole.Max)
		path.Line(vg.Point{X: hole.Max.X, Y: hole.Min.Y})
		path.Close()
		c.Fill(path)
	}
	c.SetColor(p.page)
	ring(0, 2*casing+width)
	if !possible {
		c.SetColor(p.gold)
		ring(casing, casing+width)
		return
	}
	// Dashes with one at each corner and a whole number between.
	by := casing + width/2
	line := draw.LineStyle{Color: p.gold, Width: width}
	for _, side := range [][2]vg.Point{
		{{X: r.Min.X + by, Y: r.Min.Y + by}, {X: r.Max.X - by, Y: r.Min.Y + by}},
		{{X: r.Max.X - by, Y: r.Min.Y + by}, {X: r.Max.X - by, Y: r.Max.Y - by}},
		{{X: r.Max.X - by, Y: r.Max.Y - by}, {X: r.Min.X + by, Y: r.Max.Y - by}},
		{{X: r.Min.X + by, Y: r.Max.Y - by}, {X: r.Min.X + by, Y: r.Min.Y + by}},
	} {
		length := vg.Length(math.Hypot(float64(side[1].X-side[0].X), float64(side[1].Y-side[0].Y)))
		dash := length / (2 * max(2, vg.Length(math.Round(float64(length/(4*width))))))
		line.Dashes, line.DashOffs = []vg.Length{dash, dash}, dash/2
		c.StrokeLines(line, side[:])
	}
}

// scale is the bar that shades are read by, where there are any, with the frames of gold links under it.
func (g *grid) scale() *body {
	t := g.press
	size := max(min(tickSize, g.size), 9)
	height := dots(min(max(g.cell*vg.Length(len(g.rows)), 72), 150))
	name := t.wrap(g.bar.Label, size, false, 4*vg.Centimeter)
	nameHeight := dots(blockHeight(name, size) + 0.9*size)
	full := &body{}
	if !g.bare {
		full.height, full.width = nameHeight+height+size*capitals/2+2, t.width(name, size, false)
		for _, tick := range g.ticks {
			full.width = max(full.width, scaleBar+tickGap+4+t.width(tick.Label, size, false))
		}
	}
	var kinds []bool // possible or not, as far as there are
	for _, possible := range []bool{false, true} {
		for _, l := range g.gold {
			if l.Possible == possible {
				kinds = append(kinds, possible)
				break
			}
		}
	}
	goldName := map[bool]string{false: "gold link", true: "possible link"}
	row := dots(1.8 * size)
	for _, possible := range kinds {
		full.height += row
		full.width = max(full.width, scaleBar+7+t.width(goldName[possible], size, false))
	}
	if len(g.rings) > 0 {
		g.ringName = t.shorten(strings.Join(strings.Fields(g.ringName), " "), size, maxWord)
		full.height += row
		full.width = max(full.width, scaleBar+7+t.width(g.ringName, size, false))
	}
	full.width, full.height = dots(full.width), dots(full.height)
	drawBar := func(c *draw.Canvas) (below vg.Length) {
		t.put(c, name, vg.Point{X: c.Min.X, Y: c.Max.Y}, style{size: size, color: g.quiet, y: atTop})
		bar := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: c.Max.Y - nameHeight - height}, Max: vg.Point{X: c.Min.X + scaleBar, Y: c.Max.Y - nameHeight}}
		// Each step reaches under the one above, drawn later.
		const steps = 64
		for i := range steps {
			r := bar
			r.Min.Y += height * vg.Length(i) / steps
			c.SetColor(step(g.shades, (float64(i)+0.5)/steps))
			c.Fill(r.Path())
		}
		c.SetLineStyle(draw.LineStyle{Color: g.quiet, Width: 0.75})
		c.Stroke(bar.Path())
		for _, tick := range g.ticks {
			y := bar.Min.Y + vg.Length((tick.Value-g.bar.Min)/(g.bar.Max-g.bar.Min))*height
			g.tick(c, vg.Point{X: bar.Max.X, Y: y}, vg.Point{X: bar.Max.X + tickGap, Y: y})
			if !tick.IsMinor() {
				t.put(c, tick.Label, vg.Point{X: bar.Max.X + tickGap + 4, Y: y}, style{size: size, y: atMiddle})
			}
		}
		return bar.Min.Y - size*capitals/2
	}
	full.draw = func(c *draw.Canvas) {
		y, right := c.Max.Y, c.Min.X+scaleBar
		if !g.bare {
			y = drawBar(c)
		}
		for _, possible := range kinds {
			y -= row
			r := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: y}, Max: vg.Point{X: right, Y: y + scaleBar}}
			g.goldFrame(c, r, possible, 1.5)
			t.put(c, goldName[possible], vg.Point{X: right + 7, Y: y + scaleBar/2}, style{size: size, y: atMiddle})
		}
		if len(g.rings) > 0 {
			y -= row
			t.ring(c, vg.Point{X: c.Min.X + scaleBar/2, Y: y + scaleBar/2}, scaleBar/2+0.9, 1.7)
			t.put(c, g.ringName, vg.Point{X: right + 7, Y: y + scaleBar/2}, style{size: size, y: atMiddle})
		}
	}
	return full
}
