package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"seq2attn/pkg/corpus"
)

// EndOfSentence labels the row and the column of the end of a sentence.
const EndOfSentence = "<EOS>"

// Heatmap shows the attention of a translation: the first target word on top, source words from left to right, and the weight of
// each pair as a shade on a scale that is always 0 to 1.
type Heatmap struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, each target word is listed with the source word it attends to most.
	Alt string

	// Source and Target are the words, and Weights has a row [len(Source)] for each target word. One row more than target words
	// is that of the end of the sentence, and so is one column more than source words; either is labelled EndOfSentence.
	Source, Target []string
	Weights        [][]float64
	// HideEnd leaves the row and the column of the end of the sentence out. Rows then need not sum to 1, and the figure says so.
	HideEnd bool
	// Numbers writes the weights, in hundredths, into their cells.
	Numbers bool
	// Gold are the links of the right alignment, drawn as frames: whole where sure, dashed where only possible.
	Gold []corpus.Link
	// SourceName and TargetName name the axes; "source" and "target" where they are empty.
	SourceName, TargetName string
}

const (
	// maxWords is how many words a side can have; more could not be read.
	maxWords = 100
	// maxWord is the longest label that is not shortened.
	maxWord  = 7 * vg.Centimeter
	tickGap  = vg.Length(4)
	scaleBar = vg.Length(12)

	smallestNumber = vg.Length(6.5)
	numberShare    = 0.42 // of a cell's width
)

func (o Heatmap) check() error {
	switch {
	case len(o.Source) == 0:
		return errors.New("plotting: heatmap: Source is empty")
	case len(o.Target) == 0:
		return errors.New("plotting: heatmap: Target is empty")
	case len(o.Weights) == 0:
		return errors.New("plotting: heatmap: Weights is empty")
	case len(o.Weights) != len(o.Target) && len(o.Weights) != len(o.Target)+1:
		return fmt.Errorf("plotting: heatmap: Weights has %d rows for %d words in Target: it needs one for each, and may have one more for the end of the sentence",
			len(o.Weights), len(o.Target))
	case len(o.Weights[0]) != len(o.Source) && len(o.Weights[0]) != len(o.Source)+1:
		return fmt.Errorf("plotting: heatmap: Weights has %d columns for %d words in Source: it needs one for each, and may have one more for the end of the sentence",
			len(o.Weights[0]), len(o.Source))
	}
	for name, words := range map[string]int{"Source": len(o.Source), "Target": len(o.Target)} {
		if words > maxWords {
			return fmt.Errorf("plotting: heatmap: %s has %d words: more than %d cannot be read", name, words, maxWords)
		}
	}
	for i, row := range o.Weights {
		if len(row) != len(o.Weights[0]) {
			return fmt.Errorf("plotting: heatmap: row %d of Weights has %d columns, row 0 has %d", i, len(row), len(o.Weights[0]))
		}
		for j, w := range row {
			// Sums of 32-bit weights may end a little above 1.
			if math.IsNaN(w) || w < 0 || w > 1+1e-4 {
				return fmt.Errorf("plotting: heatmap: row %d of Weights has %g in column %d: a weight is between 0 and 1", i, w, j)
			}
		}
	}
	for i, l := range o.Gold {
		if l.Source < 0 || l.Source >= len(o.Source) || l.Target < 0 || l.Target >= len(o.Target) {
			return fmt.Errorf("plotting: heatmap: Gold[%d] links source word %d to target word %d of %d and %d words", i, l.Source, l.Target, len(o.Source), len(o.Target))
		}
	}
	return nil
}

// grid is a heatmap's matrix with labels of either side.
type grid struct {
	*typesetter
	rows, columns []string
	weights       [][]float64
	numbers       bool
	gold          []corpus.Link

	size   vg.Length // of the labels' letters
	cell   vg.Length
	across bool      // the columns' labels fit level
	angle  float64   // otherwise they are turned by this
	left   vg.Length // of the matrix
	top    vg.Length // above the matrix
}

// Figure draws the heatmap. The error names the argument that is wrong.
func (o Heatmap) Figure() (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &Figure{title: o.Title, letters: newTypesetter()}
	if o.Caption != "" {
		f.notes = append(f.notes, o.Caption)
	}
	rows, columns, weights := o.Target, o.Source, o.Weights
	if endRow, endColumn := len(weights) > len(rows), len(weights[0]) > len(columns); o.HideEnd {
		weights = weights[:len(rows)]
		cut := make([][]float64, len(rows))
		for i, row := range weights {
			cut[i] = row[:len(columns)]
		}
		weights = cut
		if endColumn {
			f.notes = append(f.notes, "The end of the source sentence is left out: rows need not sum to 1.")
		}
	} else {
		if endRow {
			rows = append(append([]string(nil), rows...), EndOfSentence)
		}
		if endColumn {
			columns = append(append([]string(nil), columns...), EndOfSentence)
		}
	}
	f.alt = cmp.Or(o.Alt, o.describe(rows, columns, weights))
	g := &grid{typesetter: f.letters, weights: weights, numbers: o.Numbers, gold: o.Gold}
	g.measure(rows, columns)
	f.body = g.body(cmp.Or(o.SourceName, "source"), cmp.Or(o.TargetName, "target"))
	f.scale = g.scale()
	return f.finish(), nil
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
	if g.numbers {
		g.cell = max(g.cell, smallestNumber/numberShare)
	}
	// Levelled labels may make cells somewhat wider than tilted ones would, as they read much better.
	if need := widest + 0.6*g.size; need <= max(g.cell, min(1.5*g.cell, 42)) {
		g.across, g.angle, g.cell = true, 0, max(g.cell, need)
	}
	g.cell = dots(g.cell)
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

// numberSize is that of the figures in cells, of which three go into one.
func (g *grid) numberSize() vg.Length { return min(numberShare*g.cell, g.size) }

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
	full := body{width: left + width + g.overhang(), height: nameHeight + g.top + height}
	// Names longer than their sides, over a matrix of one word, say, get room.
	nameWide, nameTall := g.typesetter.width(sourceName, nameSize, false), g.typesetter.width(targetName, nameSize, false)
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
		quiet := style{size: nameSize, color: quietInk, x: atCenter, y: atTop}
		middle := max(corner.X+width/2, c.Min.X+left+nameWide/2)
		g.put(c, sourceName, vg.Point{X: min(middle, c.Max.X-nameWide/2), Y: c.Max.Y}, quiet)
		quiet.angle = math.Pi / 2
		middle = corner.Y - height/2
		g.put(c, targetName, vg.Point{X: c.Min.X, Y: min(max(middle, c.Min.Y+nameTall/2), c.Max.Y-nameTall/2)}, quiet)
	}
	return full
}

func (g *grid) tick(c *draw.Canvas, from, to vg.Point) {
	c.StrokeLine2(draw.LineStyle{Color: quietInk, Width: 0.75}, from.X, from.Y, to.X, to.Y)
}

// cells fills the matrix. Neighbours of one shade are one rectangle, and every rectangle reaches a little under those to the right
// and below, which are drawn later, so that no light falls through between them.
func (g *grid) cells(c *draw.Canvas, corner vg.Point) {
	const under = vg.Length(1) // more than a dot of a page at its size
	rows, columns := len(g.rows), len(g.columns)
	at := func(i, j int) vg.Point {
		return corner.Add(vg.Point{X: vg.Length(j) * g.cell, Y: -vg.Length(i) * g.cell})
	}
	for i, row := range g.weights {
		for j := 0; j < columns; {
			next := j + 1
			for next < columns && shade(row[next]) == shade(row[j]) {
				next++
			}
			low, high := at(i+1, j), at(i, next)
			if i+1 < rows {
				low.Y -= under
			}
			if next < columns {
				high.X += under
			}
			c.SetColor(shade(row[j]))
			c.Fill(vg.Rectangle{Min: low, Max: high}.Path())
			j = next
		}
	}
	if g.numbers {
		for i, row := range g.weights {
			for j, w := range row {
				middle := at(i, j).Add(vg.Point{X: g.cell / 2, Y: -g.cell / 2})
				g.put(c, hundredthsOf(w), middle, style{size: g.numberSize(), color: inkOn(shade(w)), x: atCenter, y: atMiddle})
			}
		}
	}
	for _, l := range g.gold {
		goldFrame(c, vg.Rectangle{Min: at(l.Target+1, l.Source), Max: at(l.Target, l.Source+1)}, l.Possible, min(1.9, 0.11*g.cell))
	}
	edge := vg.Rectangle{Min: at(rows, 0), Max: at(0, columns)}
	c.SetLineStyle(draw.LineStyle{Color: quietInk, Width: 0.75})
	c.Stroke(edge.Path())
}

// goldFrame draws a frame into the edges of a cell, with white to both sides so that it is seen on dark cells.
func goldFrame(c *draw.Canvas, r vg.Rectangle, possible bool, width vg.Length) {
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
	c.SetColor(color.White)
	ring(0, 2*casing+width)
	if !possible {
		c.SetColor(goldInk)
		ring(casing, casing+width)
		return
	}
	// Dashes with one at each corner and a whole number between.
	by := casing + width/2
	line := draw.LineStyle{Color: goldInk, Width: width}
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

// hundredthsOf writes a weight as short as a cell needs: ".85", "1", and "0" for what rounds to it.
func hundredthsOf(w float64) string {
	switch h := int(math.Round(100 * w)); {
	case h >= 100:
		return "1"
	case h <= 0:
		return "0"
	default:
		return fmt.Sprintf(".%02d", h)
	}
}

// scale is the bar that shades are read by, with the frames of gold links under it.
func (g *grid) scale() *body {
	t := g.typesetter
	size := max(min(tickSize, g.size), 9)
	height := dots(min(max(g.cell*vg.Length(len(g.rows)), 72), 150))
	const name = "attention weight"
	nameHeight := dots(size * (capitals + descent + 0.9))
	full := &body{height: nameHeight + height + size*capitals/2 + 2}
	full.width = max(scaleBar+tickGap+4+t.width("0.5", size, false), t.width(name, size, false))
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
	full.width, full.height = dots(full.width), dots(full.height)
	full.draw = func(c *draw.Canvas) {
		t.put(c, name, vg.Point{X: c.Min.X, Y: c.Max.Y}, style{size: size, color: quietInk, y: atTop})
		bar := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: c.Max.Y - nameHeight - height}, Max: vg.Point{X: c.Min.X + scaleBar, Y: c.Max.Y - nameHeight}}
		// Each step reaches under the one above, drawn later.
		const steps = 64
		for i := range steps {
			r := bar
			r.Min.Y += height * vg.Length(i) / steps
			c.SetColor(shade((float64(i) + 0.5) / steps))
			c.Fill(r.Path())
		}
		c.SetLineStyle(draw.LineStyle{Color: quietInk, Width: 0.75})
		c.Stroke(bar.Path())
		for _, w := range []float64{0, 0.5, 1} {
			y := bar.Min.Y + vg.Length(w)*height
			g.tick(c, vg.Point{X: bar.Max.X, Y: y}, vg.Point{X: bar.Max.X + tickGap, Y: y})
			t.put(c, strconv.FormatFloat(w, 'g', -1, 64), vg.Point{X: bar.Max.X + tickGap + 4, Y: y}, style{size: size, y: atMiddle})
		}
		y := bar.Min.Y - size*capitals/2
		for _, possible := range kinds {
			y -= row
			r := vg.Rectangle{Min: vg.Point{X: bar.Min.X, Y: y}, Max: vg.Point{X: bar.Max.X, Y: y + scaleBar}}
			goldFrame(c, r, possible, 1.5)
			t.put(c, goldName[possible], vg.Point{X: bar.Max.X + 7, Y: y + scaleBar/2}, style{size: size, y: atMiddle})
		}
	}
	return full
}

// describe names the source word that each target word attends to most.
func (o Heatmap) describe(rows, columns []string, weights [][]float64) string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	fmt.Fprintf(&b, "Heatmap of attention weights from 0 to 1: %d target words down, %d source words across. Each target word with the source word of most weight: ", len(rows), len(columns))
	for i, row := range weights {
		most := 0
		for j, w := range row {
			if w > row[most] {
				most = j
			}
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if row[most] == 0 {
			fmt.Fprintf(&b, "%s – none", rows[i])
			continue
		}
		fmt.Fprintf(&b, "%s – %s %s", rows[i], columns[most], short(math.Round(100*row[most])/100))
	}
	b.WriteString(".")
	return b.String()
}
