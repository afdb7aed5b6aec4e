package main

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestDo(t *testing.T) {
	shell := func(script string) side { return side{"a side", []string{"sh", "-c", script}, []string{"WORDS=7"}} }
	j := job{Folder: t.TempDir()}
	d, err := shell(`[ -f "$0" ] && echo "{\"Words\": $WORDS}"`).do(t.Context(), j)
	if err != nil || d.Words != 7 || d.wall <= 0 || d.peak <= 0 {
		t.Errorf("do: %+v, %v", d, err)
	}
	for _, c := range []struct{ script, says string }{
		{"echo this is wrong >&2; exit 3", "a side: exit status 3\nthis is wrong"},
		{"echo hello", `its answer "hello\n"`},
	} {
		if _, err := shell(c.script).do(t.Context(), j); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", c.script, err, c.says)
		}
	}
}

func TestSides(t *testing.T) {
	for _, threads := range []int{1, runtime.NumCPU()} {
		ours, peer, err := sides(threads, "a-python")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []side{ours, peer} {
			if pinned := s.command[0] == "taskset"; pinned != (threads < runtime.NumCPU()) {
				t.Errorf("%d threads: %v", threads, s.command)
			}
		}
		if !slices.Contains(peer.command, "a-python") {
			t.Errorf("the peer is run by %v", peer.command)
		}
	}
}
