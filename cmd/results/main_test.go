package main

import "testing"

func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{{"-seeds", "0", "grammar"}, {"-jobs", "0", "grammar"}, {"gramar"}, {"-nowhere"}} {
		if err := command(args); err == nil {
			t.Errorf("results %q: no error", args)
		}
	}
}

func TestChoose(t *testing.T) {
	all, err := choose(nil)
	if err != nil || len(all) == 0 {
		t.Fatalf("without a name: %d experiments, %v", len(all), err)
	}
	for _, e := range all {
		if e.real {
			t.Errorf("%s needs data from outside", e.name)
		}
	}
	if some, err := choose([]string{"europarl", "grammar"}); err != nil || len(some) != 2 || some[0].name != "europarl" || some[1].name != "grammar" {
		t.Errorf("europarl and grammar: %v, %v", some, err)
	}
	if _, err := choose([]string{"gramar"}); err == nil {
		t.Error("an unknown experiment was found")
	}
}
