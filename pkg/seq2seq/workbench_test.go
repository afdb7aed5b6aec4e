package seq2seq

import (
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// A machine that trained before trains the next model as a new one would; of the configuration, only what changes the graph or the optimizer asks for another.
func TestMachinesAreReused(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	d := mapped(60, 2, 4, 5)
	c := tiny(Bahdanau())
	c.Dropout, c.TeacherForcing = 0.1, 0.8
	own := trained(t, e, c, d, Engine(e))
	bench := NewWorkbench(e)
	other := c
	other.Seed, other.LearningRate, other.Updates, other.Name, other.Schedule = 9, 1e-3, 4, "other", ScheduleConstant
	other.EmbeddingDeviation, other.ClipNorm = 2, 0.5
	trained(t, e, other, d, On(bench))
	again := trained(t, e, c, d, On(bench))
	sameWeights(t, again, own)
	if n := len(bench.free); n != 1 {
		t.Errorf("%d structures were built, want 1", n)
	}
	other.Optimizer = "sgd"
	trained(t, e, other, d, On(bench))
	if n := len(bench.free); n != 2 {
		t.Errorf("%d structures were built, want 2", n)
	}
}

// No variable is left for GoMLX to start by a graph.
func TestEverythingStartsInGo(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	for _, optimizer := range []string{"adam", "sgd"} {
		c := tiny(Bahdanau())
		c.Optimizer = optimizer
		m, err := NewWorkbench(e).take(c, 9, 9)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.start(c); err != nil {
			t.Fatal(err)
		}
		before := map[string]bool{}
		for v := range m.state.IterVariables() {
			if !v.HasValue() {
				t.Errorf("%s has no value", v.Path())
			}
			before[v.Path()] = true
		}
		d := mapped(60, 2, 4, 5)
		r := &training{machine: m, Run: &Run{Config: c}}
		if r.Source, r.Target, err = vocabularies(c, d); err != nil {
			t.Fatal(err)
		}
		if err := r.makeBatches(d); err != nil {
			t.Fatal(err)
		}
		for number, batch := range r.batches.From(0) {
			if err := r.update(number, batch); err != nil {
				t.Fatal(err)
			}
			break
		}
		for v := range m.state.IterVariables() {
			if !before[v.Path()] {
				t.Errorf("%s was declared by the graph", v.Path())
			}
		}
	}
}

// What a graph depends on only in some window or with some score asks for another graph there, and nowhere else.
func TestGraphsOfWindowsAndScores(t *testing.T) {
	for _, test := range []struct {
		name   string
		base   func(*Config)
		change func(*Config)
		same   bool
	}{
		{"order of the source, global", func(c *Config) {}, func(c *Config) { c.ReverseSource, c.SourceEOS = false, false }, true},
		{"order of the source, local-m", func(c *Config) { c.Window = WindowLocalM }, func(c *Config) { c.ReverseSource = false }, false},
		{"EOS, local-m", func(c *Config) { c.Window = WindowLocalM }, func(c *Config) { c.SourceEOS = false }, false},
		{"longest pair, general", func(c *Config) {}, func(c *Config) { c.MaxLength = 9 }, true},
		{"longest pair, location", func(c *Config) { c.Attention = ScoreLocation }, func(c *Config) { c.MaxLength = 9 }, false},
		{"window by name", func(c *Config) {}, func(c *Config) { c.Window = WindowGlobal }, true},
		{"window", func(c *Config) {}, func(c *Config) { c.Window = WindowLocalP }, false},
		{"score", func(c *Config) {}, func(c *Config) { c.Attention = ScoreDot }, false},
		{"wiring", func(c *Config) {}, func(c *Config) { c.Wiring = WiringLuong }, false},
	} {
		a := Luong()
		test.base(&a)
		b := a
		test.change(&b)
		if same := a.trainingGraph(9, 9) == b.trainingGraph(9, 9); same != test.same {
			t.Errorf("%s: one training graph %v, want %v", test.name, same, test.same)
		}
		if same := a.decodingGraph(9, 9) == b.decodingGraph(9, 9); same != test.same {
			t.Errorf("%s: one decoding graph %v, want %v", test.name, same, test.same)
		}
	}
	a, b := Luong(), Luong()
	b.AttentionDropout, b.CoverageLoss, b.WarmUp = 0.1, 1, 9
	if a.decodingGraph(9, 9) != b.decodingGraph(9, 9) || a.trainingGraph(9, 9) == b.trainingGraph(9, 9) {
		t.Error("attention dropout and the coverage loss are in training's graph, and in no other")
	}
}
