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
	letters       *typesetter
	warnings      []string
	warned        bool
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
	inner := f.body.width
	if f.scale != nil {
		inner += scaleGap + f.scale.width
	}
	// A title or a note must not be squeezed under a small matrix.
	inner = max(inner, min(9*vg.Centimeter, max(f.letters.width(f.title, titleSize, true), f.letters.width(strings.Join(f.notes, " "), noteSize, false))))
	f.width = dots(inner + 2*margin)
	f.height = dots(f.head(inner) + f.content() + f.foot(inner) + 2*margin)
	// Only now has all text been measured, the title and the notes last.
	f.warnings = append(f.warnings, f.letters.shortened...)
	for _, r := range f.letters.Missing() {
		f.warnings = append(f.warnings, fmt.Sprintf("no font has %q (U+%04X), which is drawn as a box: name a font file that has it in %s", r, r, FontsVariable))
	}
	return f
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
	return dots(blockHeight(f.letters.wrap(f.title, titleSize, true, width), titleSize) + titleGap)
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
	return f.letters.wrap(strings.Join(f.notes, " "), noteSize, false, width)
}

// draw draws the whole figure.
func (f *Figure) draw(s surface) {
	c := draw.New(s)
	inner := f.width - 2*margin
	top := f.height - margin
	if f.title != "" {
		f.letters.put(&c, f.letters.wrap(f.title, titleSize, true, inner), vg.Point{X: margin, Y: top}, style{size: titleSize, bold: true, y: atTop})
		top -= f.head(inner)
	}
	f.body.on(c, margin, top-f.body.height)
	if f.scale != nil {
		f.scale.on(c, margin+f.body.width+scaleGap, top-f.scale.height)
	}
	if len(f.notes) > 0 {
		f.letters.put(&c, f.note(inner), vg.Point{X: margin, Y: top - f.content() - noteGap}, style{size: noteSize, color: quietInk, y: atTop})
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

// warn writes the warnings to standard error, once.
func (f *Figure) warn() {
	if !f.warned {
		f.warned = true
		for _, w := range f.warnings {
			fmt.Fprintf(os.Stderr, "plotting: figure %q: %s\n", f.title, w)
		}
	}
}

// encode is the figure as a file of the format.
func (f *Figure) encode(extension string) ([]byte, error) {
	page := formats[extension](f)
	f.draw(page)
	return page.encode()
}

// Save writes the figure to a file whose name ends in .png (two dots for a pixel of the notebook), .svg or .pdf, and makes its
// folder. The file appears whole or, with an error, not at all.
func (f *Figure) Save(path string) error {
	extension := strings.ToLower(filepath.Ext(path))
	if formats[extension] == nil {
		return fmt.Errorf("plotting: save figure as %q: the extension %q is none of %s", path, filepath.Ext(path),
			strings.Join(slices.Sorted(maps.Keys(formats)), ", "))
	}
	f.warn()
	data, err := f.encode(extension)
	if err == nil {
		folder := filepath.Dir(path)
		err = errors.Join(os.MkdirAll(folder, 0o755), renameio.WriteFile(path, data, 0o644, renameio.WithTempDir(folder)))
	}
	if err != nil {
		return fmt.Errorf("plotting: save figure as %q: %w", path, err)
	}
	return nil
}
