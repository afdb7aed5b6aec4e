package plotting

import (
	"errors"
	"fmt"
	"html"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Table is a table of measured values. Columns of numbers are aligned to the right, and fractions in a column have one number of
// places: three figures of the largest.
type Table struct {
	Caption string
	Columns []string
	// Rows have a cell for each column: text, whole numbers, fractions (NaN is shown as a dash), or anything that fmt prints.
	Rows [][]any
}

// Add appends a row of a cell for each column.
func (t *Table) Add(cells ...any) { t.Rows = append(t.Rows, cells) }

func (t Table) check() error {
	if len(t.Columns) == 0 {
		return errors.New("plotting: table: no Columns")
	}
	for i, r := range t.Rows {
		if len(r) != len(t.Columns) {
			return fmt.Errorf("plotting: table: row %d has %d cells for %d Columns", i, len(r), len(t.Columns))
		}
	}
	return nil
}

// Show displays the table in the notebook. Outside a notebook it shows nothing. The error names a row of the wrong length.
func (t Table) Show() error {
	if err := t.check(); err != nil {
		return err
	}
	return display(map[protocol.MIMEType]any{
		protocol.MIMETextHTML:     t.HTML(),
		protocol.MIMETextMarkdown: t.Markdown(),
		protocol.MIMETextPlain:    t.String(),
	}, "")
}

// texts are the cells as they are shown, one for each column whatever the rows have.
func (t Table) texts() [][]string {
	rows := make([][]string, len(t.Rows))
	for i := range rows {
		rows[i] = make([]string, len(t.Columns))
	}
	for j := range t.Columns {
		places := t.places(j)
		for i, r := range t.Rows {
			if j >= len(r) {
				continue
			}
			switch cell := r[j].(type) {
			case float64:
				if rows[i][j] = decimal(cell, places); math.IsNaN(cell) {
					rows[i][j] = "–"
				}
			case int:
				rows[i][j] = decimal(float64(cell), 0)
			case int64:
				rows[i][j] = decimal(float64(cell), 0)
			default:
				rows[i][j] = fmt.Sprint(cell)
			}
		}
	}
	return rows
}

// places is how many decimal places the fractions of a column have.
func (t Table) places(column int) int {
	largest := 0.0
	for _, r := range t.Rows {
		if column < len(r) {
			if v, ok := r[column].(float64); ok && !math.IsNaN(v) {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	switch { // 1 and 100 are ends of the scales of shares and of BLEU
	case largest <= 1:
		return 3
	case largest < 10:
		return 2
	case largest <= 100:
		return 1
	}
	return 0
}

// numeric tells which columns hold numbers only, as values or as text that begins with one.
func (t Table) numeric(rows [][]string) []bool {
	is := make([]bool, len(t.Columns))
	for j := range is {
		found := false
		is[j] = true
		for _, r := range rows {
			switch cell := strings.TrimSpace(r[j]); {
			case cell == "" || cell == "–":
			case strings.ContainsRune("0123456789.−-+", []rune(cell)[0]):
				found = true
			default:
				is[j] = false
			}
		}
		is[j] = is[j] && found
	}
	return is
}

// HTML is the table without styles but alignment, which is what an untrusted notebook keeps.
func (t Table) HTML() string {
	rows := t.texts()
	numeric := t.numeric(rows)
	var b strings.Builder
	row := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for j, cell := range cells {
			align := "left"
			if numeric[j] {
				align = "right"
			}
			fmt.Fprintf(&b, `<%[1]s align="%[2]s" style="text-align:%[2]s">%[3]s</%[1]s>`, tag, align, html.EscapeString(cell))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n")
	if t.Caption != "" {
		fmt.Fprintf(&b, "<caption>%s</caption>\n", html.EscapeString(t.Caption))
	}
	b.WriteString("<thead>\n")
	row("th", t.Columns)
	b.WriteString("</thead>\n<tbody>\n")
	for _, r := range rows {
		row("td", r)
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}

// Markdown is the table as pages of the docs have it.
func (t Table) Markdown() string {
	escape := strings.NewReplacer("|", `\|`, "\n", " ")
	rows := t.texts()
	var b strings.Builder
	row := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + escape.Replace(cell) + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Columns)
	for _, n := range t.numeric(rows) {
		if n {
			b.WriteString("|--:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, r := range rows {
		row(r)
	}
	if t.Caption != "" {
		b.WriteString("\n" + t.Caption + "\n")
	}
	return b.String()
}

// String is the table in letters of one width.
func (t Table) String() string {
	rows := t.texts()
	numeric := t.numeric(rows)
	widths := make([]int, len(t.Columns))
	lines := append([][]string{t.Columns}, rows...)
	for _, r := range lines {
		for j, cell := range r {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, r := range lines {
		var line strings.Builder
		for j, cell := range r {
			room := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell))
			if numeric[j] {
				line.WriteString(room + cell + "  ")
			} else {
				line.WriteString(cell + room + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if t.Caption != "" {
		b.WriteString(t.Caption + "\n")
	}
	return b.String()
}
