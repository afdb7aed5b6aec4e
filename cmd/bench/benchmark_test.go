package main

import (
	"slices"
	"testing"

	"seq2attn/pkg/corpus"
)

func TestBenchmarks(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range benchmarks() {
		if err := b.config.Validate(); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
		if b.config.Updates >= 400 && b.kind == kindTrain {
			t.Errorf("%s: %d updates: from 400 on a report has no point for each", b.name, b.config.Updates)
		}
		for _, m := range b.measures {
			if name := b.name + m.suffix; seen[name] {
				t.Errorf("two cases are called %q", name)
			} else {
				seen[name] = true
			}
		}
		if b.kind != kindTrain {
			continue
		}
		_, batches, err := newJob(b.kind, b.config, b.task, 1)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(steady(done{answer: answer{Seconds: make([]float64, len(batches))}}, batches)); n < 10 {
			t.Errorf("%s: only %d updates count", b.name, n)
		}
	}
}

func TestSteady(t *testing.T) {
	a, b := &corpus.Batch{S: 5, T: 5}, &corpus.Batch{S: 9, T: 9}
	d := done{answer: answer{Seconds: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}}}
	batches := []*corpus.Batch{a, a, a, a, a, a, b, b, a}
	if got := steady(d, batches); !slices.Equal(got, []float64{5, 7, 8}) { // 6 compiles
		t.Errorf("steady: %v", got)
	}
	if got := meanUpdate(d, batches); got != 20./3 {
		t.Errorf("meanUpdate: %v", got)
	}
	if got := medianUpdate(d, batches); got != 7 {
		t.Errorf("medianUpdate: %v", got)
	}
}

func TestEntries(t *testing.T) {
	b := benchmark{name: "case", kind: kindWhole, measures: []measure{{"", inSeconds, wallSeconds}, {", memory", inMegabytes, peakMemory}}}
	rounds := [][]done{
		{{wall: 1, peak: 10}, {wall: 2, peak: 10}, {wall: 3, peak: 10}},
		{{wall: 4, peak: 20}, {wall: 4, peak: 40}, {wall: 4, peak: 50}},
	}
	rounds[0][0].Versions = map[string]string{"go": "1"}
	rounds[1][0].Versions = map[string]string{"torch": "2"}
	got := b.entries(rounds, nil, 2)
	if len(got) != 2 || got[0].Case != "case" || got[1].Case != "case, memory" || got[1].Unit != inMegabytes {
		t.Fatalf("entries: %+v", got)
	}
	if e := got[0]; e.Ours != 2 || e.Peer != 4 || e.Ratio != 0.5 || e.RatioMin != 0.25 || e.RatioMax != 0.75 || e.Rounds != 3 || len(e.Versions) != 2 {
		t.Errorf("time: %+v", e)
	}
	if e := got[1]; e.Ours != 10 || e.Peer != 40 || e.Ratio != 0.25 || e.RatioMin != 0.2 || e.RatioMax != 0.5 {
		t.Errorf("memory: %+v", e)
	}
	if e := b.entries(rounds[:1], nil, 2)[0]; e.Ours != 2 || e.Peer != 0 || e.Ratio != 0 {
		t.Errorf("ours alone: %+v", e)
	}
}
