package plotting

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A label stands at its point as its style says.
func TestPut(t *testing.T) {
	const size = vg.Length(10)
	letters := newPress(Paper)
	wide := letters.width("HH", size, false)
	for _, c := range []struct {
		name  string
		style style
		x, y  float64 // where the baseline of the first line starts, from the point, up and to the right
		text  string
	}{
		{"left, on its baseline", style{}, 0, 0, "HH"},
		{"right", style{x: atEnd}, -float64(wide), 0, "HH"},
		{"centre", style{x: atCenter, y: atMiddle}, -float64(wide) / 2, -capitals / 2 * 10, "HH"},
		{"under the point", style{y: atTop}, 0, -capitals * 10, "HH"},
		{"two lines over it", style{}, 0, leading * 10, "HH\nH"},
		{"two lines around it", style{y: atMiddle}, 0, (leading - capitals) / 2 * 10, "HH\nH"},
		{"upright", style{angle: math.Pi / 2, x: atEnd}, 0, -float64(wide), "HH"},
	} {
		n := &firstLetters{}
		v := newVector(blank(100, 100), n)
		s := c.style
		s.size = size
		letters.put(&draw.Canvas{Canvas: &v}, c.text, vg.Point{X: 50, Y: 40}, s)
		if math.Abs(n.at.e-50-c.x) > 0.01 || math.Abs(60-n.at.f-c.y) > 0.01 {
			t.Errorf("%s: at %.2f, %.2f from the point, not %.2f, %.2f", c.name, n.at.e-50, 60-n.at.f, c.x, c.y)
		}
	}
}

// firstLetters keeps the first line of text.
type firstLetters struct{ noted }

func (f *firstLetters) letters(outline []segment, c color.NRGBA, text string, size, width float64, bold bool, at matrix) {
	if f.text == "" {
		f.noted.letters(outline, c, text, size, width, bold, at)
	}
}

func TestTurnedBox(t *testing.T) {
	letters := newTypesetter()
	w, h := letters.turnedBox("word", 10, 0)
	a, b := letters.turnedBox("word", 10, math.Pi/2)
	if math.Abs(float64(w-b)) > 1e-9 || math.Abs(float64(h-a)) > 1e-9 || h != 10*(capitals+descent) {
		t.Errorf("%g × %g, upright %g × %g", w, h, a, b)
	}
}
