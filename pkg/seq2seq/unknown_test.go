package seq2seq

import (
	"context"
	"slices"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// An unknown word becomes the source word that is attended to most, or its translation; never EOS; words that were known stay.
func TestReplace(t *testing.T) {
	t1 := Translation{
		Source: []string{"Mr", "Smith", "sleeps"}, Target: []string{"<unk>", "<unk>", "<unk>", "dort"}, Unknown: []int{0, 2},
		Attention: [][]float64{{0.3, 0.2, 0.1, 0.4}, {0, 0, 1, 0}, {0.1, 0.6, 0.1, 0.2}, {0, 0, 1, 0}, {0, 0, 0, 1}},
	}
	unknown{map[string]string{"Mr": "M.", "sleeps": "rêve"}}.replace(t1)
	// The second word was spelled "<unk>" in the text: it is known.
	if want := []string{"M.", "<unk>", "Smith", "dort"}; !slices.Equal(t1.Target, want) {
		t.Errorf("%q, want %q", t1.Target, want)
	}
}

// On a model that writes nothing but unknown words, greedy and by beam; what is asked for without comes back without.
func TestReplaceUnknown(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r := chained(t, e, map[int32]int32{corpus.BOS: corpus.UNK, corpus.UNK: corpus.EOS})
		ctx := context.Background()
		sources := [][]string{{"never"}, {}, {"seen"}}
		dictionary := map[string]string{"seen": "vu"}
		for _, test := range []struct {
			options []DecodeOption
			want    [][]string
		}{
			{nil, [][]string{{"<unk>"}, {}, {"<unk>"}}},
			{[]DecodeOption{ReplaceUnknown(nil)}, [][]string{{"never"}, {}, {"seen"}}},
			{[]DecodeOption{ReplaceUnknown(dictionary)}, [][]string{{"never"}, {}, {"vu"}}},
		} {
			greedy, err := r.Translate(ctx, sources, test.options...)
			if err != nil {
				t.Fatal(err)
			}
			beams, err := r.Beam(ctx, sources, 2, test.options...)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range test.want {
				for _, tr := range []Translation{greedy[i], beams[i][0]} {
					if !slices.Equal(tr.Target, want) || len(tr.Unknown) != len(want) {
						t.Errorf("%q becomes %q, unknown %v, want %q", sources[i], tr.Target, tr.Unknown, want)
					}
				}
			}
		}
	})
}
