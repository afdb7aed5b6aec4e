package plotting

import (
	"image/color"
	"math"
)

// Drawn is what a figure draws, for tests of where things are.
type Drawn struct {
	Width, Height float64
	Labels        []Label
	// Lines are the steps of strokes and of the edges of fills; curves are taken as their chords.
	Lines []Segment
	Fills [][]Spot
}

// Spot is a place on the page in points from its top left corner.
type Spot struct{ X, Y float64 }

type Segment struct {
	From, To Spot
	Width    float64
	Color    color.NRGBA
}

// Label is a line of text with the corners of the box that its letters just fit into, turned as the text is.
type Label struct {
	Text    string
	Corners [4]Spot
	Angle   float64 // counterclockwise
}

// DrawnOf draws the figure and notes what is drawn.
func DrawnOf(f *Figure, options ...Option) Drawn {
	s, err := f.on(options...)
	if err != nil {
		panic(err)
	}
	r := &recorder{}
	r.vector = newVector(s, r)
	s.draw(r)
	r.Width, r.Height = s.wide.Points(), s.high.Points()
	return r.Drawn
}

type recorder struct {
	vector
	Drawn
}

func (r *recorder) encode() ([]byte, error) { return nil, nil }

func (r *recorder) lines(outline []segment, width float64, c color.NRGBA) (spots []Spot) {
	var at, start Spot
	for _, s := range outline {
		to := start
		if n := map[byte]int{'M': 1, 'L': 1, 'Q': 2, 'C': 3}[s.op]; n > 0 {
			to = Spot{s.points[n-1].x, s.points[n-1].y}
		}
		if s.op == 'M' {
			start = to
		} else {
			r.Lines = append(r.Lines, Segment{at, to, width, c})
		}
		at = to
		spots = append(spots, at)
	}
	return spots
}

func (r *recorder) fill(outline []segment, c color.NRGBA) {
	r.Fills = append(r.Fills, r.lines(outline, 0, c))
}

func (r *recorder) stroke(outline []segment, c color.NRGBA, width float64, _ []float64, _ float64) {
	r.lines(outline, width, c)
}

func (r *recorder) letters(outline []segment, _ color.NRGBA, text string, _, _ float64, _ bool, at matrix) {
	angle := math.Atan2(-at.b, at.a)
	sin, cos := math.Sincos(angle)
	low, high := Spot{math.Inf(1), math.Inf(1)}, Spot{math.Inf(-1), math.Inf(-1)}
	for _, s := range outline {
		for _, p := range s.points[:map[byte]int{'M': 1, 'L': 1, 'Q': 2, 'C': 3}[s.op]] {
			// Turned back, so that the text is level.
			x, y := p.x*cos-p.y*sin, p.x*sin+p.y*cos
			low, high = Spot{min(low.X, x), min(low.Y, y)}, Spot{max(high.X, x), max(high.Y, y)}
		}
	}
	label := Label{Text: text, Angle: angle}
	for i, p := range []Spot{low, {high.X, low.Y}, high, {low.X, high.Y}} {
		label.Corners[i] = Spot{p.X*cos + p.Y*sin, -p.X*sin + p.Y*cos}
	}
	r.Labels = append(r.Labels, label)
}

// FileOf is the figure as a file of the format, for tests outside of the package.
func FileOf(f *Figure, extension string, options ...Option) ([]byte, error) {
	return encode(f, extension, options...)
}
