package plotting

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
)

// svg is a page of SVG without identifiers, so that several fit into one web page, and without fonts.
type svg struct {
	vector
	title, description string
	ground             string
	body               bytes.Buffer
}

func newSVG(on *sheet) surface {
	s := &svg{title: on.title, description: on.alt}
	if !on.transparent {
		s.ground = hex(on.press.page)
	}
	s.vector = newVector(on, s)
	return s
}

func (s *svg) encode() ([]byte, error) {
	var b bytes.Buffer
	w, h := s.width.Points(), s.height.Points()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n", number(w), number(h))
	if s.title != "" {
		fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(s.title))
	}
	fmt.Fprintf(&b, "<desc>%s</desc>\n", html.EscapeString(s.description))
	if s.ground != "" {
		fmt.Fprintf(&b, `<rect width="%s" height="%s" fill="%s"/>`+"\n", number(w), number(h), s.ground)
	}
	b.Write(s.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func (s *svg) fill(outline []segment, c color.NRGBA) {
	s.body.WriteString("<path")
	s.paint("fill", c, "#000")
	s.outline(outline)
}

func (s *svg) letters(outline []segment, c color.NRGBA, text string, _, _ float64, _ bool, _ matrix) {
	fmt.Fprintf(&s.body, `<path aria-label="%s"`, html.EscapeString(text))
	s.paint("fill", c, "#000")
	s.outline(outline)
}

func (s *svg) stroke(outline []segment, c color.NRGBA, width float64, dashes []float64, offset float64) {
	s.body.WriteString(`<path fill="none" stroke-linejoin="round"`)
	s.paint("stroke", c, "none")
	if width != 1 {
		fmt.Fprintf(&s.body, ` stroke-width="%s"`, number(width))
	}
	if len(dashes) > 0 {
		s.body.WriteString(` stroke-dasharray="`)
		for i, d := range dashes {
			if i > 0 {
				s.body.WriteByte(' ')
			}
			s.body.WriteString(number(d))
		}
		s.body.WriteByte('"')
		if offset != 0 {
			fmt.Fprintf(&s.body, ` stroke-dashoffset="%s"`, number(offset))
		}
	}
	s.outline(outline)
}

// hex is a colour without its opacity.
func hex(c color.NRGBA) string {
	text := fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	if text[1] == text[2] && text[3] == text[4] && text[5] == text[6] {
		text = string([]byte{'#', text[1], text[3], text[5]})
	}
	return text
}

func (s *svg) paint(what string, c color.NRGBA, usual string) {
	if text := hex(c); text != usual {
		fmt.Fprintf(&s.body, ` %s="%s"`, what, text)
	}
	if c.A != 0xff {
		fmt.Fprintf(&s.body, ` %s-opacity="%s"`, what, number(float64(c.A)/255))
	}
}

// outline ends a path element. Steps are relative to the point before, as rounded, so that they are short and errors do not add up.
func (s *svg) outline(outline []segment) {
	s.body.WriteString(` d="`)
	var at, start point
	for _, g := range outline {
		n := map[byte]int{'M': 1, 'L': 1, 'Q': 2, 'C': 3}[g.op]
		switch {
		case g.op == 'M':
			at = point{}
			s.body.WriteByte('M')
		case g.op == 'L' && hundredths(g.points[0].y-at.y) == 0:
			s.body.WriteString("h" + number(g.points[0].x-at.x))
			at.x += hundredths(g.points[0].x - at.x)
			continue
		case g.op == 'L' && hundredths(g.points[0].x-at.x) == 0:
			s.body.WriteString("v" + number(g.points[0].y-at.y))
			at.y += hundredths(g.points[0].y - at.y)
			continue
		default:
			s.body.WriteByte(g.op + 'a' - 'A')
		}
		for i, p := range g.points[:n] {
			x, y := number(p.x-at.x), number(p.y-at.y)
			if i > 0 && x[0] != '-' {
				s.body.WriteByte(' ')
			}
			s.body.WriteString(x)
			if y[0] != '-' {
				s.body.WriteByte(' ')
			}
			s.body.WriteString(y)
		}
		if g.op == 'Z' {
			at = start
			continue
		}
		end := g.points[n-1]
		at = point{at.x + hundredths(end.x-at.x), at.y + hundredths(end.y-at.y)}
		if g.op == 'M' {
			start = at
		}
	}
	s.body.WriteString(`"/>` + "\n")
}

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }

// number is v to two places, in as few letters as SVG allows.
func number(v float64) string {
	text := strconv.FormatFloat(hundredths(v), 'f', -1, 64)
	switch {
	case text == "-0":
		return "0"
	case len(text) > 2 && text[:2] == "0.":
		return text[1:]
	case len(text) > 3 && text[:3] == "-0.":
		return "-" + text[2:]
	}
	return text
}
