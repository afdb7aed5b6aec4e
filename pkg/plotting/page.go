package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Option changes the page that a figure is shown or saved on.
type Option func(*page)

// In gives the figure the look of a theme; without it, that of Paper.
func In(t Theme) Option { return func(p *page) { p.theme = t } }

// Size is that of the page in centimetres. Curves and bars are laid out for it, other figures are enlarged or reduced to fit. Where one
// of the two is 0, it follows from the other.
func Size(width, height float64) Option {
	return func(p *page) { p.width, p.height, p.unit = width, height, 0 }
}

// Pixels is the size of a PNG in pixels, at 96 an inch where DPI says nothing else; vector formats take the same size in inches. Where
// one of the two is 0, it follows from the other.
func Pixels(width, height int) Option {
	return func(p *page) { p.width, p.height, p.unit = float64(width), float64(height), 96 }
}

// DPI is the number of dots an inch of a PNG: 192 without it, two dots for each pixel of a screen of 96.
func DPI(dots int) Option { return func(p *page) { p.dpi, p.dpiGiven = dots, true } }

// Transparent leaves the ground of the page out.
func Transparent() Option { return func(p *page) { p.transparent = true } }

type page struct {
	theme         Theme
	width, height float64
	unit          float64 // what width and height are parts of an inch in; 0 for centimetres
	dpi           int
	dpiGiven      bool
	transparent   bool
}

const (
	// slideWidth and slideHeight are those of a slide of 16:9 in the presentation programs.
	slideWidth, slideHeight = 19.05 * 16 / 9, 19.05
	// slideScale is by how much a drawing is enlarged on a slide: its smallest text, of 10.5 points, is a 30th of the slide's height.
	slideScale = 1.7
	// narrow is the width below which a drawing is reduced rather than laid out anew.
	narrow = 12 * vg.Centimeter
	// maxDots bounds the memory that a PNG takes, to 400 MB.
	maxDots = 100e6
)

func newPage(options []Option) (page, error) {
	p := page{dpi: resolution}
	for _, o := range options {
		o(&p)
	}
	if err := p.theme.check(); err != nil {
		return p, fmt.Errorf("In: %w", err)
	}
	name := "Size"
	if p.unit != 0 {
		name = "Pixels"
		if p.dpiGiven {
			p.unit = float64(p.dpi)
		} else {
			p.dpi = int(p.unit)
		}
	}
	switch {
	case p.dpi < 10 || p.dpi > 2400:
		return p, fmt.Errorf("DPI is %d: it must be from 10 to 2400", p.dpi)
	case !(p.width >= 0) || !(p.height >= 0) || math.IsInf(p.width+p.height, 0):
		return p, fmt.Errorf("%s is %g × %g: neither can be below 0", name, p.width, p.height)
	}
	if p.theme.isSlide() && p.width == 0 && p.height == 0 {
		p.width, p.height, p.unit = slideWidth, slideHeight, 0
	}
	for _, side := range []float64{p.width, p.height} {
		if cm := p.length(side) / vg.Centimeter; side > 0 && (cm < 1 || cm > 500) {
			return p, fmt.Errorf("%s is %g × %g: a page has sides of 1 to 500 cm, and one of these is of %.3g cm", name, p.width, p.height, float64(cm))
		}
	}
	return p, nil
}

func (p page) length(v float64) vg.Length {
	if p.unit != 0 {
		return vg.Length(v/p.unit) * vg.Inch
	}
	return vg.Length(v) * vg.Centimeter
}

// sheet is a figure on its page.
type sheet struct {
	*Figure
	// wide and high are the page's sides, and scale is by how much the figure is enlarged to fit.
	wide, high  vg.Length
	scale       float64
	x, y        vg.Length // of the figure's lower left corner, not yet enlarged
	dpi         int
	transparent bool
}

// room is what a drawing may take, before it is enlarged; 0 where the page has the figure's own size.
func (p page) room() vg.Point {
	w, h := p.length(p.width), p.length(p.height)
	if w == 0 || h == 0 {
		return vg.Point{X: max(w, min(w, 1)*narrow)} // a height alone says nothing of the width
	}
	wide := max(w, narrow)
	if p.theme.isSlide() {
		wide = slideWidth / slideScale * vg.Centimeter * max(1, w/h*9/16)
	}
	return vg.Point{X: wide, Y: wide * h / w}
}

// on puts the figure on a page.
func (f *Figure) on(options ...Option) (*sheet, error) {
	p, err := newPage(options)
	if err != nil {
		return nil, err
	}
	if room := p.room(); p.theme != f.theme || room != (vg.Point{}) {
		if f, err = f.remake(p.theme, room); err != nil {
			return nil, err
		}
	}
	s := &sheet{Figure: f, wide: p.length(p.width), high: p.length(p.height), scale: 1, dpi: p.dpi, transparent: p.transparent}
	switch {
	case s.wide == 0 && s.high == 0:
		s.wide, s.high = f.width, f.height
	case s.high == 0:
		s.scale = float64(s.wide / f.width)
		s.high = vg.Length(s.scale) * f.height
	case s.wide == 0:
		s.scale = float64(s.high / f.height)
		s.wide = vg.Length(s.scale) * f.width
	default:
		s.scale = float64(min(s.wide/f.width, s.high/f.height))
		s.x, s.y = (s.wide/vg.Length(s.scale)-f.width)/2, (s.high/vg.Length(s.scale)-f.height)/2
	}
	return s, nil
}

// small says that text on the page cannot be read: below 5.5 points in print, and below a 40th of a slide's height at the back of a hall.
func (s *sheet) small() string {
	size := float64(s.press.smallest) * s.scale
	if slide := float64(s.high) / 40; s.theme.isSlide() && size < slide {
		return fmt.Sprintf("its smallest text has %.1f points, which is not read at the back of a hall: show less of it, or in parts", size)
	}
	if size < 5.5 {
		return fmt.Sprintf("its smallest text has %.1f points on a page of %.3g × %.3g cm: take a larger Size", size, float64(s.wide/vg.Centimeter), float64(s.high/vg.Centimeter))
	}
	return ""
}

// draw draws the page. Its surface has been enlarged already.
func (s *sheet) draw(to surface) {
	c := draw.New(to)
	if s.x != 0 || s.y != 0 {
		c.Translate(vg.Point{X: s.x, Y: s.y})
	}
	s.Figure.draw(&c)
}

// encode is the page as a file of the format.
func (s *sheet) encode(extension string) ([]byte, error) {
	if dots := float64(s.wide/vg.Inch) * float64(s.high/vg.Inch) * float64(s.dpi) * float64(s.dpi); extension == ".png" && dots > maxDots {
		return nil, fmt.Errorf("a page of %.3g × %.3g cm has %.0f million dots at %d an inch, more than %.0f: take a smaller Size or DPI",
			float64(s.wide/vg.Centimeter), float64(s.high/vg.Centimeter), dots/1e6, s.dpi, maxDots/1e6)
	}
	to := formats[extension](s)
	s.draw(to)
	return to.encode()
}
