package plotting

import (
	"math"
	"strings"
	"testing"
)

func table() *Table {
	t := &Table{Caption: "One <seed>.", Columns: []string{"model", "BLEU", "n|m"}}
	t.Add("a|b & <c>", 93.24, 1200)
	t.Add("été", math.NaN(), int64(3))
	t.Add(nil, -0.5, true)
	return t
}

func TestTableString(t *testing.T) {
	want := "model      BLEU  n|m\n" +
		"a|b & <c>  93.2  1,200\n" +
		"été           –  3\n" +
		"<nil>      −0.5  true\n" +
		"One <seed>.\n"
	if got := table().String(); got != want {
		t.Errorf("\n%s", got)
	}
}

func TestTableMarkdown(t *testing.T) {
	want := "| model | BLEU | n\\|m |\n|---|--:|---|\n| a\\|b & <c> | 93.2 | 1,200 |\n| été | – | 3 |\n| <nil> | −0.5 | true |\n\nOne <seed>.\n"
	if got := table().Markdown(); got != want {
		t.Errorf("\n%s", got)
	}
}

func TestTableHTML(t *testing.T) {
	got := table().HTML()
	for _, want := range []string{
		"<caption>One &lt;seed&gt;.</caption>",
		`<td align="left" style="text-align:left">a|b &amp; &lt;c&gt;</td>`,
		`<th align="right" style="text-align:right">BLEU</th>`,
		`<td align="right" style="text-align:right">–</td>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// Fractions of a column line up.
func TestTablePlaces(t *testing.T) {
	for want, column := range map[string][]float64{
		"0.950 1.000 0.001": {0.95, 1, 0.001},
		"5.31 −9.99":        {5.314, -9.99},
		"93.2 100.0 4.0":    {93.24, 100, 4},
		"1,204 3":           {1204.4, 2.7},
		"–":                 {math.NaN()},
	} {
		table := Table{Columns: []string{"a"}}
		for _, v := range column {
			table.Add(v)
		}
		var got []string
		for _, r := range table.texts() {
			got = append(got, r[0])
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s, not %s", text, want)
		}
	}
}

func TestTableErrors(t *testing.T) {
	wantError(t, Table{}.Show(), "no Columns")
	wantError(t, Table{Columns: []string{"a"}}.Show(), "")
	ragged := Table{Columns: []string{"a", "b"}, Rows: [][]any{{"1", 2}, {"1"}}}
	wantError(t, ragged.Show(), "row 1 has 1 cells for 2 Columns")
	if got := ragged.String(); got != "a  b\n1  2\n1\n" {
		t.Errorf("%q", got)
	}
}
