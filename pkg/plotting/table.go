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

// Table is a table of measured values. Columns of numbers are aligned to the right.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]string
}

// Add appends a row of one value for each column: text as it is, whole numbers with commas between thousands, other numbers to
// three figures, NaN as a dash, anything else as fmt prints it.
func (t *Table) Add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			row[i] = v
		case int:
			row[i] = decimal(float64(v), 0)
		case int64:
			row[i] = decimal(float64(v), 0)
		case float64:
			if row[i] = short(v); math.IsNaN(v) {
				row[i] = "–"
			}
		default:
			row[i] = fmt.Sprint(v)
		}
	}
	t.Rows = append(t.Rows, row)
}

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

// rows are the rows with a cell for each column, whatever the table has.
func (t Table) rows() [][]string {
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = make([]string, len(t.Columns))
		copy(rows[i], r)
	}
	return rows
}

// numeric tells which columns hold numbers only.
func (t Table) numeric() []bool {
	is := make([]bool, len(t.Columns))
	for j := range is {
		found := false
		is[j] = true
		for _, r := range t.rows() {
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
	numeric := t.numeric()
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
	for _, r := range t.rows() {
		row("td", r)
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}

// Markdown is the table as pages of the docs have it.
func (t Table) Markdown() string {
	escape := strings.NewReplacer("|", `\|`, "\n", " ")
	var b strings.Builder
	row := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + escape.Replace(cell) + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Columns)
	for _, n := range t.numeric() {
		if n {
			b.WriteString("|--:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, r := range t.rows() {
		row(r)
	}
	if t.Caption != "" {
		b.WriteString("\n" + t.Caption + "\n")
	}
	return b.String()
}

// String is the table in letters of one width.
func (t Table) String() string {
	numeric := t.numeric()
	widths := make([]int, len(t.Columns))
	lines := append([][]string{t.Columns}, t.rows()...)
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
