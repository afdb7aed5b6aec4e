package plotting

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// resolution is that of PNG in dots an inch: two dots for each pixel of a screen of 96, so that it is crisp on a slide.
const resolution = 192

// dot is the size of one dot of a PNG. What lies on whole dots has sharp edges.
const dot = vg.Inch / resolution

// surface is a page of one format.
type surface interface {
	vg.CanvasSizer
	encode() ([]byte, error)
}

// formats makes the page of a figure for each file name extension.
var formats = map[string]func(*sheet) surface{
	".png": newRaster,
	".svg": newSVG,
	".pdf": newPDF,
	".tex": newTeX,
}

// raster is a page of dots, drawn by gonum/plot's own canvas but for text.
type raster struct {
	*vgimg.Canvas
	letters *typesetter
	scale   vg.Length
	dpi     int
}

func newRaster(s *sheet) surface {
	var ground color.Color = s.press.page
	if s.transparent {
		ground = color.Transparent
	}
	r := &raster{vgimg.NewWith(vgimg.UseWH(s.wide, s.high), vgimg.UseDPI(s.dpi), vgimg.UseBackgroundColor(ground)), s.press.typesetter, vg.Length(s.scale), s.dpi}
	if s.scale != 1 {
		r.Scale(s.scale, s.scale)
		vg.Initialize(r)
	}
	return r
}

// SetLineWidth and SetLineDash enlarge what the canvas' own scale leaves as it is.
func (r *raster) SetLineWidth(w vg.Length) { r.Canvas.SetLineWidth(w * r.scale) }

func (r *raster) SetLineDash(dashes []vg.Length, offset vg.Length) {
	scaled := make([]vg.Length, len(dashes))
	for i, d := range dashes {
		scaled[i] = d * r.scale
	}
	r.Canvas.SetLineDash(scaled, offset*r.scale)
}

// FillString draws the outlines of the text.
func (r *raster) FillString(f font.Face, at vg.Point, text string) {
	r.Fill(r.letters.outline(text, f.Font.Size, isBold(f.Font), at))
}

func (r *raster) encode() ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, fewColors(r.Image().(*image.RGBA)))
	return withDensity(b.Bytes(), r.dpi), err
}

// withDensity puts the number of dots an inch into a PNG, behind its header, so that other programs show it at its size.
func withDensity(data []byte, dpi int) []byte {
	const header = 8 + 25 // the signature and the chunk IHDR
	if len(data) < header {
		return data
	}
	chunk := []byte("pHYs")
	perMeter := uint32(math.Round(float64(dpi) / 0.0254))
	for range 2 {
		chunk = binary.BigEndian.AppendUint32(chunk, perMeter)
	}
	chunk = append(chunk, 1) // meters
	all := append(bytes.Clone(data[:header]), 0, 0, 0, byte(len(chunk)-4))
	all = binary.BigEndian.AppendUint32(append(all, chunk...), crc32.ChecksumIEEE(chunk))
	return append(all, data[header:]...)
}

// fewColors is the image in at most 256 colours, a quarter of the file that true colours make. Areas keep theirs; dots at the edges
// of letters and lines, which have colours of their own by the hundred, take one so near that no eye tells them apart.
func fewColors(img *image.RGBA) image.Image {
	// A run is of neighbours in a row that have one colour: most dots need no look-up.
	runs := func(visit func(c color.RGBA, from, to int)) {
		for from := 0; from < len(img.Pix); {
			to := from + 4
			for to < len(img.Pix) && [4]byte(img.Pix[to:]) == [4]byte(img.Pix[from:]) {
				to += 4
			}
			visit(color.RGBA{img.Pix[from], img.Pix[from+1], img.Pix[from+2], img.Pix[from+3]}, from/4, to/4)
			from = to
		}
	}
	type use struct{ dots, areas int } // dots of a colour, and those of them whose left neighbour has it too
	used := map[color.RGBA]use{}
	runs(func(c color.RGBA, from, to int) {
		u := used[c]
		used[c] = use{u.dots + to - from, u.areas + to - from - 1}
	})
	colors := slices.SortedFunc(maps.Keys(used), func(a, b color.RGBA) int {
		return cmp.Or(used[b].areas-used[a].areas, used[b].dots-used[a].dots, int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B), int(a.A)-int(b.A))
	})
	apart := func(a, b color.RGBA) int {
		red, green, blue, alpha := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B), int(a.A)-int(b.A)
		return red*red + green*green + blue*blue + alpha*alpha
	}
	// The first of two colours that are near each other stands for both, but for those that fill areas.
	const areas = 160
	for near := 0; near <= 24; near++ {
		var palette color.Palette
		index := map[color.RGBA]uint8{}
		for rank, c := range colors {
			best, least := 0, near*near+1
			if rank >= areas {
				for i, p := range palette {
					if d := apart(c, p.(color.RGBA)); d < least {
						best, least = i, d
					}
				}
			}
			if least > near*near {
				best = len(palette)
				if palette = append(palette, c); len(palette) > 256 {
					break
				}
			}
			index[c] = uint8(best)
		}
		if len(palette) > 256 {
			continue
		}
		few := image.NewPaletted(img.Bounds(), palette)
		runs(func(c color.RGBA, from, to int) {
			i := index[c]
			for k := from; k < to; k++ {
				few.Pix[k] = i
			}
		})
		return few
	}
	return img
}

// vector is what the pages of SVG and PDF have in common: it keeps the state that gonum/plot's canvas has and hands on outlines in
// points from the page's top left corner.
type vector struct {
	width, height vg.Length
	letters       *typesetter
	states        []state
	pen           pen
}

// pen writes outlines in one format.
type pen interface {
	fill(outline []segment, c color.NRGBA)
	stroke(outline []segment, c color.NRGBA, width float64, dashes []float64, offset float64)
	// letters fills the outlines of a line of text, whose baseline starts at the matrix' origin and is as wide as said there.
	letters(outline []segment, c color.NRGBA, text string, size, width float64, bold bool, at matrix)
}

type state struct {
	at     matrix
	color  color.NRGBA
	width  vg.Length
	dashes []vg.Length
	offset vg.Length
}

// matrix maps x, y to a·x + c·y + e, b·x + d·y + f.
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) apply(p vg.Point) point {
	x, y := p.X.Points(), p.Y.Points()
	return point{m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f}
}

// scale is by how much the matrix stretches lengths; it is the same in all directions here.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

type point struct{ x, y float64 }

// segment is a step of an outline: M to the point, L a line, Q and C curves by one and two control points, Z back to the start.
type segment struct {
	op     byte
	points [3]point // the last that op uses is where the step ends
}

func newVector(s *sheet, p pen) vector {
	v := vector{width: s.wide, height: s.high, letters: s.press.typesetter, pen: p}
	v.states = []state{{at: matrix{s.scale, 0, 0, -s.scale, 0, s.high.Points()}}}
	vg.Initialize(&v)
	return v
}

func (v *vector) now() *state { return &v.states[len(v.states)-1] }

func (v *vector) Size() (w, h vg.Length)   { return v.width, v.height }
func (v *vector) SetLineWidth(w vg.Length) { v.now().width = w }
func (v *vector) Push()                    { v.states = append(v.states, *v.now()) }
func (v *vector) Pop()                     { v.states = v.states[:len(v.states)-1] }
func (v *vector) Translate(p vg.Point)     { v.transform(matrix{1, 0, 0, 1, p.X.Points(), p.Y.Points()}) }
func (v *vector) Scale(x, y float64)       { v.transform(matrix{x, 0, 0, y, 0, 0}) }
func (v *vector) transform(m matrix)       { s := v.now(); s.at = s.at.times(m) }
func (v *vector) SetLineDash(dashes []vg.Length, offset vg.Length) {
	s := v.now()
	s.dashes, s.offset = dashes, offset
}

func (v *vector) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	v.transform(matrix{cos, sin, -sin, cos, 0, 0})
}

func (v *vector) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	v.now().color = color.NRGBAModel.Convert(c).(color.NRGBA)
}

func (v *vector) Fill(p vg.Path) {
	s := v.now()
	if outline := s.at.outline(p); len(outline) > 0 {
		v.pen.fill(outline, s.color)
	}
}

func (v *vector) Stroke(p vg.Path) {
	s := v.now()
	outline := s.at.outline(p)
	if len(outline) == 0 || s.width <= 0 {
		return
	}
	scale := s.at.scale()
	dashes := make([]float64, len(s.dashes))
	for i, d := range s.dashes {
		dashes[i] = d.Points() * scale
	}
	v.pen.stroke(outline, s.color, s.width.Points()*scale, dashes, s.offset.Points()*scale)
}

// FillString draws the outlines of the text.
func (v *vector) FillString(f font.Face, at vg.Point, text string) {
	s, size, bold := v.now(), f.Font.Size, isBold(f.Font)
	outline := s.at.outline(v.letters.outline(text, size, bold, at))
	if len(outline) == 0 {
		return
	}
	scale := s.at.scale()
	v.pen.letters(outline, s.color, plain(text), size.Points()*scale, v.letters.width(text, size, bold).Points()*scale, bold,
		s.at.times(matrix{1 / scale, 0, 0, 1 / scale, at.X.Points(), at.Y.Points()}))
}

// DrawImage fills a rectangle for each dot of the image.
func (v *vector) DrawImage(r vg.Rectangle, img image.Image) {
	b := img.Bounds()
	w, h := r.Size().X/vg.Length(b.Dx()), r.Size().Y/vg.Length(b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			corner := vg.Point{X: r.Min.X + w*vg.Length(x-b.Min.X), Y: r.Max.Y - h*vg.Length(y-b.Min.Y+1)}
			v.SetColor(img.At(x, y))
			v.Fill(vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: w, Y: h})}.Path())
		}
	}
}

// outline puts a path on the page, with arcs as cubic curves.
func (m matrix) outline(p vg.Path) []segment {
	outline := make([]segment, 0, len(p))
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			outline = append(outline, segment{'M', [3]point{m.apply(c.Pos)}})
		case vg.LineComp:
			outline = append(outline, segment{'L', [3]point{m.apply(c.Pos)}})
		case vg.CurveComp:
			switch len(c.Control) {
			case 1:
				outline = append(outline, segment{'Q', [3]point{m.apply(c.Control[0]), m.apply(c.Pos)}})
			case 2:
				outline = append(outline, segment{'C', [3]point{m.apply(c.Control[0]), m.apply(c.Control[1]), m.apply(c.Pos)}})
			default:
				panic(fmt.Sprintf("plotting: a curve with %d control points", len(c.Control)))
			}
		case vg.ArcComp:
			outline = m.arc(outline, c)
		case vg.CloseComp:
			outline = append(outline, segment{op: 'Z'})
		default:
			panic(fmt.Sprintf("plotting: path component of type %d", c.Type))
		}
	}
	return outline
}

// arc appends a line to the arc's start and then its quarters or less, each as a cubic curve (off by 0.03% of the radius at most).
func (m matrix) arc(outline []segment, c vg.PathComp) []segment {
	on := func(angle, ahead float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return c.Pos.Add(vg.Point{X: c.Radius * vg.Length(cos-ahead*sin), Y: c.Radius * vg.Length(sin+ahead*cos)})
	}
	op := byte('L')
	if len(outline) == 0 {
		op = 'M'
	}
	outline = append(outline, segment{op, [3]point{m.apply(on(c.Start, 0))}})
	pieces := int(math.Ceil(math.Abs(c.Angle) / (math.Pi / 2) * (1 - 1e-9)))
	for i := range pieces {
		step := c.Angle / float64(pieces)
		from := c.Start + float64(i)*step
		ahead := 4.0 / 3 * math.Tan(step/4)
		outline = append(outline, segment{'C', [3]point{m.apply(on(from, ahead)), m.apply(on(from+step, -ahead)), m.apply(on(from+step, 0))}})
	}
	return outline
}

// cubic are the control points of a cubic curve that is the quadratic one from now over the control point to the end.
func cubic(now, control, end point) (first, second point) {
	return point{now.x + 2*(control.x-now.x)/3, now.y + 2*(control.y-now.y)/3}, point{end.x + 2*(control.x-end.x)/3, end.y + 2*(control.y-end.y)/3}
}
