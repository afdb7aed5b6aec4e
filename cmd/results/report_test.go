package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
)

// A page names what lengths are counted in, and marks where training ended.
func TestByLength(t *testing.T) {
	bins := []results.Bin{
		{Bin: metrics.Bin{Low: 1, High: 3}, N: 7, Measures: results.Measures{results.ExactMatch: 0.5}},
		{Bin: metrics.Bin{Low: 4, High: 6}, N: 8, Measures: results.Measures{results.ExactMatch: 0.25}},
	}
	r := results.Result{Models: []results.Model{{Name: "copier", Seeds: []results.Seed{{Seed: 1, Bins: bins}}}}}
	p := &page{folder: t.TempDir(), name: "some", unit: "digits", longest: 3}
	if err := p.byLength(r, results.ExactMatch, "Without an error"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| copier | 0.500 | 0.250 |", "(n=7)", "source length (digits)", "share of sequences", "longest in training"} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %q in\n%s", want, p.String())
		}
	}
	if _, err := os.Stat(filepath.Join(p.folder, "some-exact-match.png")); err != nil {
		t.Error(err)
	}
	before := p.Len()
	if err := p.byLength(r, results.AER, "Nobody measured this"); err != nil || p.Len() != before {
		t.Errorf("a measure that no model has: %v, %q", err, p.String()[before:])
	}
}
