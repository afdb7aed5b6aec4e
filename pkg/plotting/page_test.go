package plotting

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestPageSizes(t *testing.T) {
	matrix := small(t)
	curves, err := Curves{Title: "A title", At: []float64{1, 2}, Lines: []Line{{Name: "a", Values: Once([]float64{1, 2})}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*Figure{"heatmap": matrix, "curves": curves} {
		for _, c := range []struct {
			name      string
			options   []Option
			wide      int // dots of the PNG; 0 for what follows
			high      int
			dpi       float64
			wideAsSVG float64 // points
		}{
			{"slide", []Option{In(Slide)}, 2560, 1440, 192, 960},
			{"slide, coarser", []Option{DPI(96), In(DarkSlide)}, 1280, 720, 96, 960},
			{"both in cm", []Option{Size(8, 6)}, 605, 454, 192, 226.77},
			{"for print", []Option{Size(8.5, 0), DPI(600)}, 2008, 0, 600, 240.94},
			{"height", []Option{Size(0, 6)}, 0, 454, 192, 0},
			{"pixels", []Option{Pixels(1920, 1080)}, 1920, 1080, 96, 1440},
			{"pixels, dense", []Option{Pixels(1921, 0), DPI(192)}, 1921, 0, 192, 720.38},
			{"upright slide", []Option{In(Slide), Pixels(600, 900)}, 600, 900, 96, 450},
			{"last wins", []Option{Pixels(3, 3), Size(8, 6)}, 605, 454, 192, 226.77},
		} {
			t.Run(name+" "+c.name, func(t *testing.T) {
				data, err := encode(f, ".png", c.options...)
				if err != nil {
					t.Fatal(err)
				}
				img, err := png.DecodeConfig(bytes.NewReader(data))
				if err != nil {
					t.Fatal(err)
				}
				if c.wide != 0 && img.Width != c.wide || c.high != 0 && img.Height != c.high {
					t.Errorf("%d × %d dots, not %d × %d", img.Width, img.Height, c.wide, c.high)
				}
				i := bytes.Index(data, []byte("pHYs"))
				perMeter := int(data[i+4])<<24 | int(data[i+5])<<16 | int(data[i+6])<<8 | int(data[i+7])
				if math.Abs(float64(perMeter)*0.0254-c.dpi) > 0.1 {
					t.Errorf("%d dots a meter, not %g an inch", perMeter, c.dpi)
				}
				svg, err := encode(f, ".svg", c.options...)
				if err != nil {
					t.Fatal(err)
				}
				said := regexp.MustCompile(`width="([0-9.]+)pt"`).FindSubmatch(svg)
				wide, err := strconv.ParseFloat(string(said[1]), 64)
				if err != nil || c.wideAsSVG != 0 && math.Abs(wide-c.wideAsSVG) > 0.02 {
					t.Errorf("the SVG is %g points wide, not %g: %v", wide, c.wideAsSVG, err)
				}
			})
		}
	}
}

func TestPageErrors(t *testing.T) {
	f := small(t)
	for want, option := range map[string]Option{
		"In: theme 7 is none of Paper, Slide, Dark and DarkSlide": In(7),
		"DPI is 0":                    DPI(0),
		"DPI is 9999":                 DPI(9999),
		"Size is -1 × 3":              Size(-1, 3),
		"Size is NaN × 3":             Size(math.NaN(), 3),
		"Size is 1e+09 × 3":           Size(1e9, 3),
		"Size is 0.1 × 3":             Size(0.1, 3),
		"Pixels is -5 × 0":            Pixels(-5, 0),
		"million dots at 192 an inch": Size(300, 300),
	} {
		err := f.Save(t.TempDir()+"/a.png", option)
		wantError(t, err, want)
		if !strings.Contains(want, "dots") { // outside a notebook no picture is made
			wantError(t, f.Show(option), want)
		}
	}
}

// Who saves what cannot be read is told.
func TestSmallText(t *testing.T) {
	few := small(t)
	many, err := Heatmap{Source: words(60), Target: words(60), Weights: diagonal(60)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f       *Figure
		options []Option
		want    string
	}{
		{few, nil, ""}, {many, nil, ""}, {few, []Option{In(Slide)}, ""}, {few, []Option{Size(2, 0)}, "take a larger Size"},
		{many, []Option{In(Slide)}, "at the back of a hall"}, {many, []Option{Size(8, 0)}, "2.2 points on a page of 8 × 7.2 cm"},
	} {
		s, err := c.f.on(c.options...)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.small(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

func TestTransparent(t *testing.T) {
	for _, theme := range []Theme{Paper, DarkSlide} {
		f := small(t)
		for _, transparent := range []bool{false, true} {
			options := []Option{In(theme)}
			if transparent {
				options = append(options, Transparent())
			}
			data, err := encode(f, ".png", options...)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			want := theme.inks().page
			if transparent {
				want = color.NRGBA{}
			}
			if got := color.NRGBAModel.Convert(img.At(1, 1)); got != want {
				t.Errorf("%v, transparent %v: the corner is %v", theme, transparent, got)
			}
			svg, err := encode(f, ".svg", options...)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(svg), "<rect") == transparent {
				t.Errorf("%v, transparent %v: %.300s", theme, transparent, svg)
			}
		}
	}
}

// A theme changes colours, and nothing of what is said.
func TestThemesSayTheSame(t *testing.T) {
	f := small(t)
	before, err := encode(f, ".png")
	if err != nil {
		t.Fatal(err)
	}
	for _, theme := range []Theme{Slide, Dark, DarkSlide} {
		s, err := f.on(In(theme))
		if err != nil {
			t.Fatal(err)
		}
		if s.Alt() != f.Alt() || s.title != f.title {
			t.Errorf("%v: %q", theme, s.Alt())
		}
	}
	if after, err := encode(f, ".png"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the figure itself has changed: %v", err)
	}
}
