package plotting

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tex is a picture of PGF/TikZ, to be put into a document with \input. Letters that every LaTeX has are set by it, in the font
// \plottingfont, and squeezed where they would be wider than the place that they were measured for; all others are outlines.
// It has a canvas of its own because that of gonum/plot hands text to LaTeX unescaped and in any script.
type tex struct {
	vector
	body bytes.Buffer
	// ink, thick and dashes are those set last.
	ink    color.NRGBA
	thick  float64
	dashes string
}

func newTeX(s *sheet) surface {
	t := &tex{ink: color.NRGBA{A: 0xff}}
	t.vector = newVector(s, t)
	fmt.Fprintf(&t.body, "%% A figure for LaTeX: \\usepackage{tikz} in the preamble, \\input{this file} where it is to be.\n%% %s\n", strings.ReplaceAll(s.alt, "\n", " "))
	// Ends of lines are no spaces beside the picture. Helvetica has the widths of the letters that the figure was laid out with; fonts of XeLaTeX and LuaLaTeX have other names.
	t.body.WriteString(`\begingroup%
\providecommand\plottingfont{\ifx\Umathchar\undefined\fontfamily{phv}\selectfont\else\sffamily\fi}%
\def\plottingtext#1#2#3#4{\begingroup\fontsize{#2bp}{#2bp}\plottingfont#3\setbox0\hbox{#4}\ifdim\wd0>#1bp
  \resizebox{#1bp}{\height}{#4}\else\hbox to #1bp{\hfil\unhbox0\hfil}\fi\endgroup}%
\begin{pgfpicture}
`)
	fmt.Fprintf(&t.body, "\\pgfpathrectangle{\\pgfpointorigin}{\\pgfqpoint{%sbp}{%sbp}}\n", decimals(s.wide.Points()), decimals(s.high.Points()))
	if s.transparent {
		t.body.WriteString("\\pgfusepath{use as bounding box}\n")
	} else {
		t.paint(s.press.page)
		t.body.WriteString("\\pgfusepath{fill,use as bounding box}\n")
	}
	t.body.WriteString("\\pgfsetroundjoin\n")
	return t
}

func (t *tex) encode() ([]byte, error) {
	return append(t.body.Bytes(), "\\end{pgfpicture}%\n\\endgroup%\n"...), nil
}

// decimals is v as TeX reads it: without an exponent, to a thousandth.
func decimals(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }

// paint sets the colour and opacity of what follows.
func (t *tex) paint(c color.NRGBA) {
	if c.R != t.ink.R || c.G != t.ink.G || c.B != t.ink.B {
		fmt.Fprintf(&t.body, "\\definecolor{plotting}{RGB}{%d,%d,%d}\\pgfsetcolor{plotting}\n", c.R, c.G, c.B)
	}
	if c.A != t.ink.A {
		fmt.Fprintf(&t.body, "\\pgfsetfillopacity{%[1]s}\\pgfsetstrokeopacity{%[1]s}\n", decimals(float64(c.A)/255))
	}
	t.ink = c
}

func (t *tex) fill(outline []segment, c color.NRGBA) {
	t.paint(c)
	t.outline(outline)
	t.body.WriteString("\\pgfusepath{fill}\n")
}

func (t *tex) stroke(outline []segment, c color.NRGBA, width float64, dashes []float64, offset float64) {
	t.paint(c)
	if width != t.thick {
		t.thick = width
		fmt.Fprintf(&t.body, "\\pgfsetlinewidth{%sbp}\n", decimals(width))
	}
	var pattern strings.Builder
	for _, d := range dashes {
		fmt.Fprintf(&pattern, "{%sbp}", decimals(d))
	}
	if dash := fmt.Sprintf("\\pgfsetdash{%s}{%sbp}\n", pattern.String(), decimals(offset)); dash != t.dashes && (len(dashes) > 0 || t.dashes != "") {
		t.dashes = dash
		t.body.WriteString(dash)
	}
	t.outline(outline)
	t.body.WriteString("\\pgfusepath{stroke}\n")
}

func (t *tex) letters(outline []segment, c color.NRGBA, text string, size, width float64, bold bool, at matrix) {
	set, ok := escaped(text)
	if !ok {
		t.fill(outline, c)
		return
	}
	t.paint(c)
	series := ""
	if bold {
		series = "\\bfseries"
	}
	high := t.height.Points()
	fmt.Fprintf(&t.body, "{\\pgftransformcm{%s}{%s}{%s}{%s}{\\pgfqpoint{%sbp}{%sbp}}\\pgftext[left,base]{\\plottingtext{%s}{%s}{%s}{%s}}}\n",
		decimals(at.a), decimals(-at.b), decimals(at.c), decimals(-at.d), decimals(at.e), decimals(high-at.f), decimals(width), decimals(size), series, set)
}

// escaped is text as LaTeX reads it, and whether every LaTeX has its letters: those of ASCII and of western Europe, and some signs.
func escaped(text string) (string, bool) {
	signs := map[rune]string{
		'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`, '^': `\textasciicircum{}`, '~': `\textasciitilde{}`,
		'<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`, '\'': `'`, '`': `\textasciigrave{}`, '-': `-{}`,
		'–': `--`, '—': `---`, '…': `\ldots{}`, '−': `--`, '·': `\ensuremath{\cdot}`, '×': `\ensuremath{\times}`, '’': `'`, '‘': "`",
		'æ': `\ae{}`, 'Æ': `\AE{}`, 'œ': `\oe{}`, 'Œ': `\OE{}`, 'ø': `\o{}`, 'Ø': `\O{}`, 'ß': `\ss{}`, 'ı': `\i{}`, 'ł': `\l{}`, 'Ł': `\L{}`,
	}
	// The accents of letters, which are taken apart.
	accents := map[rune]string{'\u0300': "\\`", '\u0301': `\'`, '\u0302': `\^`, '\u0303': `\~`, '\u0304': `\=`, '\u0306': `\u`, '\u0307': `\.`, '\u0308': `\"`,
		'\u030a': `\r`, '\u030b': `\H`, '\u030c': `\v`, '\u0327': `\c`}
	var b strings.Builder
	runes := []rune(norm.NFD.String(text))
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		letter, ok := signs[r]
		if !ok {
			if r > unicode.MaxASCII || !unicode.IsPrint(r) || r == '"' { // the encoding that LaTeX starts with has no straight quotes
				return "", false
			}
			letter = string(r)
		}
		if i+1 < len(runes) {
			if accent, ok := accents[runes[i+1]]; ok && unicode.IsLetter(r) {
				letter = accent + "{" + letter + "}"
				i++
			}
		}
		b.WriteString(letter)
	}
	return b.String(), true
}

func (t *tex) outline(outline []segment) {
	high := t.height.Points()
	at := func(p point) string {
		return "{\\pgfqpoint{" + decimals(p.x) + "bp}{" + decimals(high-p.y) + "bp}}"
	}
	var now, start point
	for _, s := range outline {
		q := s.points
		switch s.op {
		case 'M':
			t.body.WriteString("\\pgfpathmoveto" + at(q[0]))
			now, start = q[0], q[0]
		case 'L':
			t.body.WriteString("\\pgfpathlineto" + at(q[0]))
			now = q[0]
		case 'Q':
			first, second := cubic(now, q[0], q[1])
			t.body.WriteString("\\pgfpathcurveto" + at(first) + at(second) + at(q[1]))
			now = q[1]
		case 'C':
			t.body.WriteString("\\pgfpathcurveto" + at(q[0]) + at(q[1]) + at(q[2]))
			now = q[2]
		case 'Z':
			t.body.WriteString("\\pgfpathclose")
			now = start
		}
		t.body.WriteByte('\n')
	}
}
