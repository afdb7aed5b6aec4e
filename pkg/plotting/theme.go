package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sync"

	"github.com/lucasb-eyer/go-colorful"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes are in points of a figure that is 16 cm wide; on a slide it is stretched to about twice that.
const (
	titleSize = vg.Length(15)
	labelSize = vg.Length(13)
	tickSize  = vg.Length(12)
	noteSize  = vg.Length(10.5)
	margin    = 27 * dot

	defaultWidth  = 16 * vg.Centimeter
	defaultHeight = 10 * vg.Centimeter
	// maxWidth bounds a figure that grows with its labels.
	maxWidth = 40 * vg.Centimeter
)

// Theme is the look of a figure: its colours and the page that it is made for.
type Theme int

const (
	// Paper is dark on white, as large as the figure needs: the look of the notebooks.
	Paper Theme = iota
	// Slide is dark on white on a page of 16:9, with text that is read at the back of a hall.
	Slide
	// Dark is light on a dark ground, as large as the figure needs.
	Dark
	// DarkSlide is Dark on the page of Slide.
	DarkSlide
)

var themeNames = [...]string{"paper", "slide", "dark", "dark slide"}

func (t Theme) String() string {
	if t.check() != nil {
		return fmt.Sprintf("Theme(%d)", int(t))
	}
	return themeNames[t]
}

func (t Theme) check() error {
	if t < 0 || int(t) >= len(themeNames) {
		return fmt.Errorf("theme %d is none of Paper, Slide, Dark and DarkSlide", int(t))
	}
	return nil
}

func (t Theme) isDark() bool  { return t == Dark || t == DarkSlide }
func (t Theme) isSlide() bool { return t == Slide || t == DarkSlide }

// inks are the colours of a theme.
type inks struct {
	page, ink, quiet, grid color.NRGBA
	// gold is seen on the page and on the fullest cell; 3:1 or better against either.
	gold color.NRGBA
	// hues are those of curves and bars, in their order.
	hues [maxLines]color.NRGBA
	// weights goes from the page's colour at 0 to the fullest at 1; signs from one hue over the page's colour to another.
	weights, signs []color.NRGBA
}

var darkPage = color.NRGBA{0x14, 0x17, 0x1c, 0xff}

// maxLines is how many curves still differ by marker and hue.
const maxLines = 7

func (t Theme) inks() inks {
	if t.isDark() {
		return inks{
			page:  darkPage,
			ink:   color.NRGBA{0xf2, 0xf2, 0xf2, 0xff},
			quiet: color.NRGBA{0xb4, 0xb8, 0xbf, 0xff},
			grid:  color.NRGBA{0x33, 0x38, 0x41, 0xff},
			gold:  color.NRGBA{0xd0, 0x6a, 0x00, 0xff},
			// Okabe and Ito's, lighter where they are too dark for a line here.
			hues: [maxLines]color.NRGBA{
				{0x56, 0xb4, 0xe9, 0xff}, // sky blue
				{0xf0, 0x7f, 0x3c, 0xff}, // vermillion
				{0x2c, 0xc2, 0x95, 0xff}, // bluish green
				{0xe0, 0x9a, 0xc4, 0xff}, // reddish purple
				{0xbd, 0xbd, 0xbd, 0xff}, // grey
				{0xf0, 0xe4, 0x42, 0xff}, // yellow
				{0x7f, 0x9d, 0xf5, 0xff}, // blue
			},
			weights: darkShades(), signs: darkSigns(),
		}
	}
	return inks{
		page:  color.NRGBA{0xff, 0xff, 0xff, 0xff},
		ink:   color.NRGBA{0x1a, 0x1a, 0x1a, 0xff},
		quiet: color.NRGBA{0x59, 0x59, 0x59, 0xff},
		grid:  color.NRGBA{0xe3, 0xe3, 0xe3, 0xff},
		gold:  color.NRGBA{0xd9, 0x6c, 0x00, 0xff},
		// Okabe and Ito's that are dark enough for a line on white.
		hues: [maxLines]color.NRGBA{
			{0x00, 0x72, 0xb2, 0xff}, // blue
			{0xd5, 0x5e, 0x00, 0xff}, // vermillion
			{0x00, 0x9e, 0x73, 0xff}, // bluish green
			{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
			{0x4d, 0x4d, 0x4d, 0xff}, // grey
			{0xe6, 0x9f, 0x00, 0xff}, // orange
			{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		},
		weights: shades(), signs: signs(),
	}
}

// press is what a figure is printed with: letters and inks.
type press struct {
	*typesetter
	inks
}

func newPress(t Theme) *press { return &press{newTypesetter(), t.inks()} }

// faded is c at the opacity.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(math.Round(opacity * 255))
	return c
}

// marker is one outline for each hue, so that curves differ in print without colour.
func marker(i int, at vg.Point, r vg.Length) vg.Path {
	polygon := func(r vg.Length, turn float64, corners int) vg.Path {
		var p vg.Path
		for k := range corners {
			sin, cos := math.Sincos(turn + 2*math.Pi*float64(k)/float64(corners))
			pt := at.Add(vg.Point{X: r * vg.Length(cos), Y: r * vg.Length(sin)})
			if k == 0 {
				p.Move(pt)
			} else {
				p.Line(pt)
			}
		}
		p.Close()
		return p
	}
	// cross is a plus of strokes of width 2w, turned.
	cross := func(r, w vg.Length, turn float64) vg.Path {
		var p vg.Path
		sin, cos := math.Sincos(turn)
		for k, q := range []vg.Point{{X: w, Y: w}, {X: w, Y: r}, {X: -w, Y: r}, {X: -w, Y: w}, {X: -r, Y: w}, {X: -r, Y: -w},
			{X: -w, Y: -w}, {X: -w, Y: -r}, {X: w, Y: -r}, {X: w, Y: -w}, {X: r, Y: -w}, {X: r, Y: w}} {
			pt := at.Add(vg.Point{X: q.X*vg.Length(cos) - q.Y*vg.Length(sin), Y: q.X*vg.Length(sin) + q.Y*vg.Length(cos)})
			if k == 0 {
				p.Move(pt)
			} else {
				p.Line(pt)
			}
		}
		p.Close()
		return p
	}
	switch i % maxLines {
	case 0:
		var p vg.Path
		p.Move(at.Add(vg.Point{X: r}))
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
		return p
	case 1:
		return polygon(1.25*r, math.Pi/4, 4)
	case 2:
		return polygon(1.35*r, math.Pi/2, 3)
	case 3:
		return polygon(1.35*r, 0, 4)
	case 4:
		return cross(1.25*r, 0.42*r, math.Pi/4)
	case 5:
		return polygon(1.35*r, -math.Pi/2, 3)
	default:
		return cross(1.3*r, 0.42*r, 0)
	}
}

// drawMarker draws the marker of a curve with an edge of the page's colour, which sets it off from the lines it lies on.
func (p *press) drawMarker(c *draw.Canvas, i int, at vg.Point, r vg.Length) {
	path := marker(i, at, r)
	c.SetLineStyle(draw.LineStyle{Color: p.page, Width: 1.6})
	c.Stroke(path)
	c.SetColor(p.hues[i%maxLines])
	c.Fill(path)
}

// step is the colour of a map at v from 0 to 1.
func step(steps []color.NRGBA, v float64) color.NRGBA {
	return steps[int(math.Round(min(max(v, 0), 1)*float64(len(steps)-1)))]
}

// The maps walk curves through OKLab (Ottosson 2020) at even distances, so that the eye sees even steps whatever its colour vision:
// lightness goes one way from end to end, or from the middle to either end, and chroma is as high as sRGB allows without leaving it.
// Paper's begin at white, so that print stays clean, and those of the dark theme at its page.

// shades turns from white over sky blue to dark indigo.
var shades = sync.OnceValue(func() []color.NRGBA {
	return even(256, func(t float64) colorful.Color {
		return colorful.OkLch(1-0.74*t, 0.105*t+0.10*math.Sin(math.Pi*t), 238+30*t)
	})
})

// darkShades turns from the dark page over blue to a light cyan.
var darkShades = sync.OnceValue(func() []color.NRGBA {
	l, a, b := oklab(darkPage)
	return even(256, func(t float64) colorful.Color {
		chroma, hue := 0.02*t+0.1*math.Sin(math.Pi*min(1, 1.05*t)), (262-60*t)*math.Pi/180
		return colorful.OkLab(l+(0.95-l)*t, (1-t)*a+chroma*math.Cos(hue), (1-t)*b+chroma*math.Sin(hue))
	})
})

// signs turns from dark blue over white to dark orange.
var signs = sync.OnceValue(func() []color.NRGBA {
	arm := func(hue, turn float64) []color.NRGBA {
		return even(128, func(t float64) colorful.Color {
			return colorful.OkLch(1-0.58*t, 0.06*t+0.085*math.Sin(math.Pi*t), hue+turn*t)
		})
	}
	return joined(arm(245, 20), arm(62, -14))
})

// darkSigns turns from light blue over the dark page to light orange.
var darkSigns = sync.OnceValue(func() []color.NRGBA {
	l, a, b := oklab(darkPage)
	arm := func(degrees float64) []color.NRGBA {
		return even(128, func(t float64) colorful.Color {
			chroma, hue := 0.06*t+0.07*math.Sin(math.Pi*t), degrees*math.Pi/180
			return colorful.OkLab(l+(0.84-l)*t, (1-t)*a+chroma*math.Cos(hue), (1-t)*b+chroma*math.Sin(hue))
		})
	}
	return joined(arm(240), arm(65))
})

// joined puts the first arm, turned round, before the second: the middle of both is one colour.
func joined(low, high []color.NRGBA) []color.NRGBA {
	low = slices.Clone(low)
	slices.Reverse(low)
	return append(low[:len(low)-1], high...)
}

// even walks from 0 to 1 in steps of one length.
func even(n int, at func(t float64) colorful.Color) []color.NRGBA {
	const fine = 4096
	var far [fine + 1]float64
	for i := 1; i <= fine; i++ {
		far[i] = far[i-1] + okDistance(at(float64(i-1)/fine), at(float64(i)/fine))
	}
	steps := make([]color.NRGBA, n)
	k := 0
	for i := range steps {
		for goal := far[fine] * float64(i) / float64(n-1); k < fine && far[k] < goal; {
			k++
		}
		r, g, b := at(float64(k) / fine).Clamped().RGB255()
		steps[i] = color.NRGBA{r, g, b, 0xff}
	}
	return steps
}

func oklab(c color.NRGBA) (l, a, b float64) {
	v, _ := colorful.MakeColor(c)
	return v.OkLab()
}

func okDistance(a, b colorful.Color) float64 {
	l1, a1, b1 := a.OkLab()
	l2, a2, b2 := b.OkLab()
	return math.Sqrt((l1-l2)*(l1-l2) + (a1-a2)*(a1-a2) + (b1-b2)*(b1-b2))
}

// inkOn is black or white, whichever is read better on a cell: the contrast of WCAG 2 is at least 4.5 to 1.
func inkOn(cell color.NRGBA) color.NRGBA {
	if luminance(cell) > 0.179 {
		return color.NRGBA{A: 0xff}
	}
	return color.NRGBA{0xff, 0xff, 0xff, 0xff}
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	v, _ := colorful.MakeColor(c)
	r, g, b := v.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}
