package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels puts figures into one, row by row, under one title. Heatmaps share one colour scale, which is the same for all anyway.
type Panels struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, those of the panels are joined.
	Alt string

	Panels []*Figure
	// Columns is the number of panels in a row; 0 is as many as fit beside each other on a slide.
	Columns int
}

const panelGap = 20 * dot * 2

// Figure draws the panels. The error names the option that is wrong.
func (o Panels) Figure() (*Figure, error) { return newFigure(o.draw) }

func (o Panels) draw(t *press, _ vg.Point) (*Figure, error) {
	if len(o.Panels) == 0 {
		return nil, errors.New("plotting: panels: Panels is empty")
	}
	if o.Columns < 0 {
		return nil, fmt.Errorf("plotting: panels: Columns is %d", o.Columns)
	}
	f := &Figure{title: o.Title, press: t}
	if o.Caption != "" {
		f.notes = append(f.notes, o.Caption)
	}
	var alts []string
	cells := make([]body, len(o.Panels))
	heads := make([]vg.Length, len(o.Panels))
	columns := o.Columns
	var wide vg.Length
	for i, p := range o.Panels {
		if p == nil {
			return nil, fmt.Errorf("plotting: panels: Panels[%d] is nil", i)
		}
		cells[i] = p.body
		if f.scale == nil || p.scale != nil && p.scale.height > f.scale.height { // the one that explains most marks
			f.scale = cmp.Or(p.scale, f.scale)
		}
		for _, n := range p.notes {
			if !slices.Contains(f.notes, n) {
				f.notes = append(f.notes, n)
			}
		}
		f.warnings = append(f.warnings, p.warnings...)
		alts = append(alts, p.alt)
		wide += p.body.width + panelGap
		if o.Columns == 0 && (columns == 0 || wide <= maxWidth*0.8) && columns == i {
			columns = i + 1
		}
	}
	columns = min(columns, len(o.Panels))
	f.alt = cmp.Or(o.Alt, sentence(o.Title)+strings.Join(alts, " "))

	rows := (len(cells) + columns - 1) / columns
	widths, heights := make([]vg.Length, columns), make([]vg.Length, rows)
	for i, b := range cells {
		widths[i%columns] = max(widths[i%columns], b.width)
	}
	const size = labelSize
	titles := make([]string, len(cells))
	for i, p := range o.Panels {
		titles[i] = f.press.wrap(p.title, size, true, widths[i%columns])
		if p.title != "" {
			heads[i] = dots(blockHeight(titles[i], size) + 6)
		}
	}
	// Titles of a row have one height, so that matrices stand side by side.
	head := make([]vg.Length, rows)
	for i, b := range cells {
		head[i/columns] = max(head[i/columns], heads[i])
		heights[i/columns] = max(heights[i/columns], b.height)
	}
	for i := range cells {
		f.body.width = max(f.body.width, sum(widths[:i%columns+1])+panelGap*vg.Length(i%columns))
	}
	f.body.height = sum(head) + sum(heights) + panelGap*vg.Length(rows-1)
	f.body.draw = func(c *draw.Canvas) {
		top := c.Max.Y
		for r := range rows {
			x := c.Min.X
			for i := r * columns; i < min(len(cells), (r+1)*columns); i++ {
				f.press.put(c, titles[i], vg.Point{X: x, Y: top}, style{size: size, bold: true, y: atTop})
				cells[i].on(*c, x, top-head[r]-cells[i].height)
				x += widths[i%columns] + panelGap
			}
			top -= head[r] + heights[r] + panelGap
		}
	}
	return f.finish(), nil
}

func sum(lengths []vg.Length) (total vg.Length) {
	for _, l := range lengths {
		total += l
	}
	return total
}
