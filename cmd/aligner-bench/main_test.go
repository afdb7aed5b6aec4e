package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Our side writes a lexicon in each direction.
func TestOurs(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("the house ||| das Haus\nthe book ||| das Buch\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ours(text, text+".out"); err != nil {
		t.Fatal(err)
	}
	for direction, line := range map[string]string{"forward": "the\tdas\t", "backward": "das\tthe\t"} {
		written, err := os.ReadFile(text + ".out." + direction)
		if err != nil || !strings.Contains("\n"+string(written), "\n"+line) {
			t.Errorf("%s: %q, %v, want a line %q", direction, written, err, line)
		}
	}
	if err := ours(text+" absent", text); err == nil {
		t.Error("no error without a text")
	}
}

func TestTable(t *testing.T) {
	sides := []side{{name: "ours", version: "1"}, {name: "peer", version: "2"}}
	got := table(sides, [][]cost{{{10, 15, 500}, {12, 16, 510}, {11, 14, 505}}, {{20, 40, 900}, {20, 41, 910}, {20, 42, 920}}}, 7)
	for _, want := range []string{"7 pairs, 5 iterations", "of 3 rounds", "| ours | 1 | 11.0 s | 1.00 | 1.00 | 1.00 | 15.0 s | 505 MB |",
		"| peer | 2 | 20.0 s | 0.55 | 0.50 | 0.60 | 41.0 s | 910 MB |"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
}

func TestRun(t *testing.T) {
	if c, err := run(context.Background(), []string{"true"}); err != nil || !(c.wall > 0 && c.memory > 0) {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := run(context.Background(), []string{"sh", "-c", "echo broken >&2; exit 3"}); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("%v, want what it complained of", err)
	}
}

func TestCommandErrors(t *testing.T) {
	t.Setenv("SEQ2ATTN_ALIGNERS", "/nowhere/python")
	for args, part := range map[string]string{"": "make bench-aligners", "x": `"x"`, "-rounds 0": "-rounds is 0", "-pairs 0": "-pairs 0", "-pairs 100001": "100001"} {
		if err := command(context.Background(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, want an error with %q", args, err, part)
		}
	}
	t.Setenv("SEQ2ATTN_ALIGNERS", "false")
	if err := command(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "fast_align is not in") {
		t.Errorf("%v", err)
	}
}
