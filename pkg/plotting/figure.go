package plotting

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is a finished drawing with its title, its notes and a description in words. It is not safe for concurrent use.
type Figure struct {
	title string
	// notes are sentences under the drawing: the caption and what the kind of figure has to say of its marks.
	notes []string
	alt   string
	body  body
	// scale is the colour bar that the body is read by; nil for none.
	scale         *body
	width, height vg.Length
	press         *press
	theme         Theme
	// make draws the figure anew, in room for it where that is given and the kind of figure can fill it.
	make     maker
	warnings []string
	warned   bool
}

type maker func(p *press, room vg.Point) (*Figure, error)

// newFigure makes a figure that can be made anew for other pages.
func newFigure(draw maker) (*Figure, error) { return (&Figure{make: draw}).remake(Paper, vg.Point{}) }

func (f *Figure) remake(t Theme, room vg.Point) (*Figure, error) {
	other, err := f.make(newPress(t), room)
	if err == nil {
		other.theme, other.make = t, f.make
	}
	return other, err
}

// body is a part of a drawing. It is as large as it needs to be and drawn from its lower left corner.
type body struct {
	width, height vg.Length
	draw          func(c *draw.Canvas)
}

// on draws the body at a place of the canvas.
func (b body) on(c draw.Canvas, x, y vg.Length) {
	low := vg.Point{X: x, Y: y}
	b.draw(&draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: b.width, Y: b.height})}})
}

const (
	titleGap = vg.Length(10)
	noteGap  = vg.Length(8)
	scaleGap = 16 * 3 * dot
)

// finish lays the parts out and takes the typesetter's warnings.
func (f *Figure) finish() *Figure {
	f.title, f.alt = plain(strings.Join(strings.Fields(f.title), " ")), plain(strings.Join(strings.Fields(f.alt), " "))
	inner := f.inner()
	f.width = dots(inner + 2*margin)
	f.height = dots(f.head(inner) + f.content() + f.foot(inner) + 2*margin)
	// Only now has all text been measured, the title and the notes last.
	f.warnings = append(f.warnings, f.press.shortened...)
	for _, r := range f.press.Missing() {
		f.warnings = append(f.warnings, fmt.Sprintf("no font has %q (U+%04X), which is drawn as a box: name a font file that has it in %s", r, r, FontsVariable))
	}
	return f
}

// inner is the width of the drawing without margins.
func (f *Figure) inner() vg.Length {
	wide := f.body.width
	if f.scale != nil {
		wide += scaleGap + f.scale.width
	}
	// A title or a note must not be squeezed under a small matrix.
	return max(wide, min(9*vg.Centimeter, max(f.press.width(f.title, titleSize, true), f.press.width(strings.Join(f.notes, " "), noteSize, false))))
}

// dots rounds a length up to whole dots.
func dots(v vg.Length) vg.Length {
	n := vg.Length(int(v / dot))
	if v-n*dot > 1e-6 {
		n++
	}
	return n * dot
}

func (f *Figure) head(width vg.Length) vg.Length {
	if f.title == "" {
		return 0
	}
	return dots(blockHeight(f.press.wrap(f.title, titleSize, true, width), titleSize) + titleGap)
}

func (f *Figure) content() vg.Length {
	if f.scale != nil {
		return max(f.body.height, f.scale.height)
	}
	return f.body.height
}

func (f *Figure) foot(width vg.Length) vg.Length {
	if len(f.notes) == 0 {
		return 0
	}
	return dots(noteGap + blockHeight(f.note(width), noteSize))
}

func (f *Figure) note(width vg.Length) string {
	return f.press.wrap(strings.Join(f.notes, " "), noteSize, false, width)
}

// draw draws the whole figure from the canvas' origin.
func (f *Figure) draw(c *draw.Canvas) {
	inner := f.width - 2*margin
	top := f.height - margin
	if f.title != "" {
		f.press.put(c, f.press.wrap(f.title, titleSize, true, inner), vg.Point{X: margin, Y: top}, style{size: titleSize, bold: true, y: atTop})
		top -= f.head(inner)
	}
	f.body.on(*c, margin, top-f.body.height)
	if f.scale != nil {
		f.scale.on(*c, margin+f.body.width+scaleGap, top-f.scale.height)
	}
	if len(f.notes) > 0 {
		f.press.put(c, f.note(inner), vg.Point{X: margin, Y: top - f.content() - noteGap}, style{size: noteSize, color: f.press.quiet, y: atTop})
	}
}

// sentence ends a title as a sentence with more to follow.
func sentence(title string) string {
	title = strings.TrimSpace(title)
	switch {
	case title == "":
		return ""
	case strings.ContainsRune(".?!:…", []rune(title)[len([]rune(title))-1]):
		return title + " "
	}
	return title + ". "
}

// Alt is what the figure shows, in words, for who cannot see it.
func (f *Figure) Alt() string { return f.alt }

// Warnings names what the figure shows otherwise than it was asked to: letters that no font has, labels that were shortened.
func (f *Figure) Warnings() []string { return slices.Clone(f.warnings) }

// warn writes the warnings to standard error, once, and what is to be said of this page.
func (f *Figure) warn(s *sheet) {
	warnings := f.warnings
	if f.warned {
		warnings = nil
	}
	f.warned = true
	if small := s.small(); small != "" {
		warnings = append(slices.Clone(warnings), small)
	}
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "plotting: figure %q: %s\n", f.title, w)
	}
}

// Save writes the figure to a file whose name ends in .png, .svg, .pdf, or .tex for LaTeX (\input it in a document with \usepackage{tikz}),
// and makes its folder. The file appears whole or, with an error, not at all. Without options the picture is that of the notebook.
func (f *Figure) Save(path string, options ...Option) error {
	extension := strings.ToLower(filepath.Ext(path))
	if formats[extension] == nil {
		return fmt.Errorf("plotting: save figure as %q: the extension %q is none of %s", path, filepath.Ext(path),
			strings.Join(slices.Sorted(maps.Keys(formats)), ", "))
	}
	var data []byte
	page, err := f.on(options...)
	if err == nil {
		f.warn(page)
		data, err = page.encode(extension)
	}
	if err == nil {
		err = writeWhole(path, data)
	}
	if err != nil {
		return fmt.Errorf("plotting: save figure as %q: %w", path, err)
	}
	return nil
}

// writeWhole makes the folder and then the file, whole or not at all.
func writeWhole(path string, data []byte) error {
	folder := filepath.Dir(path)
	return errors.Join(os.MkdirAll(folder, 0o755), renameio.WriteFile(path, data, 0o644, renameio.WithTempDir(folder)))
}
