package recurrent_test

import (
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"
)

// TestTrains has an encoder-decoder with attention learn one batch under GoMLX's trainer, by clipped Adam.
func TestTrains(t *testing.T) {
	s := size{v: 7, e: 8, h: 12, t: 4, b: 16}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		trainer, batch := s.trainer(e), s.batch()
		first := update(t, trainer, batch)
		var last float32
		for range 60 {
			last = update(t, trainer, batch)
		}
		if !(last < first/4) {
			t.Errorf("loss %g at first and %g after 60 updates on one batch", first, last)
		}
	})
}

// TestTrainsAlike has the same training with the loop, with its steps written out, and on the pure Go engine.
func TestTrainsAlike(t *testing.T) {
	s := size{v: 7, e: 4, h: 6, t: 3, b: 5}
	losses := func(kind engine.Kind, options ...Option) [][]float64 {
		trainer, batch := s.trainer(enginetest.Open(t, kind), options...), s.batch()
		var losses []float64
		for range 10 {
			losses = append(losses, float64(update(t, trainer, batch)))
		}
		return [][]float64{losses}
	}
	loop := losses(engine.XLA)
	compare(t, "loss, steps written out", losses(engine.XLA, Unrolled()), loop, 1e-5)
	compare(t, "loss, pure Go", losses(engine.Go), loop, 1e-5)
}
