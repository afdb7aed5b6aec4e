package plotting

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strings"
	"time"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-pdf/fpdf"
)

// pdf is a page of PDF. Text is drawn as outlines, with the same text in invisible letters above it for searching and copying:
// gonum/plot's PDF writes no letter beyond ASCII, and outlines need no shaping by the viewer.
type pdf struct {
	vector
	doc *fpdf.Fpdf
}

// invisible is the family of the letters that are not seen; its widths are stretched to those that are.
const invisible = "invisible"

func newPDF(s *sheet) surface {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: s.wide.Points(), Ht: s.high.Points()}})
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.SetTitle(s.title, true)
	doc.SetSubject(s.alt, true)
	doc.SetCreator("seq2attn", true)
	// The same figure is the same file.
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Unix(0, 0).UTC())
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.AddPage()
	doc.SetLineJoinStyle("round")
	doc.AddUTF8FontFromBytes(invisible, "", dejavusans.TTF)
	p := &pdf{doc: doc}
	p.vector = newVector(s, p)
	// A page without a ground is shown on white.
	if !s.transparent && s.press.page != (color.NRGBA{0xff, 0xff, 0xff, 0xff}) {
		p.doc.SetFillColor(int(s.press.page.R), int(s.press.page.G), int(s.press.page.B))
		p.doc.Rect(0, 0, s.wide.Points(), s.high.Points(), "F")
	}
	return p
}

func (p *pdf) encode() ([]byte, error) {
	var b bytes.Buffer
	err := p.doc.Output(&b)
	return b.Bytes(), err
}

func (p *pdf) fill(outline []segment, c color.NRGBA) {
	p.doc.SetFillColor(int(c.R), int(c.G), int(c.B))
	p.doc.SetAlpha(float64(c.A)/255, "Normal")
	p.outline(outline)
	p.doc.DrawPath("F")
}

func (p *pdf) stroke(outline []segment, c color.NRGBA, width float64, dashes []float64, offset float64) {
	p.doc.SetDrawColor(int(c.R), int(c.G), int(c.B))
	p.doc.SetAlpha(float64(c.A)/255, "Normal")
	p.doc.SetLineWidth(width)
	p.doc.SetDashPattern(dashes, offset)
	p.outline(outline)
	p.doc.DrawPath("D")
}

func (p *pdf) letters(outline []segment, c color.NRGBA, text string, size, width float64, bold bool, at matrix) {
	p.fill(outline, c)
	// Readers take letters as they stand from left to right, and find out the order of reading. fpdf writes letters of the basic plane only.
	text = strings.Map(func(r rune) rune {
		if r > 0xffff {
			return '\uFFFD'
		}
		return r
	}, p.vector.letters.shape(text, bold).seen)
	p.doc.SetFont(invisible, "", size)
	own := p.doc.GetStringWidth(text)
	if own <= 0 {
		return
	}
	// Readers find words in lines along the page's sides only; the letters of a tilted word stand upright.
	const quarter = math.Pi / 2
	angle := quarter * math.Floor(math.Atan2(-at.b, at.a)/quarter+0.51)
	p.doc.TransformBegin()
	p.doc.TransformRotate(angle*180/math.Pi, at.e, at.f)
	p.doc.RawWriteStr(fmt.Sprintf("3 Tr %.2f Tz", 100*width/own))
	p.doc.Text(at.e, at.f, text)
	p.doc.TransformEnd()
}

func (p *pdf) outline(outline []segment) {
	var at, start point
	for _, s := range outline {
		q := s.points
		switch s.op {
		case 'M':
			p.doc.MoveTo(q[0].x, q[0].y)
			at, start = q[0], q[0]
		case 'L':
			p.doc.LineTo(q[0].x, q[0].y)
			at = q[0]
		case 'Q': // PDF has cubic curves only
			end, control := q[1], q[0]
			first, second := cubic(at, control, end)
			p.doc.CurveBezierCubicTo(first.x, first.y, second.x, second.y, end.x, end.y)
			at = end
		case 'C':
			p.doc.CurveBezierCubicTo(q[0].x, q[0].y, q[1].x, q[1].y, q[2].x, q[2].y)
			at = q[2]
		case 'Z':
			p.doc.ClosePath()
			at = start
		}
	}
}
