package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Diagram shows how the parts of something are wired: boxes, and arrows between them. It knows no model; see the package diagram.
type Diagram struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, the arrows are listed.
	Alt string

	Boxes  []Box
	Arrows []Arrow
}

// Place is a place in a diagram: columns from the left and rows from the bottom, whole or not.
type Place struct{ X, Y float64 }

// Box is a part. In labels, what follows an underscore is a subscript: "x_1", "s_{i−1}".
type Box struct {
	// Name is what arrows call the box by.
	Name string
	// Label says what the box is, and Note, in smaller letters, what is to be known of it.
	Label, Note string
	At          Place
	Kind        BoxKind
	// Columns is how many columns the box spans at least; 0 is as wide as its text.
	Columns float64
}

// BoxKind is how a box looks.
type BoxKind int

const (
	// Plain is text without a frame: a word, or dots for those that are left out.
	Plain BoxKind = iota
	// State is a vector that is carried from step to step.
	State
	// Value is what is computed at one step.
	Value
	// Focus is what the diagram is about.
	Focus
)

// Arrow leads from one box to another, straight or by way of spots.
type Arrow struct {
	From, To string
	Via      []Place
	Label    string
	// Dashed arrows lead from one step to the next.
	Dashed bool
}

func (o Diagram) check() error {
	if len(o.Boxes) == 0 {
		return errors.New("plotting: diagram: Boxes is empty")
	}
	finite := func(s Place) bool { return math.Abs(s.X) <= maxWords && math.Abs(s.Y) <= maxWords }
	names := map[string]bool{}
	for i, b := range o.Boxes {
		switch {
		case b.Name == "":
			return fmt.Errorf("plotting: diagram: Boxes[%d] has no Name", i)
		case names[b.Name]:
			return fmt.Errorf("plotting: diagram: two boxes are named %q", b.Name)
		case b.Kind < Plain || b.Kind > Focus:
			return fmt.Errorf("plotting: diagram: Boxes[%d] (%s) is of kind %d, which is none", i, b.Name, b.Kind)
		case !finite(b.At) || !(b.Columns >= 0 && b.Columns <= maxWords):
			return fmt.Errorf("plotting: diagram: Boxes[%d] (%s) is at %g, %g, and %g columns wide: none may be beyond ±%d", i, b.Name, b.At.X, b.At.Y, b.Columns, maxWords)
		}
		names[b.Name] = true
	}
	for i, a := range o.Arrows {
		for _, end := range []string{a.From, a.To} {
			if !names[end] {
				return fmt.Errorf("plotting: diagram: Arrows[%d] leads from %q to %q, and no box is named %q", i, a.From, a.To, end)
			}
		}
		if a.From == a.To && len(a.Via) == 0 {
			return fmt.Errorf("plotting: diagram: Arrows[%d] leads from %q to itself without a way: give it Via", i, a.From)
		}
		for _, s := range a.Via {
			if !finite(s) {
				return fmt.Errorf("plotting: diagram: Arrows[%d] leads by way of %g, %g", i, s.X, s.Y)
			}
		}
	}
	return nil
}

// Figure draws the diagram. The error names the option that is wrong.
func (o Diagram) Figure() (*Figure, error) { return newFigure(o.draw) }

const (
	boxPad    = vg.Length(8)
	columnGap = vg.Length(34)
	rowGap    = vg.Length(26)
	subSize   = 0.72 // of a letter
	subDrop   = 0.22 // of a letter's size
	arrowHead = vg.Length(7)
)

func (o Diagram) draw(p *press, _ vg.Point) (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &Figure{title: o.Title, press: p, alt: cmp.Or(o.Alt, o.describe())}
	if o.Caption != "" {
		f.notes = append(f.notes, o.Caption)
	}
	size := func(b Box) vg.Point {
		s := vg.Point{X: max(p.subWidth(b.Label, labelSize), p.subWidth(b.Note, noteSize)), Y: labelSize * (capitals + descent)}
		if b.Note != "" {
			s.Y += noteSize * 1.35 * vg.Length(strings.Count(b.Note, "\n")+1)
		}
		pad := 2 * boxPad
		if b.Kind == Plain {
			pad = boxPad
		}
		return s.Add(vg.Point{X: pad, Y: pad})
	}
	column, row := vg.Length(0), vg.Length(0)
	for _, b := range o.Boxes {
		s := size(b)
		row = max(row, s.Y)
		if b.Columns > 0 {
			column = max(column, (s.X+columnGap)/vg.Length(b.Columns))
		}
	}
	// Columns are as wide as keeps the boxes of a row apart, and rows as high as the highest box.
	for i, a := range o.Boxes {
		for _, b := range o.Boxes[:i] {
			between := math.Abs(a.At.X-b.At.X) - (a.Columns+b.Columns)/2
			if math.Abs(a.At.Y-b.At.Y) >= 0.5 || between <= 0 {
				continue
			}
			need := columnGap
			for _, arrow := range o.Arrows {
				if len(arrow.Via) == 0 && (arrow.From == a.Name && arrow.To == b.Name || arrow.From == b.Name && arrow.To == a.Name) {
					need = max(need, p.subWidth(arrow.Label, noteSize)+3*arrowHead) // room for the label
				}
			}
			for _, box := range []Box{a, b} {
				if box.Columns > 0 {
					need -= columnGap / 2
				} else {
					need += size(box).X / 2
				}
			}
			column = max(column, need/vg.Length(between))
		}
	}
	column, row = dots(max(column, boxPad)), dots(row+rowGap)
	low, high := vg.Point{X: vg.Length(math.Inf(1)), Y: vg.Length(math.Inf(1))}, vg.Point{X: vg.Length(math.Inf(-1)), Y: vg.Length(math.Inf(-1))}
	cover := func(at vg.Point) {
		low, high = vg.Point{X: min(low.X, at.X), Y: min(low.Y, at.Y)}, vg.Point{X: max(high.X, at.X), Y: max(high.Y, at.Y)}
	}
	place := func(s Place) vg.Point { return vg.Point{X: vg.Length(s.X) * column, Y: vg.Length(s.Y) * row} }
	boxes := map[string]vg.Rectangle{}
	for _, b := range o.Boxes {
		s := size(b)
		if b.Columns > 0 {
			s.X = max(s.X, vg.Length(b.Columns)*column-columnGap)
		}
		half := s.Scale(0.5)
		r := vg.Rectangle{Min: place(b.At).Sub(half), Max: place(b.At).Add(half)}
		boxes[b.Name] = r
		cover(r.Min)
		cover(r.Max)
	}
	ways := make([][]vg.Point, len(o.Arrows))
	for i, a := range o.Arrows {
		from, to := boxes[a.From], boxes[a.To]
		way := []vg.Point{aim(from, middle(to))}
		for _, s := range a.Via {
			way = append(way, place(s))
			cover(place(s))
		}
		n := len(way) + 1
		way = append(way, aim(to, way[n-2]))
		way[0] = aim(from, way[1])
		first, last := way[1], way[n-2]
		way[0], way[n-1] = leave(from, way[0], first), leave(to, way[n-1], last)
		ways[i] = way
		if a.Label != "" {
			at, _ := halfway(way)
			half := p.subWidth(a.Label, noteSize) / 2
			cover(at.Add(vg.Point{X: half + 3}))
			cover(at.Sub(vg.Point{X: half + 3}))
		}
	}
	f.body = body{width: dots(high.X - low.X), height: dots(high.Y - low.Y), draw: func(c *draw.Canvas) {
		shift := c.Min.Sub(low)
		for i, a := range o.Arrows {
			p.arrow(c, ways[i], shift, a.Dashed)
		}
		for i, a := range o.Arrows {
			if a.Label == "" {
				continue
			}
			at, _ := halfway(ways[i])
			at = at.Add(shift)
			half := vg.Point{X: p.subWidth(a.Label, noteSize)/2 + 3, Y: noteSize * 0.65}
			c.SetColor(p.page)
			c.Fill(vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}.Path())
			p.subscripted(c, a.Label, at.Sub(vg.Point{Y: noteSize * capitals / 2}), noteSize, p.quiet)
		}
		for _, b := range o.Boxes {
			r := boxes[b.Name]
			r.Min, r.Max = r.Min.Add(shift), r.Max.Add(shift)
			p.box(c, b, r)
		}
	}}
	return f.finish(), nil
}

func middle(r vg.Rectangle) vg.Point { return r.Min.Add(r.Max).Scale(0.5) }

// aim is where a line from a point meets the middle of a rectangle or, of a long one, the place that makes it upright.
func aim(r vg.Rectangle, from vg.Point) vg.Point {
	m := middle(r)
	if s := r.Size(); s.X > 4*s.Y {
		m.X = min(max(from.X, r.Min.X+s.Y/2), r.Max.X-s.Y/2)
	}
	return m
}

// leave is where the line from a point in a rectangle to one outside leaves it.
func leave(r vg.Rectangle, from, to vg.Point) vg.Point {
	d := to.Sub(from)
	share := vg.Length(1)
	for _, side := range []struct{ way, room vg.Length }{
		{d.X, r.Max.X - from.X}, {-d.X, from.X - r.Min.X}, {d.Y, r.Max.Y - from.Y}, {-d.Y, from.Y - r.Min.Y},
	} {
		if side.way > 0 {
			share = min(share, side.room/side.way)
		}
	}
	return from.Add(d.Scale(share))
}

// halfway is the middle of the longest step of a way, and its length.
func halfway(way []vg.Point) (at vg.Point, long float64) {
	for i := 1; i < len(way); i++ {
		d := way[i].Sub(way[i-1])
		if l := math.Hypot(float64(d.X), float64(d.Y)); l > long {
			at, long = way[i].Add(way[i-1]).Scale(0.5), l
		}
	}
	return at, long
}

// arrow draws a line with its head in the last point.
func (p *press) arrow(c *draw.Canvas, way []vg.Point, shift vg.Point, dashed bool) {
	points := make([]vg.Point, len(way))
	for i, q := range way {
		points[i] = q.Add(shift)
	}
	n := len(points)
	tip, d := points[n-1], points[n-1].Sub(points[n-2])
	angle := math.Atan2(float64(d.Y), float64(d.X))
	corner := func(turn float64, far vg.Length) vg.Point {
		sin, cos := math.Sincos(angle + turn)
		return tip.Sub(vg.Point{X: far * vg.Length(cos), Y: far * vg.Length(sin)})
	}
	points[n-1] = corner(0, arrowHead*0.8)
	line := draw.LineStyle{Color: p.quiet, Width: 1.3}
	if dashed {
		line.Dashes = []vg.Length{4, 3}
	}
	c.StrokeLines(line, points)
	c.FillPolygon(p.quiet, []vg.Point{tip, corner(0.4, arrowHead), corner(-0.4, arrowHead)})
}

// box draws a box with its text. Kinds differ in their frames too, for who sees no colours.
func (p *press) box(c *draw.Canvas, b Box, r vg.Rectangle) {
	fill, edge := p.page, draw.LineStyle{Color: p.hues[0], Width: 1.5}
	switch b.Kind {
	case State:
		fill = step(p.weights, 0.09)
	case Value:
		edge = draw.LineStyle{Color: p.quiet, Width: 1}
	case Focus:
		fill, edge = step(p.signs, 0.59), draw.LineStyle{Color: p.gold, Width: 2.4}
	}
	if b.Kind != Plain {
		radius := vg.Length(0)
		if b.Kind == State || b.Kind == Focus {
			radius = 7
		}
		path := rounded(r, radius)
		c.SetColor(fill)
		c.Fill(path)
		c.SetLineStyle(edge)
		c.Stroke(path)
	}
	m := middle(r)
	notes := strings.Split(b.Note, "\n")
	if b.Note == "" {
		notes = nil
	}
	y := m.Y + noteSize*1.35*vg.Length(len(notes))/2 - labelSize*capitals/2
	p.subscripted(c, b.Label, vg.Point{X: m.X, Y: y}, labelSize, p.ink)
	for i, n := range notes {
		p.subscripted(c, n, vg.Point{X: m.X, Y: y - noteSize*(1.4+1.35*vg.Length(i))}, noteSize, p.quiet)
	}
}

// rounded is a rectangle with round corners.
func rounded(r vg.Rectangle, radius vg.Length) vg.Path {
	if radius == 0 {
		return r.Path()
	}
	var path vg.Path
	path.Move(vg.Point{X: r.Min.X + radius, Y: r.Min.Y})
	for i, corner := range []vg.Point{{X: r.Max.X - radius, Y: r.Min.Y + radius}, {X: r.Max.X - radius, Y: r.Max.Y - radius},
		{X: r.Min.X + radius, Y: r.Max.Y - radius}, {X: r.Min.X + radius, Y: r.Min.Y + radius}} {
		path.Arc(corner, radius, -math.Pi/2+math.Pi/2*float64(i), math.Pi/2)
	}
	path.Close()
	return path
}

// scripted is a part of a text, on the line or under it.
type scripted struct {
	text string
	sub  bool
}

// subscripts takes a text apart at its underscores, each of which lowers the letter or the group in braces behind it.
func subscripts(text string) (parts []scripted) {
	for text != "" {
		before, after, found := strings.Cut(text, "_")
		if before != "" {
			parts = append(parts, scripted{before, false})
		}
		if text = after; !found || after == "" {
			break
		}
		sub := ""
		if group, rest, closed := strings.Cut(after, "}"); closed && after[0] == '{' {
			sub, text = group[1:], rest
		} else {
			sub = longestPart(after, func(s string) bool { return false })
			text = after[len(sub):]
		}
		if sub != "" {
			parts = append(parts, scripted{sub, true})
		}
	}
	return parts
}

// subWidth is the width of the widest line of a text with subscripts.
func (p *press) subWidth(text string, size vg.Length) (w vg.Length) {
	for line := range strings.SplitSeq(text, "\n") {
		var wide vg.Length
		for _, part := range subscripts(line) {
			if part.sub {
				wide += p.width(part.text, size*subSize, false) + 0.5
			} else {
				wide += p.width(part.text, size, false)
			}
		}
		w = max(w, wide)
	}
	return w
}

// subscripted draws a line of text around the middle of its baseline.
func (p *press) subscripted(c *draw.Canvas, text string, at vg.Point, size vg.Length, ink color.Color) {
	at.X -= p.subWidth(text, size) / 2
	for _, part := range subscripts(text) {
		if part.sub {
			p.put(c, part.text, at.Sub(vg.Point{Y: subDrop * size}), style{size: size * subSize, color: ink})
			at.X += p.width(part.text, size*subSize, false) + 0.5
		} else {
			p.put(c, part.text, at, style{size: size, color: ink})
			at.X += p.width(part.text, size, false)
		}
	}
}

// describe lists the arrows by the labels of their boxes.
func (o Diagram) describe() string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	spoken := func(text string) string { return strings.NewReplacer("{", "", "}", "", "\n", " ").Replace(text) }
	label := func(name string) string {
		box := o.Boxes[slices.IndexFunc(o.Boxes, func(b Box) bool { return b.Name == name })]
		if box.Note != "" {
			return spoken(fmt.Sprintf("%s (%s)", box.Label, box.Note))
		}
		return spoken(box.Label)
	}
	fmt.Fprintf(&b, "Diagram of %d parts.", len(o.Boxes))
	for _, a := range o.Arrows {
		fmt.Fprintf(&b, " %s leads to %s", label(a.From), label(a.To))
		if a.Label != "" {
			fmt.Fprintf(&b, ": %s", spoken(a.Label))
		}
		b.WriteString(".")
	}
	return b.String()
}
