package seq2seq

import (
	"bytes"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// The line says what there is to say, on a line of its own, and the curve that a caller is given grows.
func TestProgress(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	var output bytes.Buffer
	var calls []Progress
	c := tiny(Cho())
	trained(t, e, c, mapped(60, 2, 4, 5), Output(&output), everyUpdate(func(p Progress) { calls = append(calls, p) }))
	text := output.String()
	for _, word := range []string{"compiling", "100%", "(6/6)", "loss ", " tokens/s", "6 updates in ", "saved in cho-"} {
		if !strings.Contains(text, word) {
			t.Errorf("the progress line never says %q:\n%q", word, text)
		}
	}
	if lines := strings.Count(text, "\n"); lines != 2 {
		t.Errorf("%d lines, want the bar and how it ended:\n%q", lines, text)
	}
	if len(calls) != 7 || !calls[6].Done || calls[5].Done {
		t.Fatalf("%d calls", len(calls))
	}
	for i, p := range calls[:6] {
		if p.Update != i+1 || p.Updates != 6 || len(p.Train) != i+1 || p.Name != "cho" || p.Loss <= 0 || p.Left < 0 {
			t.Errorf("call %d: %+v", i, p)
		}
	}
	if last := calls[6]; len(last.Dev) != 2 || last.TokensPerSecond <= 0 {
		t.Errorf("last call: %+v", last)
	}
}

// Silence is silence.
func TestQuiet(t *testing.T) {
	line := newProgressLine(nil, 3)
	line.show(Progress{Update: 1})
	line.end("not to be seen")
}
