package seq2seq

import (
	"context"
	"math"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// Every row of every head sums to 1; no row of the decoder looks at what comes; the mean over the last layer's heads is the attention that
// Force gives, in the order of the source's words whichever way it is read.
func TestHeads(t *testing.T) {
	ctx := context.Background()
	pair := corpus.Pair{Source: strings.Fields("a b b a"), Target: strings.Fields("b a b a a")}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, reversed := range []bool{false, true} {
			if e.Kind == engine.XLA && !reversed {
				continue // compiling takes long
			}
			c := tiny(Vaswani())
			c.ReverseSource = reversed
			r := untrained(t, e, c)
			h, err := r.Heads(ctx, pair)
			if err != nil {
				t.Fatal(err)
			}
			forced, err := r.Force(ctx, []corpus.Pair{pair})
			if err != nil {
				t.Fatal(err)
			}
			const source, target = 5, 6 // with EOS
			for name, kind := range map[string]struct {
				weights       [][][][]float64
				rows, columns int
			}{"encoder": {h.Encoder, source, source}, "decoder": {h.Decoder, target, target}, "cross": {h.Cross, target, source}} {
				if len(kind.weights) != c.Layers {
					t.Fatalf("%s: %d layers", name, len(kind.weights))
				}
				for _, heads := range kind.weights {
					if len(heads) != c.Heads {
						t.Fatalf("%s: %d heads", name, len(heads))
					}
					for _, matrix := range heads {
						if len(matrix) != kind.rows {
							t.Fatalf("%s: %d rows", name, len(matrix))
						}
						for i, row := range matrix {
							sum := 0.0
							for j, a := range row {
								sum += a
								if name == "decoder" && j > i && a != 0 {
									t.Errorf("row %d of the decoder looks at %d", i, j)
								}
							}
							if len(row) != kind.columns || math.Abs(sum-1) > 1e-5 {
								t.Errorf("%s: a row of %d columns that sums to %v", name, len(row), sum)
							}
						}
					}
				}
			}
			for i, row := range forced[0].Attention {
				for j, want := range row {
					mean := 0.0
					for _, head := range h.Cross[c.Layers-1] {
						mean += head[i][j] / float64(c.Heads)
					}
					if math.Abs(mean-want) > 1e-5 {
						t.Errorf("reversed %v: mean of the heads at [%d,%d] is %v, attention %v", reversed, i, j, mean, want)
					}
				}
			}
		}
	})
	e := enginetest.Open(t, engine.Go)
	_, err := untrained(t, e, tiny(Luong())).Heads(ctx, pair)
	wantError(t, err, "luong-feeding", "vaswani")
	_, err = untrained(t, e, tiny(Vaswani())).Heads(ctx, corpus.Pair{Target: pair.Target})
	wantError(t, err, "empty source")
}
