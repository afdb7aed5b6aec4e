package plotting

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// across says which part of a text is at its point from left to right.
type across int

const (
	atStart across = iota
	atCenter
	atEnd
)

// upright says which part of a text is at its point from the bottom to the top.
type upright int

const (
	atBase   upright = iota // the last baseline
	atMiddle                // the middle between the last baseline and the top of the first line's capitals
	atTop                   // the top of the first line's capitals
)

// style is how a text is set; it is ink-coloured where no colour is given.
type style struct {
	size  vg.Length
	bold  bool
	color color.Color
	x     across
	y     upright
	angle float64 // radians, counterclockwise
}

// blockHeight is that of lines of text from the top of capitals to the last descender.
func blockHeight(text string, size vg.Length) vg.Length {
	return size * (capitals + descent + leading*vg.Length(strings.Count(text, "\n")))
}

// put draws lines of text at a point.
func (t *press) put(c *draw.Canvas, text string, at vg.Point, s style) {
	if s.color == nil {
		s.color = t.ink
	}
	lines := strings.Split(text, "\n")
	above := leading * vg.Length(len(lines)-1) // from the last baseline to the first
	var y vg.Length
	switch s.y {
	case atBase:
		y = above
	case atMiddle:
		y = (above - capitals) / 2
	case atTop:
		y = -capitals
	}
	c.Push()
	defer c.Pop()
	c.SetColor(s.color)
	c.Translate(at)
	if s.angle != 0 {
		c.Rotate(s.angle)
	}
	for i, l := range lines {
		var x vg.Length
		switch s.x {
		case atCenter:
			x = -t.width(l, s.size, s.bold) / 2
		case atEnd:
			x = -t.width(l, s.size, s.bold)
		}
		c.FillString(font.Face{Font: fontOf(s.size, s.bold)}, vg.Point{X: x, Y: (y - leading*vg.Length(i)) * s.size}, l)
	}
}

// turnedBox is the size of one line of text turned by an angle.
func (t *typesetter) turnedBox(text string, size vg.Length, angle float64) (w, h vg.Length) {
	sin, cos := math.Sincos(angle)
	long, high := t.width(text, size, false), size*(capitals+descent)
	return long*vg.Length(math.Abs(cos)) + high*vg.Length(math.Abs(sin)), long*vg.Length(math.Abs(sin)) + high*vg.Length(math.Abs(cos))
}
