package seq2seq

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// What a model is made to write is as likely as when it writes it itself, with the same attention. References change nothing in
// how it translates: it never sees them.
func TestForce(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		ctx := context.Background()
		r, d := halfTrained(t, e)
		free, err := r.Translate(ctx, sourcesOf(d.Test))
		if err != nil {
			t.Fatal(err)
		}
		var own []corpus.Pair
		var ended []Translation
		nats, tokens := 0.0, 0
		for _, tr := range free {
			if tr.Ended {
				own, ended = append(own, corpus.Pair{Source: tr.Source, Target: tr.Target}), append(ended, tr)
				nats, tokens = nats-tr.LogProb, tokens+tr.length()
			}
		}
		if len(own) < 5 {
			t.Fatalf("only %d translations end", len(own))
		}
		forced, err := r.Force(ctx, own)
		if err != nil {
			t.Fatal(err)
		}
		for i := range own {
			closeTranslations(t, forced[i], ended[i])
		}
		perplexity, err := r.Perplexity(ctx, own)
		if want := math.Exp(nats / float64(tokens)); err != nil || math.Abs(perplexity-want) > 1e-3*want {
			t.Errorf("perplexity %v, want %v: %v", perplexity, want, err)
		}
		if _, err := r.Perplexity(ctx, nil); err == nil {
			t.Error("the perplexity of nothing")
		}
		_, err = r.Perplexity(ctx, []corpus.Pair{own[0], {Target: []string{"b1", "b2"}}})
		wantError(t, err, "pair 1", "empty source")
		unknown, err := r.Force(ctx, []corpus.Pair{{Source: []string{"a1"}, Target: []string{"never", "seen"}}, {Target: []string{"b1"}}})
		if err != nil || !slices.Equal(unknown[0].Target, []string{"never", "seen"}) || len(unknown[0].Attention) != 3 || unknown[1].Attention != nil {
			t.Errorf("%+v, %v", unknown, err)
		}
		score, err := r.Score(ctx, d.Test, nil)
		if err != nil {
			t.Fatal(err)
		}
		shuffled := slices.Clone(d.Test)
		for i := range shuffled {
			shuffled[i].Target = d.Test[(i+1)%len(d.Test)].Target
		}
		other, err := r.Score(ctx, shuffled, nil)
		if err != nil || !reflect.DeepEqual(other.Translations, score.Translations) || other.Total.Score >= score.Total.Score {
			t.Errorf("shuffled references: BLEU %v, right ones: %v; %v", other.Total, score.Total, err)
		}
	})
}
