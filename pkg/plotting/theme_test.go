package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/lucasb-eyer/go-colorful"
	"gonum.org/v1/plot/vg"
)

// The shades go from the page's colour to the fullest in even steps, for every eye: lightness goes one way.
func TestShades(t *testing.T) {
	for _, theme := range []Theme{Paper, Dark} {
		inks := theme.inks()
		if len(inks.weights) != 256 || len(inks.signs) != 255 {
			t.Fatalf("%v: %d and %d steps", theme, len(inks.weights), len(inks.signs))
		}
		up, down := inks.signs[127:], slices.Clone(inks.signs[:128])
		slices.Reverse(down)
		for name, steps := range map[string][]color.NRGBA{"weights": inks.weights, "above 0": up, "below 0": down} {
			if steps[0] != inks.page {
				t.Errorf("%v, %s: 0 is %v on a page of %v", theme, name, steps[0], inks.page)
			}
			lab := func(i int) colorful.Color {
				c, _ := colorful.MakeColor(steps[i])
				return c
			}
			lightness := func(i int) float64 { l, _, _ := lab(i).OkLab(); return l }
			// Sixteen steps, so that rounding to bytes does not count.
			apart, n := len(steps)/16, 0
			total := 0.0
			for i := apart; i < len(steps); i += apart {
				total, n = total+okDistance(lab(i-apart), lab(i)), n+1
			}
			mean, way := total/float64(n), lightness(len(steps)-1)-lightness(0)
			for i := apart; i < len(steps); i += apart {
				if d := okDistance(lab(i-apart), lab(i)); math.Abs(d/mean-1) > 0.1 {
					t.Errorf("%v, %s: step %d is %.3f, the mean step %.3f", theme, name, i/apart, d, mean)
				}
				if l := lightness(i) - lightness(i-apart); l*way <= 0 || math.Abs(l) < 0.01 {
					t.Errorf("%v, %s: from step %d to the one before lightness goes by %.3f", theme, name, i/apart, l)
				}
			}
			if math.Abs(way) < 0.5 {
				t.Errorf("%v, %s: lightness goes by %.2f in all", theme, name, way)
			}
		}
	}
}

func TestStep(t *testing.T) {
	steps := shades()
	for weight, want := range map[float64]int{-0.1: 0, 0: 0, 0.5: 128, 1: 255, 1.00001: 255} {
		if step(steps, weight) != steps[want] {
			t.Errorf("%g is not step %d", weight, want)
		}
	}
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Numbers are read on every shade, and text on the page.
func TestInkOn(t *testing.T) {
	for _, theme := range []Theme{Paper, Dark} {
		inks := theme.inks()
		for i, cell := range slices.Concat(inks.weights, inks.signs) {
			if c := contrast(cell, inkOn(cell)); c < 4.5 {
				t.Errorf("%v: contrast of step %d %.2f", theme, i, c)
			}
		}
		for name, c := range map[string]color.NRGBA{"ink": inks.ink, "quiet": inks.quiet} {
			if c := contrast(c, inks.page); c < 4.5 {
				t.Errorf("%v: contrast of %s %.2f", theme, name, c)
			}
		}
		// Frames of gold links are seen on every shade, by the page's colour at their sides or by themselves.
		if c := contrast(inks.gold, inks.page); c < 3 {
			t.Errorf("%v: contrast of gold %.2f", theme, c)
		}
	}
	// On white, hues may be lighter, as their markers differ.
	for i, hue := range Dark.inks().hues {
		if c := contrast(hue, darkPage); c < 6 {
			t.Errorf("contrast of hue %d %.2f", i, c)
		}
	}
}

func TestThemeNames(t *testing.T) {
	if s := fmt.Sprint(Paper, Slide, Dark, DarkSlide, Theme(-1), Theme(9)); s != "paper slide dark dark slide Theme(-1) Theme(9)" {
		t.Error(s)
	}
}

// Curves differ in their markers too.
func TestMarkers(t *testing.T) {
	seen := map[string]int{}
	for i := range maxLines {
		shape := fmt.Sprintf("%+v", marker(i, vg.Point{}, 10))
		if other, ok := seen[shape]; ok {
			t.Errorf("hues %d and %d have one marker", other, i)
		}
		seen[shape] = i
	}
}
