package seq2seq

import (
	"bytes"
	"math"
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

// The loss that is shown is a mean over tokens in which the latest updates count most.
func TestRecent(t *testing.T) {
	var r recent
	r.add(3, 1, 1)
	if r != (recent{3, 1, 1}) {
		t.Errorf("one update makes %+v", r)
	}
	for range 500 {
		r.add(20, 10, 0.5)
	}
	if loss, pace := r.nats/r.tokens, r.tokens/r.seconds; math.Abs(loss-2) > 1e-6 || math.Abs(pace-20) > 1e-6 {
		t.Errorf("2 nats a token at 20 tokens a second make %v at %v", loss, pace)
	}
	r.add(100, 10, 0.5)
	if loss := r.nats / r.tokens; loss <= 2 || loss > 3 {
		t.Errorf("one batch at 10 nats a token moves the loss from 2 to %v", loss)
	}
}

// Silence is silence.
func TestQuiet(t *testing.T) {
	line := newProgressLine(nil, 3)
	line.show(Progress{Update: 1})
	line.end("not to be seen")
}
