package main

import "testing"

func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"-seeds", "0", "grammar"}, {"-jobs", "0", "grammar"}, {"gramar"}, {"-nowhere"}} {
		if err := command(args); err == nil {
			t.Errorf("results %q: no error", args)
		}
	}
}
