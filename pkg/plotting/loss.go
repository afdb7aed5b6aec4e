package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Point is a loss after some updates.
type Point struct {
	Update int
	Loss   float64
}

// Points makes points of anything that has an update and a loss:
//
//	plotting.Points(report.Dev, func(p seq2seq.Point) (int, float64) { return p.Update, p.Loss })
func Points[T any](items []T, of func(T) (update int, loss float64)) []Point {
	points := make([]Point, len(items))
	for i, item := range items {
		points[i].Update, points[i].Loss = of(item)
	}
	return points
}

// Loss shows how the loss of one or more trainings falls, finished or not.
type Loss struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, first, last and lowest values are told.
	Alt string

	Runs []LossRun
	// Updates is where the horizontal axis ends; 0 is the last update there is. Given the number that is planned, the axis stands
	// still while a training goes on.
	Updates int
	// Y is the axis of losses: "loss (nats a token)" where it has no label, logarithmic or not.
	Y Axis
}

// LossRun is one training: Train is drawn as a thin line with a few small markers, Dev as a bold one with
// a marker at each point. Either may be empty.
type LossRun struct {
	Name       string
	Train, Dev []Point
}

func (o Loss) check() error {
	if len(o.Runs) == 0 {
		return errors.New("plotting: loss: no Runs")
	}
	if len(o.Runs) > maxLines {
		return fmt.Errorf("plotting: loss: %d Runs: at most %d can be told apart", len(o.Runs), maxLines)
	}
	if o.Updates < 0 {
		return fmt.Errorf("plotting: loss: Updates is %d", o.Updates)
	}
	if err := o.Y.check("loss: Y"); err != nil {
		return err
	}
	for i, r := range o.Runs {
		if r.Name == "" {
			return fmt.Errorf("plotting: loss: Runs[%d] has no Name", i)
		}
		if slices.ContainsFunc(o.Runs[:i], func(other LossRun) bool { return other.Name == r.Name }) {
			return fmt.Errorf("plotting: loss: two runs are named %q", r.Name)
		}
		for part, points := range map[string][]Point{"Train": r.Train, "Dev": r.Dev} {
			for k, p := range points {
				switch {
				case math.IsNaN(p.Loss) || math.IsInf(p.Loss, 0):
					return fmt.Errorf("plotting: loss: Runs[%d].%s[%d] (%s, update %d) is %g", i, part, k, r.Name, p.Update, p.Loss)
				case o.Y.Log && p.Loss <= 0:
					return fmt.Errorf("plotting: loss: Runs[%d].%s[%d] (%s, update %d) is %g on a logarithmic axis", i, part, k, r.Name, p.Update, p.Loss)
				case p.Update < 0 || k > 0 && p.Update < points[k-1].Update:
					return fmt.Errorf("plotting: loss: Runs[%d].%s[%d] (%s) is of update %d: updates rise from 0", i, part, k, r.Name, p.Update)
				}
			}
		}
	}
	return nil
}

// Figure draws the loss. Runs without points yet have empty axes where Updates is given. The error names the option that is wrong.
func (o Loss) Figure() (*Figure, error) { return newFigure(o.draw) }

func (o Loss) draw(t *press, room vg.Point) (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	low, high, last := math.Inf(1), math.Inf(-1), o.Updates
	dev := false
	for _, r := range o.Runs {
		for _, p := range slices.Concat(r.Train, r.Dev) {
			low, high = min(low, p.Loss), max(high, p.Loss)
			if o.Updates == 0 {
				last = max(last, p.Update)
			}
		}
		dev = dev || len(r.Dev) > 0
	}
	if math.IsInf(low, 0) {
		if o.Updates == 0 {
			return nil, errors.New("plotting: loss: Runs have no points, and Updates is not given")
		}
		low, high = 0.1, 10
	}
	y := o.Y
	y.Label = cmp.Or(y.Label, "loss (nats a token)")
	y = y.cover(low, high)
	x := Axis{Label: "updates", Max: float64(max(last, 1))}
	f := newFrame(t, x, y, nil)
	var lines []painter
	for i, r := range o.Runs {
		look := look{press: t, hue: i}
		name, end := r.Name, y.Max // a run without points is named at the top, where its curve will begin
		if n := len(r.Train); n > 0 {
			lines = append(lines, look.train(r.Train))
			end = r.Train[n-1].Loss
			if dev {
				f.keys = append(f.keys, key{name + ", train", look.trainSample, end})
			}
		}
		if n := len(r.Dev); n > 0 {
			lines = append(lines, look.dev(r.Dev))
			f.keys = append(f.keys, key{name + ", dev", look.sample, r.Dev[n-1].Loss})
		}
		if !dev {
			f.keys = append(f.keys, key{name, look.trainSample, end})
		}
	}
	for _, l := range lines {
		f.plot.Add(l)
	}
	figure := &Figure{title: o.Title, alt: cmp.Or(o.Alt, o.describe(y.Label)), press: t}
	if o.Caption != "" {
		figure.notes = []string{o.Caption}
	}
	if o.Y.beyond(low) || o.Y.beyond(high) {
		figure.notes = append(figure.notes, beyondNote)
	}
	f.fill(figure, room)
	return figure.finish(), nil
}

const trainMarker = vg.Length(2.2)

func (l look) trainLine() draw.LineStyle {
	return draw.LineStyle{Color: faded(l.hues[l.hue], 0.65), Width: 1.1}
}

func (l look) trainSample(c *draw.Canvas, from, to vg.Point) {
	c.StrokeLines(l.trainLine(), []vg.Point{from, to})
	l.drawMarker(c, l.hue, from.Add(to).Scale(0.5), trainMarker)
}

// train draws a line that may have thousands of points, a few of which carry a small marker.
func (l look) train(points []Point) painter {
	return func(c draw.Canvas, p *plot.Plot) {
		line := onCanvas(points, c, p)
		c.StrokeLines(l.trainLine(), c.ClipLinesXY(thin(line))...)
		for _, at := range apart(line, 60) {
			if c.Contains(at) {
				l.drawMarker(&c, l.hue, at, trainMarker)
			}
		}
	}
}

func (l look) dev(points []Point) painter {
	return func(c draw.Canvas, p *plot.Plot) {
		line := onCanvas(points, c, p)
		c.StrokeLines(l.line(), c.ClipLinesXY(thin(line))...)
		for _, at := range apart(line, 22) {
			if c.Contains(at) {
				l.mark(&c, at)
			}
		}
	}
}

func onCanvas(points []Point, c draw.Canvas, p *plot.Plot) []vg.Point {
	x, y := p.Transforms(&c)
	line := make([]vg.Point, len(points))
	for i, q := range points {
		line[i] = vg.Point{X: x(float64(q.Update)), Y: y(q.Loss)}
	}
	return line
}

// thin keeps of a line what can be seen of it: first, lowest, highest and last in each half point of width.
func thin(line []vg.Point) []vg.Point {
	const width = vg.Length(0.5)
	var kept []vg.Point
	for i := 0; i < len(line); {
		low, high, next := i, i, i
		for ; next < len(line) && line[next].X < line[i].X+width; next++ {
			if line[next].Y < line[low].Y {
				low = next
			}
			if line[next].Y > line[high].Y {
				high = next
			}
		}
		places := []int{i, low, high, next - 1}
		slices.Sort(places)
		for _, k := range slices.Compact(places) {
			kept = append(kept, line[k])
		}
		i = next
	}
	return kept
}

// apart chooses points for markers, at least so far from each other, the last always.
func apart(line []vg.Point, far vg.Length) []vg.Point {
	var chosen []vg.Point
	for i := len(line) - 1; i >= 0; i-- {
		if n := len(chosen); n == 0 || chosen[n-1].X-line[i].X >= far {
			chosen = append(chosen, line[i])
		}
	}
	return chosen
}

func (o Loss) describe(measure string) string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	fmt.Fprintf(&b, "Curves of %s against updates.", measure)
	for _, r := range o.Runs {
		for _, part := range []struct {
			name   string
			points []Point
		}{{"train", r.Train}, {"dev", r.Dev}} {
			if len(part.points) == 0 {
				continue
			}
			first, last := part.points[0], part.points[len(part.points)-1]
			least := slices.MinFunc(part.points, func(a, b Point) int { return cmp.Compare(a.Loss, b.Loss) })
			fmt.Fprintf(&b, " %s, %s: %s at %s, %s at %s, lowest %s at %s.", r.Name, part.name, short(first.Loss), decimal(float64(first.Update), 0),
				short(last.Loss), decimal(float64(last.Update), 0), short(least.Loss), decimal(float64(least.Update), 0))
		}
	}
	return b.String()
}
