package plotting_test

import (
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/plotting"
)

func panel(t *testing.T, title string, words int, gold ...corpus.Link) *plotting.Figure {
	t.Helper()
	names := strings.Fields(strings.Repeat("word ", words))
	f, err := plotting.Heatmap{Title: title, Caption: "Same data.", Source: names, Target: names, Weights: rows(words, words, 1/float64(words)), Gold: gold}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPanels(t *testing.T) {
	panels := []*plotting.Figure{panel(t, "one", 3), panel(t, "two", 5, corpus.Link{}), panel(t, "three", 2), panel(t, "four", 4)}
	for columns, want := range map[int]int{0: 4, 1: 1, 2: 2, 9: 4} {
		figure, err := plotting.Panels{Title: "Four models", Panels: panels, Columns: columns}.Figure()
		if err != nil {
			t.Fatal(err)
		}
		drawn := plotting.DrawnOf(figure)
		layout(t, drawn, true)
		at := map[string]plotting.Spot{}
		count := map[string]int{}
		for _, l := range drawn.Labels {
			at[l.Text] = l.Corners[0]
			count[l.Text]++
		}
		// One scale, with what any panel needs explained, and one caption for what all say.
		if count["attention weight"] != 1 || count["gold link"] != 1 || count["Same data."] != 1 {
			t.Errorf("%d columns: labels %v", columns, count)
		}
		row := 0
		for _, name := range []string{"one", "two", "three", "four"} {
			if at[name].Y < at["one"].Y+15 {
				row++
			}
		}
		if row != want {
			t.Errorf("Columns %d: %d panels in the first row, not %d", columns, row, want)
		}
		if alt := figure.Alt(); !strings.HasPrefix(alt, "Four models. one. ") || !strings.Contains(alt, "four. ") {
			t.Errorf("%q", alt)
		}
	}
}

// By itself a row is no wider than a slide.
func TestPanelsColumns(t *testing.T) {
	var panels []*plotting.Figure
	for range 5 {
		panels = append(panels, panel(t, "panel", 12))
	}
	figure, err := plotting.Panels{Panels: panels}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	drawn := plotting.DrawnOf(figure)
	layout(t, drawn, true)
	if drawn.Width > 1134 || drawn.Width < 567 { // 40 and 20 cm
		t.Errorf("%.0f points wide", drawn.Width)
	}
}

func TestPanelsErrors(t *testing.T) {
	one := panel(t, "one", 2)
	for want, panels := range map[string]plotting.Panels{
		"":                 {Panels: []*plotting.Figure{one}},
		"Panels is empty":  {},
		"Panels[1] is nil": {Panels: []*plotting.Figure{one, nil}},
		"Columns is -1":    {Panels: []*plotting.Figure{one}, Columns: -1},
	} {
		_, err := panels.Figure()
		wantError(t, err, want)
	}
}
