package recurrent_test

import (
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"
)

// TestTrains has an encoder-decoder with attention learn one batch under GoMLX's trainer by clipped Adam: the same with the loop, with its steps
// written out, and on the pure Go engine.
func TestTrains(t *testing.T) {
	s := size{v: 7, e: 4, h: 6, t: 3, b: 5}
	losses := func(kind engine.Kind, updates int, options ...Option) []float64 {
		trainer, batch := s.trainer(enginetest.Open(t, kind), options...), s.batch()
		var losses []float64
		for range updates {
			losses = append(losses, float64(update(t, trainer, batch)))
		}
		return losses
	}
	const few = 10
	pure := losses(engine.Go, 100)
	if first, last := pure[0], pure[len(pure)-1]; !(last < first/2) {
		t.Errorf("loss %g at first and %g after %d updates on one batch", first, last, len(pure))
	}
	loop := losses(engine.XLA, few)
	compare(t, "loss, pure Go", [][]float64{pure[:few]}, [][]float64{loop}, 1e-5)
	if !testing.Short() {
		compare(t, "loss, steps written out", [][]float64{losses(engine.XLA, few, Unrolled())}, [][]float64{loop}, 1e-5)
	}
}
