package main

import (
	"testing"

	"seq2attn/pkg/metrics"
)

func TestExperiments(t *testing.T) {
	names := map[string]bool{}
	for _, e := range experiments() {
		if names[e.name] {
			t.Errorf("two experiments are named %s", e.name)
		}
		names[e.name] = true
		models := map[string]bool{}
		for _, c := range e.models {
			if err := c.Validate(); err != nil {
				t.Errorf("%s, %s: %v", e.name, c.Name, err)
			}
			if models[c.Name] {
				t.Errorf("%s has two models named %s", e.name, c.Name)
			}
			models[c.Name] = true
		}
		if _, _, err := metrics.Group(e.bins, nil); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

func TestGrammarByLength(t *testing.T) {
	d, err := grammarByLength()
	if err != nil {
		t.Fatal(err)
	}
	trained := map[string]bool{}
	for _, p := range d.Train {
		trained[key(p.Source)] = true
	}
	for _, p := range d.Test {
		if trained[key(p.Source)] {
			t.Fatalf("%q is in the training and the test part", p.Source)
		}
	}
	if len(d.Test) != 80*6 {
		t.Errorf("%d test pairs, want 80 in each of 6 bins", len(d.Test))
	}
}

func key(words []string) (k string) {
	for _, w := range words {
		k += w + "\x00"
	}
	return k
}
