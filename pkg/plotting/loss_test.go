package plotting

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestLossErrors(t *testing.T) {
	line := []Point{{1, 2}, {2, 1}}
	for _, c := range []struct {
		loss Loss
		want string
	}{
		{Loss{Runs: []LossRun{{Name: "a", Train: line}}}, ""},
		{Loss{Runs: []LossRun{{Name: "a", Dev: line[:1]}}}, ""},
		{Loss{Runs: []LossRun{{Name: "a", Train: []Point{{0, 3}}}}}, ""},
		{Loss{Runs: []LossRun{{Name: "a"}}, Updates: 10}, ""},
		{Loss{}, "no Runs"},
		{Loss{Runs: make([]LossRun, 8)}, "8 Runs: at most 7"},
		{Loss{Runs: []LossRun{{Train: line}}}, "Runs[0] has no Name"},
		{Loss{Runs: []LossRun{{Name: "a"}, {Name: "a"}}}, `two runs are named "a"`},
		{Loss{Runs: []LossRun{{Name: "a"}}}, "Runs have no points"},
		{Loss{Runs: []LossRun{{Name: "a", Train: line}}, Updates: -1}, "Updates is -1"},
		{Loss{Runs: []LossRun{{Name: "a", Train: []Point{{1, 2}, {2, math.NaN()}}}}}, "Runs[0].Train[1] (a, update 2) is NaN"},
		{Loss{Runs: []LossRun{{Name: "a", Dev: []Point{{7, math.Inf(1)}}}}}, "Runs[0].Dev[0] (a, update 7) is +Inf"},
		{Loss{Runs: []LossRun{{Name: "a", Dev: []Point{{1, 0}}}}, Y: Axis{Log: true}}, "is 0 on a logarithmic axis"},
		{Loss{Runs: []LossRun{{Name: "a", Dev: []Point{{3, 1}, {2, 1}}}}}, "Dev[1] (a) is of update 2"},
		{Loss{Runs: []LossRun{{Name: "a", Dev: line}}, Y: Axis{Min: 2, Max: 1}}, "loss: Y runs from 2 to 1"},
	} {
		_, err := c.loss.Figure()
		wantError(t, err, c.want)
	}
}

func TestPoints(t *testing.T) {
	type mine struct{ step, value int }
	got := Points([]mine{{1, 10}, {2, 20}}, func(m mine) (int, float64) { return m.step, float64(m.value) / 10 })
	if !slices.Equal(got, []Point{{1, 1}, {2, 2}}) {
		t.Errorf("%v", got)
	}
}

// A curve of any number of points stays a small file and keeps its extremes.
func TestThin(t *testing.T) {
	const n = 200_000
	line := make([]vg.Point, n)
	for i := range line {
		line[i] = vg.Point{X: 300 * vg.Length(i) / n, Y: vg.Length(math.Sin(float64(i)))}
	}
	line[77_777].Y, line[111_111].Y = 50, -50
	kept := thin(line)
	if len(kept) > 4*601 {
		t.Errorf("%d points are left", len(kept))
	}
	if kept[0] != line[0] || kept[len(kept)-1] != line[n-1] || !slices.Contains(kept, line[77_777]) || !slices.Contains(kept, line[111_111]) {
		t.Error("an end or an extreme is gone")
	}
	if !slices.IsSortedFunc(kept, func(a, b vg.Point) int { return int(math.Copysign(1, float64(a.X-b.X))) }) {
		t.Error("points are out of order")
	}
	few := []vg.Point{{X: 1, Y: 1}, {X: 2, Y: 5}, {X: 3, Y: 2}}
	if got := thin(few); !slices.Equal(got, few) {
		t.Errorf("%v", got)
	}
	f, err := Loss{Runs: []LossRun{{Name: "a", Train: falling(n)}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if svg, err := encode(f, ".svg"); err != nil || len(svg) > 150_000 {
		t.Errorf("SVG of %d bytes: %v", len(svg), err)
	}
}

func TestApart(t *testing.T) {
	line := []vg.Point{{X: 0}, {X: 4}, {X: 9}, {X: 10}}
	if got := apart(line, 5); !slices.Equal(got, []vg.Point{{X: 10}, {X: 4}}) {
		t.Errorf("%v", got)
	}
	if got := apart(nil, 5); got != nil {
		t.Errorf("%v", got)
	}
}
