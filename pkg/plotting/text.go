package plotting

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
	plotfont "gonum.org/v1/plot/font"
	plottext "gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// FontsVariable names the environment variable with the font files (TrueType or OpenType, separated as in PATH) that are asked for
// letters which the fonts in the binary lack. Where it is unset, the system's fonts are.
const FontsVariable = "SEQ2ATTN_FONTS"

// Extents of a line of text, in ems. They are those of Liberation Sans, whose letters most figures have.
const (
	ascent  = 0.905
	descent = 0.212
	// capitals is the height of capital letters and figures: text is centred on a point by half of it.
	capitals = 0.69
	leading  = 1.25
)

// builtin are the fonts in the binary, regular and bold, first choice first. A parsed font is never changed.
var builtin = sync.OnceValue(func() (fonts [2][]*font.Font) {
	for bold, files := range [2][][]byte{
		{liberationsansregular.TTF, dejavusans.TTF},
		{liberationsansbold.TTF, dejavusansbold.TTF},
	} {
		for _, ttf := range files {
			face, err := font.ParseTTF(bytes.NewReader(ttf))
			if err != nil {
				panic(fmt.Sprintf("plotting: a font in the binary cannot be read: %v", err))
			}
			fonts[bold] = append(fonts[bold], face.Font)
		}
	}
	return fonts
})

// quiet drops what the font scan says of fonts it cannot read: they are not ours.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

var systemFonts = sync.OnceValue(func() []fontscan.Footprint {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	found, err := fontscan.SystemFonts(quiet{}, filepath.Join(cache, "seq2attn"))
	if err != nil {
		return nil // a system without fonts: the missing letters are reported
	}
	return found
})

// typesetter measures text and turns it into outlines. It is not safe for concurrent use.
type typesetter struct {
	faces     [2][]*font.Face // regular, bold
	shaper    shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
	wrapper   shaping.LineWrapper
	lines     map[lineKey]*line
	// asked are runes that were looked for beyond the built-in fonts; missing those that no font has.
	asked, missing map[rune]bool
	shortened      []string  // what shorten has to say
	smallest       vg.Length // size of a text; 0 before there is one
}

type lineKey struct {
	bold bool
	text string
}

// line is one line of shaped text, in ems from the start of its baseline.
type line struct {
	width  float64
	glyphs []glyph
	// seen is the text in the order of the page from left to right, which is not that of reading where Hebrew or Arabic is in it.
	seen string
}

type glyph struct {
	face *font.Face
	id   font.GID
	x, y float64
}

func newTypesetter() *typesetter {
	t := &typesetter{lines: map[lineKey]*line{}, asked: map[rune]bool{}, missing: map[rune]bool{}}
	for bold, fonts := range builtin() {
		for _, f := range fonts {
			t.faces[bold] = append(t.faces[bold], font.NewFace(f))
		}
	}
	return t
}

// Missing are the characters met so far that no font has, in order.
func (t *typesetter) Missing() []rune { return slices.Sorted(maps.Keys(t.missing)) }

// resolver chooses the face of each rune.
type resolver struct {
	*typesetter
	bold int
}

func (r resolver) ResolveFace(char rune) *font.Face {
	for _, face := range r.faces[r.bold] {
		if _, ok := face.NominalGlyph(char); ok {
			return face
		}
	}
	main := r.faces[r.bold][0]
	if !unicode.IsGraphic(char) || unicode.Is(unicode.Variation_Selector, char) {
		return main // a joiner or a control, which draws nothing
	}
	if !r.asked[char] {
		r.asked[char] = true
		if face := findFace(char); face != nil {
			r.faces[0], r.faces[1] = append(r.faces[0], face), append(r.faces[1], face)
			return face
		}
		r.missing[char] = true
	}
	return main
}

// findFace looks beyond the fonts in the binary for one with an outline for the character.
func findFace(char rune) *font.Face {
	open := func(path string, index uint16) *font.Face {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		faces, err := font.ParseTTC(bytes.NewReader(data)) // one font is a collection of one
		if err != nil || int(index) >= len(faces) {
			return nil
		}
		id, ok := faces[index].NominalGlyph(char)
		if !ok {
			return nil
		}
		if _, ok := faces[index].GlyphData(id).(font.GlyphOutline); !ok {
			return nil // a coloured picture
		}
		return faces[index]
	}
	if files, set := os.LookupEnv(FontsVariable); set {
		for _, path := range filepath.SplitList(files) {
			if face := open(path, 0); face != nil {
				return face
			}
		}
		return nil
	}
	for _, plain := range []bool{true, false} {
		for _, f := range systemFonts() {
			isPlain := f.Aspect.Style == font.StyleNormal && f.Aspect.Weight == font.WeightNormal
			if isPlain == plain && f.Runes.Contains(char) {
				if face := open(f.Location.File, f.Location.Index); face != nil {
					return face
				}
			}
		}
	}
	return nil
}

// shape lays out one line of text.
func (t *typesetter) shape(text string, bold bool) *line {
	key := lineKey{bold, text}
	if l, ok := t.lines[key]; ok {
		return l
	}
	l := &line{}
	t.lines[key] = l
	runes := []rune(plain(text))
	if len(runes) == 0 {
		return l
	}
	const em = 1024
	direction := di.DirectionLTR
	if rightToLeft(runes) {
		direction = di.DirectionRTL
	}
	weight := 0
	if bold {
		weight = 1
	}
	inputs := t.segmenter.Split(shaping.Input{Text: runes, RunEnd: len(runes), Direction: direction, Size: fixed.I(em),
		Language: language.NewLanguage("en")}, resolver{t, weight})
	runs := make([]shaping.Output, len(inputs))
	for i, in := range inputs {
		runs[i] = t.shaper.Shape(in)
	}
	// The wrapper puts runs of both directions into the order they are seen in.
	lines, _ := t.wrapper.WrapParagraphF(shaping.WrapConfig{Direction: direction, BreakPolicy: shaping.Never,
		DisableTrailingWhitespaceTrim: true}, fixed.Int26_6(math.MaxInt32), runes, shaping.NewSliceIterator(runs))
	for _, wrapped := range lines {
		seen := slices.Clone(wrapped)
		slices.SortStableFunc(seen, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
		for _, run := range seen {
			part := string(runes[run.Runes.Offset : run.Runes.Offset+run.Runes.Count])
			if run.Direction.Progression() == di.TowardTopLeft {
				part = backwards(part)
			}
			l.seen += part
			for _, g := range run.Glyphs {
				l.glyphs = append(l.glyphs, glyph{run.Face, g.GlyphID, l.width + ems(g.XOffset)/em, ems(g.YOffset) / em})
				l.width += ems(g.Advance) / em
			}
		}
	}
	return l
}

// backwards turns the order of letters round, each with its marks behind it.
func backwards(text string) string {
	var letters []string
	for g := graphemes.FromString(text); g.Next(); {
		letters = append(letters, g.Value())
	}
	slices.Reverse(letters)
	return strings.Join(letters, "")
}

// plain is text as it can be shown and stored: composed, valid UTF-8, and without the control characters that no XML may have.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\uFFFE' || r == '\uFFFF' {
			return '\uFFFD'
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD")))
}

func ems(v fixed.Int26_6) float64 { return float64(v) / 64 }

// rightToLeft tells whether the first letter with a direction of its own is one of Hebrew, Arabic or the like.
func rightToLeft(runes []rune) bool {
	for _, r := range runes {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

// width is that of the widest line of text.
func (t *typesetter) width(text string, size vg.Length, bold bool) (w vg.Length) {
	if text != "" && (size < t.smallest || t.smallest == 0) {
		t.smallest = size
	}
	for l := range strings.SplitSeq(text, "\n") {
		w = max(w, vg.Length(t.shape(l, bold).width)*size)
	}
	return w
}

// outline is one line of text as a path to fill, from the start of its baseline.
func (t *typesetter) outline(text string, size vg.Length, bold bool, at vg.Point) (path vg.Path) {
	for _, g := range t.shape(text, bold).glyphs {
		outline, ok := g.face.GlyphData(g.id).(font.GlyphOutline)
		if !ok {
			continue
		}
		unit := float64(size) / float64(g.face.Upem())
		point := func(p opentype.SegmentPoint) vg.Point {
			return vg.Point{
				X: at.X + vg.Length(g.x)*size + vg.Length(float64(p.X)*unit),
				Y: at.Y + vg.Length(g.y)*size + vg.Length(float64(p.Y)*unit),
			}
		}
		open := false
		for _, s := range outline.Segments {
			switch s.Op {
			case opentype.SegmentOpMoveTo:
				if open {
					path.Close()
				}
				open = true
				path.Move(point(s.Args[0]))
			case opentype.SegmentOpLineTo:
				path.Line(point(s.Args[0]))
			case opentype.SegmentOpQuadTo:
				path.QuadTo(point(s.Args[0]), point(s.Args[1]))
			case opentype.SegmentOpCubeTo:
				path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
			}
		}
		if open {
			path.Close()
		}
	}
	return path
}

// wrap breaks text into lines that are no wider than the width: at spaces, and within words that are wider, as text without spaces is.
func (t *typesetter) wrap(text string, size vg.Length, bold bool, width vg.Length) string {
	fits := func(line string) bool { return t.width(line, size, bold) <= width }
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		current := ""
		for _, word := range strings.Fields(paragraph) {
			longer := strings.TrimSpace(current + " " + word)
			if current != "" && !fits(longer) {
				lines, longer = append(lines, current), word
			}
			for current = longer; !fits(current); {
				first := longestPart(current, fits)
				if first == current { // one letter
					break
				}
				lines, current = append(lines, first), current[len(first):]
			}
		}
		lines = append(lines, current)
	}
	return strings.Join(lines, "\n")
}

// longestPart is as many of the first letters of a word as fit, at least one.
func longestPart(word string, fits func(string) bool) string {
	end := 0
	for g := graphemes.FromString(word); g.Next(); {
		if end > 0 && !fits(word[:g.End()]) {
			break
		}
		end = g.End()
	}
	return word[:end]
}

// shorten takes letters from the middle of a text that is wider than the width, and notes that.
func (t *typesetter) shorten(text string, size vg.Length, width vg.Length) string {
	if t.width(text, size, false) <= width {
		return text
	}
	short := "…"
	runes := []rune(plain(text))
	for keep := len(runes) - 1; keep > 1; keep-- {
		s := string(runes[:(keep+1)/2]) + "…" + string(runes[len(runes)-keep/2:])
		if t.width(s, size, false) <= width {
			short = s
			break
		}
	}
	if note := fmt.Sprintf("%q is too long for its place and shortened to %q", text, short); !slices.Contains(t.shortened, note) {
		t.shortened = append(t.shortened, note)
	}
	return short
}

// The typesetter is gonum/plot's text handler too, so that axes are set in the same letters as all else.
var _ plottext.Handler = (*typesetter)(nil)

// Cache is of no use to us.
func (t *typesetter) Cache() *plotfont.Cache { return nil }

// Extents are the same for all fonts.
func (t *typesetter) Extents(f plotfont.Font) plotfont.Extents {
	return plotfont.Extents{Ascent: ascent * f.Size, Descent: descent * f.Size, Height: (ascent + descent) * f.Size}
}

// Lines are separated by line feeds.
func (t *typesetter) Lines(text string) []string {
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

// Box is the space that a line takes.
func (t *typesetter) Box(text string, f plotfont.Font) (width, height, depth vg.Length) {
	return t.width(text, f.Size, isBold(f)), ascent * f.Size, descent * f.Size
}

// Draw draws text in lines. The baseline of the last is at the point where YAlign is 0, which is what the boxes of gonum/plot's
// text style and axes suppose.
func (t *typesetter) Draw(c vg.Canvas, text string, style plottext.Style, at vg.Point) {
	if text == "" {
		return
	}
	c.Push()
	defer c.Pop()
	c.SetColor(style.Color)
	c.Translate(at)
	c.Rotate(style.Rotation)
	size := style.Font.Size
	lines := t.Lines(text)
	more := leading * vg.Length(len(lines)-1)
	y := (more + (ascent+descent+more)*vg.Length(style.YAlign)) * size
	for _, l := range lines {
		x := vg.Length(style.XAlign) * t.width(l, size, isBold(style.Font))
		c.FillString(plotfont.Face{Font: style.Font}, vg.Point{X: x, Y: y}, l)
		y -= leading * size
	}
}

func isBold(f plotfont.Font) bool { return f.Weight >= xfont.WeightSemiBold }

func fontOf(size vg.Length, bold bool) plotfont.Font {
	f := plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return f
}
