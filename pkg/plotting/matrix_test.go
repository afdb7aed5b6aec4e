package plotting_test

import (
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/plotting"
)

func TestMatrixErrors(t *testing.T) {
	two, nan := []string{"a", "b"}, math.NaN()
	values := rows(2, 2, 0.5)
	for want, m := range map[string]plotting.Matrix{
		"":                                      {Rows: two, Columns: two, Values: values, Highlight: []plotting.Cell{{Row: 1, Column: 1}}},
		"Rows is empty":                         {Columns: two},
		"Columns is empty":                      {Rows: two},
		"Values has 1 rows for 2 names in Rows": {Rows: two, Columns: two, Values: rows(1, 2, 0)},
		"row 0 of Values (a) has 3 columns for 2 names in Columns":  {Rows: two, Columns: two, Values: rows(2, 3, 0)},
		"row 0 of Values (a) has +Inf in column 0":                  {Rows: two, Columns: two, Values: rows(2, 2, math.Inf(1))},
		"has 0.5 in column 0, beyond Scale, which runs from 1 to 2": {Rows: two, Columns: two, Values: values, Scale: plotting.Axis{Min: 1, Max: 2}},
		"matrix: Scale runs from 2 to 1":                            {Rows: two, Columns: two, Values: rows(2, 2, nan), Scale: plotting.Axis{Min: 2, Max: 1}},
		"Values has no number to show":                              {Rows: two, Columns: two, Values: rows(2, 2, nan)},
		"Scale is logarithmic":                                      {Rows: two, Columns: two, Values: values, Scale: plotting.Axis{Log: true}},
		"Highlight[0] is row 2, column 0 of 2 rows and 2 columns":   {Rows: two, Columns: two, Values: values, Highlight: []plotting.Cell{{Row: 2}}},
		"Rows has 101 names: more than 100 cannot be read":          {Rows: make([]string, 101), Columns: two, Values: rows(101, 2, 0)},
	} {
		_, err := m.Figure()
		wantError(t, err, want)
	}
	_, err := plotting.Heatmap{Source: two, Target: two, Weights: values, Highlight: []plotting.Cell{{Column: 5}}}.Figure()
	wantError(t, err, "heatmap: Highlight[0] is row 0, column 5")
}

// Sizes, signs and ranges at the limits give a figure whose labels are apart.
func TestMatrixLimits(t *testing.T) {
	names := func(n int, name string) []string {
		return strings.Split(strings.Repeat(name+"|", n)[:n*(len(name)+1)-1], "|")
	}
	for _, size := range [][2]int{{1, 1}, {1, 30}, {30, 1}, {60, 60}} {
		for _, v := range []float64{0, -3, 1e-9, -1e12, 1e12} {
			m := plotting.Matrix{Rows: names(size[0], "Donaudampfschifffahrt"), Columns: names(size[1], "c"), Values: rows(size[0], size[1], v), Scale: plotting.Axis{Label: "a measure with a very long name indeed, of many words"}}
			figure, err := m.Figure()
			if err != nil {
				t.Fatal(err)
			}
			layout(t, plotting.DrawnOf(figure), true)
		}
	}
}

func TestMatrixAlt(t *testing.T) {
	figure, err := plotting.Matrix{Title: "T", Rows: []string{"m"}, Columns: []string{"x", "y"}, Values: [][]float64{{-1.25, math.NaN()}}, Scale: plotting.Axis{Label: "gain"}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if want := "T. Matrix of gain: 1 rows, 2 columns. m: x −1.25, y not measured."; figure.Alt() != want {
		t.Errorf("%q", figure.Alt())
	}
}
