package plotting

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"gonum.org/v1/plot/vg"
)

// The shades go from white to dark in even steps, for every eye.
func TestShades(t *testing.T) {
	steps := shades()
	if steps[0] != (color.NRGBA{0xff, 0xff, 0xff, 0xff}) {
		t.Errorf("a weight of 0 is %v", steps[0])
	}
	lab := func(i int) colorful.Color {
		c, _ := colorful.MakeColor(steps[i])
		return c
	}
	lightness := func(i int) float64 { l, _, _ := lab(i).OkLab(); return l }
	if lightness(255) > 0.3 {
		t.Errorf("the darkest shade has a lightness of %.2f", lightness(255))
	}
	// Over sixteen steps, so that rounding to bytes does not count.
	const apart = 16
	mean := 0.0
	for i := apart; i < 256; i += apart {
		mean += okDistance(lab(i-apart), lab(i)) / 15
	}
	for i := apart; i < 256; i += apart {
		if d := okDistance(lab(i-apart), lab(i)); math.Abs(d/mean-1) > 0.1 {
			t.Errorf("step %d is %.3f, the mean step %.3f", i/apart, d, mean)
		}
		if lightness(i) > lightness(i-apart)-0.01 {
			t.Errorf("step %d is not darker than the one before", i/apart)
		}
	}
}

func TestShadeRange(t *testing.T) {
	for weight, want := range map[float64]int{-0.1: 0, 0: 0, 0.5: 128, 1: 255, 1.00001: 255} {
		if shade(weight) != shades()[want] {
			t.Errorf("shade(%g) is not step %d", weight, want)
		}
	}
}

// Numbers are read on every shade.
func TestInkOn(t *testing.T) {
	for i, cell := range shades() {
		a, b := luminance(cell), luminance(inkOn(cell))
		if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
			t.Errorf("step %d: contrast %.2f", i, contrast)
		}
	}
}

// Frames of gold links are seen on every shade, by the white at their sides or by themselves.
func TestGoldInk(t *testing.T) {
	if gold := luminance(goldInk); (1.05)/(gold+0.05) < 3 {
		t.Errorf("contrast with white %.2f", 1.05/(gold+0.05))
	}
}

// Curves differ in their markers too.
func TestMarkers(t *testing.T) {
	seen := map[string]int{}
	for i := range hues {
		shape := fmt.Sprintf("%+v", marker(i, vg.Point{}, 10))
		if other, ok := seen[shape]; ok {
			t.Errorf("hues %d and %d have one marker", other, i)
		}
		seen[shape] = i
	}
}
