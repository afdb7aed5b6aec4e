package plotting_test

import (
	"math"
	"testing"

	"seq2attn/pkg/plotting"
)

func TestDiagramErrors(t *testing.T) {
	a, b := plotting.Box{Name: "a"}, plotting.Box{Name: "b", At: plotting.Place{X: 1}}
	boxes := []plotting.Box{a, b}
	for want, d := range map[string]plotting.Diagram{
		"":                                  {Boxes: boxes, Arrows: []plotting.Arrow{{From: "a", To: "b"}}},
		"Boxes is empty":                    {},
		"Boxes[0] has no Name":              {Boxes: []plotting.Box{{Label: "x"}}},
		"two boxes are named":               {Boxes: []plotting.Box{a, a}},
		"Boxes[0] (a) is of kind 9":         {Boxes: []plotting.Box{{Name: "a", Kind: 9}}},
		"Boxes[0] (a) is at NaN, 0":         {Boxes: []plotting.Box{{Name: "a", At: plotting.Place{X: math.NaN()}}}},
		"no box is named \"c\"":             {Boxes: boxes, Arrows: []plotting.Arrow{{From: "a", To: "c"}}},
		"to itself without a way":           {Boxes: boxes, Arrows: []plotting.Arrow{{From: "a", To: "a"}}},
		"Arrows[0] leads by way of 0, +Inf": {Boxes: boxes, Arrows: []plotting.Arrow{{From: "a", To: "b", Via: []plotting.Place{{Y: math.Inf(1)}}}}},
	} {
		_, err := d.Figure()
		wantError(t, err, want)
	}
}

// Boxes of one row stay apart, whatever their text.
func TestDiagramRows(t *testing.T) {
	figure, err := plotting.Diagram{Boxes: []plotting.Box{
		{Name: "a", Label: "Donaudampfschifffahrtsgesellschaft", Kind: plotting.State},
		{Name: "b", Label: "b", At: plotting.Place{X: 0.5}},
		{Name: "c", Label: "_", Note: "x_", At: plotting.Place{X: 1.5}, Columns: 0.5, Kind: plotting.Value},
	}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	layout(t, plotting.DrawnOf(figure), true)
}
