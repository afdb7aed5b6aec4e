package plotting

import (
	"image/color"
	"math"
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

var (
	ink      = color.NRGBA{0x1a, 0x1a, 0x1a, 0xff}
	quietInk = color.NRGBA{0x59, 0x59, 0x59, 0xff}
	gridInk  = color.NRGBA{0xe3, 0xe3, 0xe3, 0xff}
	// goldInk is seen on white and on the darkest cell; 3:1 or better against either.
	goldInk = color.NRGBA{0xd9, 0x6c, 0x00, 0xff}
)

// hues are Okabe and Ito's colours that are dark enough for a line on white.
var hues = [...]color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0x4d, 0x4d, 0x4d, 0xff}, // grey
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
}

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
	switch i % len(hues) {
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

// drawMarker draws the marker of a curve with a white edge, which sets it off from the lines it lies on.
func drawMarker(c *draw.Canvas, i int, at vg.Point, r vg.Length) {
	path := marker(i, at, r)
	c.SetLineStyle(draw.LineStyle{Color: color.White, Width: 1.6})
	c.Stroke(path)
	c.SetColor(hues[i%len(hues)])
	c.Fill(path)
}

// shade is the colour of a weight between 0 and 1: white at 0, so that print stays clean, then blue, darker in steps that the eye
// sees as even, whatever its colour vision.
func shade(weight float64) color.NRGBA {
	steps := shades()
	return steps[int(math.Round(min(max(weight, 0), 1)*float64(len(steps)-1)))]
}

// shades walks a curve through OKLab (Ottosson 2020) at even distances: lightness falls all the way, the hue turns from sky blue to
// indigo, and chroma is as high as sRGB allows without leaving it.
var shades = sync.OnceValue(func() (steps [256]color.NRGBA) {
	at := func(t float64) colorful.Color {
		return colorful.OkLch(1-0.74*t, 0.105*t+0.10*math.Sin(math.Pi*t), 238+30*t)
	}
	const fine = 4096
	var far [fine + 1]float64
	for i := 1; i <= fine; i++ {
		far[i] = far[i-1] + okDistance(at(float64(i-1)/fine), at(float64(i)/fine))
	}
	k := 0
	for i := range steps {
		for goal := far[fine] * float64(i) / float64(len(steps)-1); k < fine && far[k] < goal; {
			k++
		}
		r, g, b := at(float64(k) / fine).Clamped().RGB255()
		steps[i] = color.NRGBA{r, g, b, 0xff}
	}
	return steps
})

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
