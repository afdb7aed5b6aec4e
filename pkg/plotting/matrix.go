package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Matrix shows a score for every pair of a row and a column as a shade and a number: models against test sets, or what one is better
// than another by. Where the scale has both signs, one hue is of those below 0 and another of those above.
type Matrix struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, the values are listed.
	Alt string

	// Rows and Columns are named from the top and from the left, and Values has a row for each. NaN is a pair that was not measured.
	Rows, Columns []string
	Values        [][]float64
	// RowsName and ColumnsName say what the rows and the columns are.
	RowsName, ColumnsName string
	// Scale is the measure. Without a range it runs over the values, and as far below 0 as above where there are both.
	Scale Axis
	// Highlight are cells with a ring around them, and HighlightName says what it means; "highlighted" where it is empty.
	Highlight     []Cell
	HighlightName string
}

// inside reports a cell that lies outside a matrix.
func inside(argument string, cells []Cell, values [][]float64) error {
	for i, c := range cells {
		if c.Row < 0 || c.Row >= len(values) || c.Column < 0 || c.Column >= len(values[0]) {
			return fmt.Errorf("plotting: %s[%d] is row %d, column %d of %d rows and %d columns", argument, i, c.Row, c.Column, len(values), len(values[0]))
		}
	}
	return nil
}

func (o Matrix) check() error {
	switch {
	case len(o.Rows) == 0:
		return errors.New("plotting: matrix: Rows is empty")
	case len(o.Columns) == 0:
		return errors.New("plotting: matrix: Columns is empty")
	case len(o.Values) != len(o.Rows):
		return fmt.Errorf("plotting: matrix: Values has %d rows for %d names in Rows", len(o.Values), len(o.Rows))
	case o.Scale.Log:
		return errors.New("plotting: matrix: Scale is logarithmic, which shades are not: give logarithms as Values")
	}
	for name, n := range map[string]int{"Rows": len(o.Rows), "Columns": len(o.Columns)} {
		if n > maxWords {
			return fmt.Errorf("plotting: matrix: %s has %d names: more than %d cannot be read", name, n, maxWords)
		}
	}
	if err := o.Scale.check("matrix: Scale"); err != nil {
		return err
	}
	drawn := false
	for i, row := range o.Values {
		if len(row) != len(o.Columns) {
			return fmt.Errorf("plotting: matrix: row %d of Values (%s) has %d columns for %d names in Columns", i, o.Rows[i], len(row), len(o.Columns))
		}
		for j, v := range row {
			switch {
			case math.IsNaN(v):
				continue
			case math.IsInf(v, 0):
				return fmt.Errorf("plotting: matrix: row %d of Values (%s) has %g in column %d", i, o.Rows[i], v, j)
			case o.Scale.beyond(v):
				return fmt.Errorf("plotting: matrix: row %d of Values (%s) has %g in column %d, beyond Scale, which runs from %g to %g", i, o.Rows[i], v, j, o.Scale.Min, o.Scale.Max)
			}
			drawn = true
		}
	}
	if !drawn {
		return errors.New("plotting: matrix: Values has no number to show")
	}
	return inside("matrix: Highlight", o.Highlight, o.Values)
}

// Figure draws the matrix. The error names the option that is wrong.
func (o Matrix) Figure() (*Figure, error) { return newFigure(o.draw) }

func (o Matrix) draw(p *press, _ vg.Point) (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	low, high := math.Inf(1), math.Inf(-1)
	unmeasured := false
	for _, v := range slices.Concat(o.Values...) {
		if math.IsNaN(v) {
			unmeasured = true
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	shades := p.weights
	if low < 0 && high > 0 && !o.Scale.fixed() {
		high = max(-low, high)
		low = -high
	}
	bar := o.Scale.cover(low, high)
	if bar.Min < 0 {
		// The middle of the map is 0, wherever the scale ends.
		far := max(-bar.Min, bar.Max)
		at := func(v float64) int { return int(math.Round((v/far + 1) / 2 * float64(len(p.signs)-1))) }
		shades = p.signs[at(bar.Min) : at(bar.Max)+1]
	}
	places := Table{Rows: cells(o.Values)}.places(0)
	f := &Figure{title: o.Title, press: p, alt: cmp.Or(o.Alt, o.describe(places))}
	if o.Caption != "" {
		f.notes = append(f.notes, o.Caption)
	}
	if unmeasured {
		f.notes = append(f.notes, "Struck cells were not measured.")
	}
	g := &grid{press: p, values: o.Values, shades: shades, bar: bar, ticks: bar.ticks(), rings: o.Highlight, ringName: cmp.Or(o.HighlightName, "highlighted"),
		number: func(v float64) string {
			if math.IsNaN(v) {
				return ""
			}
			if text := decimal(v, places); len(text) <= 9 {
				return text
			}
			return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1) // cells are not as wide as all its digits
		}}
	g.measure(o.Rows, o.Columns)
	f.body = g.body(o.ColumnsName, o.RowsName)
	f.scale = g.scale()
	return f.finish(), nil
}

// cells are all values as one column of a table, which knows how many places to show.
func cells(values [][]float64) (rows [][]any) {
	for _, v := range slices.Concat(values...) {
		rows = append(rows, []any{v})
	}
	return rows
}

// describe lists the values.
func (o Matrix) describe(places int) string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	fmt.Fprintf(&b, "Matrix of %s: %d rows, %d columns.", cmp.Or(o.Scale.Label, "scores"), len(o.Rows), len(o.Columns))
	for i, row := range o.Values {
		separator := ": "
		fmt.Fprintf(&b, " %s", o.Rows[i])
		for j, v := range row {
			value := decimal(v, places)
			if math.IsNaN(v) {
				value = "not measured"
			}
			fmt.Fprintf(&b, "%s%s %s", separator, o.Columns[j], value)
			separator = ", "
		}
		b.WriteString(".")
	}
	return b.String()
}
