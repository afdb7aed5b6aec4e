package results

import (
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/metrics"
)

func TestBands(t *testing.T) {
	m := example().Models[0]
	bands, err := m.Bands(BLEU)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []struct {
		bin            string
		n              int
		mean, min, max float64
	}{{"1-10", 80, 92, 90, 94}, {"11-20", 0, 0, 0, 0}, {"21-30", 40, 46, 45, 47}} {
		b := bands[k]
		if b.Bin.String() != want.bin || b.N != want.n || b.Empty() != (want.n == 0) || b.Spread.Mean != want.mean || b.Spread.Min != want.min || b.Spread.Max != want.max {
			t.Errorf("%+v, want %+v", b, want)
		}
	}
	for part, change := range map[string]func(m *Model){
		"not measured":                     func(m *Model) { m.Seeds[0].Bins = nil },
		"different sentences":              func(m *Model) { m.Seeds[1].Bins = m.Seeds[1].Bins[:1] },
		"seeds 1 and 2":                    func(m *Model) { m.Seeds[1].Bins[2].N = 41 },
		"at 1-10 measured in 1 of 2 seeds": func(m *Model) { delete(m.Seeds[1].Bins[0].Measures, BLEU) },
		"at 1-10":                          func(m *Model) { m.Seeds[1].Bins[0].Measures[BLEU] = math.NaN() },
		"model \"Bahdanau\"":               func(m *Model) { m.Seeds = nil },
	} {
		m := example().Models[0]
		change(&m)
		if got, err := m.Bands(BLEU); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, %v, want an error with %q", got, err, part)
		}
	}
}

func TestSteps(t *testing.T) {
	m := example().Models[0]
	m.Seeds[1].Curve = m.Seeds[1].Curve[:2] // the second seed stopped early
	steps, err := m.Steps(TrainLoss)
	if err != nil || len(steps) != 2 {
		t.Fatal(steps, err)
	}
	if s := steps[0]; s.Update != 100 || s.Spread.N != 2 || s.Spread.Min != 1.0/94 || s.Spread.Max != 1.0/90 {
		t.Errorf("%+v", s)
	}
	if s := steps[1]; s.Update != 200 || s.Spread.N != 1 || s.Spread.Mean != 0.5/90 {
		t.Errorf("%+v", s)
	}
	bins, err := m.StepsOfBin(BLEU, metrics.Bin{Low: 1, High: 10})
	if err != nil || len(bins) != 2 || bins[0].Update != 100 || bins[0].Spread.Mean != 92 || bins[1].Spread.Mean != 90 {
		t.Errorf("%+v, %v", bins, err)
	}
	if got, err := m.Steps(AER); err == nil {
		t.Errorf("%v, want an error", got)
	}
	if got, err := m.StepsOfBin(BLEU, metrics.Bin{Low: 21, High: 30}); err == nil {
		t.Errorf("%v, want an error", got)
	}
	m.Seeds[0].Curve[1].Measures[TrainLoss] = math.Inf(1)
	if got, err := m.Steps(TrainLoss); err == nil || !strings.Contains(err.Error(), "update 100") {
		t.Errorf("%v, %v, want an error", got, err)
	}
}

func TestOverall(t *testing.T) {
	m := example().Models[1]
	if got, err := m.Overall(BLEU); err != nil || got.Mean != 44 || got.N != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := m.Overall(AER); err == nil || !strings.Contains(err.Error(), "seed 1") {
		t.Errorf("%v, %v, want an error", got, err)
	}
	m.Seeds[0].Measures[BLEU] = math.NaN()
	if got, err := m.Overall(BLEU); err == nil {
		t.Errorf("%v, want an error", got)
	}
	m.Seeds = nil
	if got, err := m.Overall(BLEU); err == nil {
		t.Errorf("%v, want an error", got)
	}
}
