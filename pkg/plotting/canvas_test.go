package plotting

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// noted keeps what a canvas hands to its pen.
type noted struct {
	outline []segment
	width   float64
	dashes  []float64
	text    string
	at      matrix
	wide    float64
}

func (n *noted) fill(outline []segment, _ color.NRGBA) { n.outline = outline }
func (n *noted) stroke(outline []segment, _ color.NRGBA, width float64, dashes []float64, _ float64) {
	n.outline, n.width, n.dashes = outline, width, dashes
}
func (n *noted) letters(outline []segment, _ color.NRGBA, text string, _, width float64, _ bool, at matrix) {
	n.outline, n.text, n.wide, n.at = outline, text, width, at
}

// blank is an empty page.
func blank(wide, high vg.Length) *sheet {
	return &sheet{Figure: &Figure{press: newPress(Paper)}, wide: wide, high: high, scale: 1}
}

func near(a, b point) bool { return math.Hypot(a.x-b.x, a.y-b.y) < 1e-9 }

func TestVectorTransforms(t *testing.T) {
	n := &noted{}
	v := newVector(blank(100, 50), n)
	v.Push()
	v.Translate(vg.Point{X: 10, Y: 20})
	v.Rotate(math.Pi / 2)
	v.Scale(2, 2)
	v.SetLineWidth(3)
	v.SetLineDash([]vg.Length{1, 2}, 0)
	var p vg.Path
	p.Move(vg.Point{X: 1})
	p.Line(vg.Point{Y: 1})
	p.Close()
	v.Stroke(p)
	// x goes up the page from (10, 20), which is 30 points below the top; y goes to the left.
	if !near(n.outline[0].points[0], point{10, 28}) || !near(n.outline[1].points[0], point{8, 30}) || n.outline[2].op != 'Z' {
		t.Errorf("%v", n.outline)
	}
	if n.width != 6 || n.dashes[1] != 4 {
		t.Errorf("width %g, dashes %g", n.width, n.dashes)
	}
	v.FillString(font.Face{Font: fontOf(10, false)}, vg.Point{}, "word")
	if n.text != "word" || math.Abs(math.Atan2(-n.at.b, n.at.a)-math.Pi/2) > 1e-9 || !near(point{n.at.e, n.at.f}, point{10, 30}) {
		t.Errorf("%q at %+v", n.text, n.at)
	}
	v.Pop()
	v.Fill(p)
	if !near(n.outline[0].points[0], point{1, 50}) {
		t.Errorf("after Pop: %v", n.outline)
	}
	n.outline = nil
	v.SetLineWidth(0)
	v.Stroke(p)
	v.Fill(nil)
	if n.outline != nil {
		t.Error("a line without width, or nothing, is drawn")
	}
}

// Arcs keep to their radius.
func TestArc(t *testing.T) {
	for _, angle := range []float64{2 * math.Pi, -math.Pi / 3, math.Pi} {
		var p vg.Path
		p.Arc(vg.Point{X: 5, Y: 5}, 2, 1, angle)
		outline := matrix{1, 0, 0, 1, 0, 0}.outline(p)
		at := outline[0].points[0]
		for _, s := range outline[1:] {
			for u := 0.0; u <= 1; u += 0.125 {
				w := 1 - u
				x := w*w*w*at.x + 3*w*w*u*s.points[0].x + 3*w*u*u*s.points[1].x + u*u*u*s.points[2].x
				y := w*w*w*at.y + 3*w*w*u*s.points[0].y + 3*w*u*u*s.points[1].y + u*u*u*s.points[2].y
				if r := math.Hypot(x-5, y-5); math.Abs(r-2) > 0.001 {
					t.Fatalf("arc of %g: %g from the centre", angle, r)
				}
			}
			at = s.points[2]
		}
		sin, cos := math.Sincos(1 + angle)
		if !near(at, point{5 + 2*cos, 5 + 2*sin}) {
			t.Errorf("arc of %g ends at %v", angle, at)
		}
	}
}

func TestFewColors(t *testing.T) {
	// An area of 100 shades in rows, and every other colour once.
	img := image.NewRGBA(image.Rect(0, 0, 64, 164))
	for y := range 100 {
		for x := range 64 {
			img.SetRGBA(x, y, color.RGBA{uint8(2 * y), uint8(y), 0xff, 0xff})
		}
	}
	for i := range 64 * 64 {
		v := uint8(i / 16)
		img.SetRGBA(i%64, 100+i/64, color.RGBA{v, v + uint8(i%16), v, 0xff})
	}
	few, ok := fewColors(img).(*image.Paletted)
	if !ok {
		t.Fatal("more than 256 colours are left")
	}
	for y := range 164 {
		for x := range 64 {
			a, b := img.RGBAAt(x, y), color.RGBAModel.Convert(few.At(x, y)).(color.RGBA)
			d := math.Hypot(math.Hypot(float64(a.R)-float64(b.R), float64(a.G)-float64(b.G)), float64(a.B)-float64(b.B))
			if y < 100 && d != 0 || d > 24 {
				t.Fatalf("%d, %d: %v became %v", x, y, a, b)
			}
		}
	}
	// Few colours stay what they are.
	plain := image.NewRGBA(image.Rect(0, 0, 3, 1))
	plain.SetRGBA(1, 0, color.RGBA{1, 2, 3, 0xff})
	plain.SetRGBA(2, 0, color.RGBA{1, 2, 4, 0xff})
	if got := fewColors(plain); got.At(2, 0) != (color.RGBA{1, 2, 4, 0xff}) || got.At(0, 0) != (color.RGBA{}) {
		t.Errorf("%v, %v", got.At(0, 0), got.At(2, 0))
	}
}

// A page of 16 cm has two dots for a pixel.
func TestRasterSize(t *testing.T) {
	f := small(t)
	data, err := encode(f, ".png")
	if err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if want := int(math.Round(float64(f.width/vg.Inch) * 192)); config.Width != want {
		t.Errorf("%d dots wide, not %d", config.Width, want)
	}
}

func TestDrawImage(t *testing.T) {
	n := &noted{}
	v := newVector(blank(10, 10), n)
	img := image.NewGray(image.Rect(0, 0, 2, 2))
	v.DrawImage(vg.Rectangle{Max: vg.Point{X: 4, Y: 4}}, img)
	// The last dot is the lower right one.
	if !near(n.outline[0].points[0], point{2, 10}) {
		t.Errorf("%v", n.outline)
	}
}
