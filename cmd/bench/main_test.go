package main

import (
	"strings"
	"testing"
)

func TestCommandRefuses(t *testing.T) {
	t.Setenv("SEQ2ATTN_PYTORCH", "/nowhere/python")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"small"}, "-only"},
		{[]string{"-rounds", "0"}, "-rounds is 0"},
		{[]string{"-threads", "0"}, "-threads is 0"},
		{[]string{"-threads", "100000"}, "number of cores"},
		{[]string{"-ours", "/nowhere/job.json"}, "/nowhere/job.json"},
		{nil, "make bench"},
	} {
		if err := command(t.Context(), c.args); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: error %v, want %q", c.args, err, c.says)
		}
	}
}

func TestCompareUnknown(t *testing.T) {
	if err := compare(t.Context(), laboratory{rounds: 1}, "no such case"); err == nil || !strings.Contains(err.Error(), "update, small") {
		t.Errorf("error %v, want the names there are", err)
	}
}
