package seq2seq

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// Length and coverage penalties are those of their formulas, on numbers done by hand.
func TestRanking(t *testing.T) {
	ids := []int32{4, 5, corpus.EOS}
	// Two words, then EOS and padding. The first word gets 0.5 + 0.2 + 0.1, the second more than 1, which counts as 1.
	attention := [][]float32{{0.5, 0.5, 0, 0}, {0.2, 0.6, 0.2, 0}, {0.1, 0.4, 0.5, 0}}
	w := written{ids: ids, logProb: -6, attention: attention}
	for _, test := range []struct {
		r    ranking
		want float64
	}{
		{ranking{}, -6},
		{ranking{Alpha: 1}, -2},
		{ranking{Alpha: 0.5}, -6 / math.Sqrt(3)},
		{ranking{Alpha: 1, GNMT: true}, -6 / (8. / 6)},
		{ranking{Alpha: 0.2, GNMT: true}, -6 / math.Pow(8./6, 0.2)},
		{ranking{Alpha: 0, GNMT: true}, -6},
		{ranking{Alpha: 1, Coverage: 0.2}, -2 + 0.2*math.Log(0.8)},
		{ranking{Alpha: 1, GNMT: true, Coverage: 1}, -4.5 + math.Log(0.8)},
	} {
		if got := test.r.score(w, 2); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%+v: %v, want %v", test.r, got, test.want)
		}
	}
	if got := (ranking{Coverage: 1}).score(written{ids: ids, attention: [][]float32{{0, 1}}}, 2); math.Abs(got-math.Log(1e-6)) > 1e-9 {
		t.Errorf("a word that got nothing costs %v", got)
	}
	if got := (ranking{Alpha: 1, Coverage: 1}).score(written{}, 2); got != 0 {
		t.Errorf("nothing scores %v", got)
	}
}

// untrained is a run with words "a" and "b" and the weights that a training would begin with, many times as large so that it has opinions,
// and with little wish to end.
func untrained(t *testing.T, e *engine.Engine, c Config) *Run {
	t.Helper()
	words, err := corpus.NewVocabulary(slices.Values([][]string{{"a", "b"}}), corpus.VocabularyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	r := &Run{Config: c, Folder: t.TempDir(), Source: words, Target: words, bench: newOptions([]Option{on(t, e)}).bench}
	r.store = firstWeights(e, newArchitecture(c, words.Size(), words.Size()))
	for v := range r.store.IterVariables() {
		if strings.Contains(v.Path(), "/readout/W_o") || strings.Contains(v.Path(), "/score/") {
			scale(t, v, 4)
		}
		if strings.HasSuffix(v.Path(), "/readout/b_o") {
			values := floats(v.MustValue())
			values[corpus.EOS] = -3
			v.MustSetValue(tensors.FromFlatDataAndDimensions(values, len(values)))
		}
	}
	return r
}

// attentional are configurations of every wiring that attends and every window, with what each of them carries from step to step.
func attentional() (all []Config) {
	for _, c := range []struct {
		wiring    Wiring
		attention string
		window    Window
		layers    int
	}{
		{WiringLuongFeeding, ScoreGeneral, WindowLocalM, 2},
		{WiringBahdanau, ScoreConcat, WindowLocalM, 1},
		{WiringLuong, ScoreScaledDot, WindowLocalP, 1},
		{WiringLuongFeeding, ScoreLocation, "", 1},
	} {
		config := tiny(Luong())
		config.Wiring, config.Attention, config.Window, config.WindowSize, config.Layers = c.wiring, c.attention, c.window, 1, c.layers
		all = append(all, config)
	}
	for _, pre := range []bool{false, true} {
		config := tiny(Vaswani())
		config.PreNorm = pre
		all = append(all, config)
	}
	return all
}

func nameOf(c Config) string {
	return fmt.Sprintf("%s-%s-%s-%v", c.Wiring, c.Attention, c.Window, c.PreNorm)
}

// The best of all sentences of at most 4 tokens is found, and all others that end in order, by every ranking: each one's probability
// and attention is asked for on its own, and its score worked out here.
func TestBeamEqualsExhaustiveSearch(t *testing.T) {
	const limit, ended, stopped = 4, 1 + 3 + 9 + 27, 81
	words := []string{"a", "b", "<unk>"}
	source := []string{"a", "b", "b"}
	var pairs []corpus.Pair
	for sentences := [][]string{{}}; len(sentences[0]) < limit; {
		var longer [][]string
		for _, s := range sentences {
			pairs = append(pairs, corpus.Pair{Source: source, Target: s})
			for _, w := range words {
				longer = append(longer, append(slices.Clone(s), w))
			}
		}
		sentences = longer
	}
	if len(pairs) != ended {
		t.Fatalf("%d sentences, want %d", len(pairs), ended)
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for i, c := range attentional() {
			if e.Kind == engine.XLA && (i > 0 && i != 4 || testing.Short()) {
				continue // compiling takes long
			}
			t.Run(nameOf(c), func(t *testing.T) {
				ctx := context.Background()
				r := untrained(t, e, c)
				forced, err := r.Force(ctx, pairs)
				if err != nil {
					t.Fatal(err)
				}
				for name, ranking := range map[string]struct {
					options []DecodeOption
					score   func(Translation) float64
				}{
					"probability": {[]DecodeOption{LengthPenalty(0)}, func(tr Translation) float64 { return tr.LogProb }},
					"simple":      {[]DecodeOption{LengthPenalty(0.7)}, func(tr Translation) float64 { return tr.LogProb / math.Pow(float64(len(tr.Target)+1), 0.7) }},
					"GNMT": {[]DecodeOption{GNMTLengthPenalty(0.6), CoveragePenalty(0.4)}, func(tr Translation) float64 {
						score := tr.LogProb / math.Pow(float64(5+len(tr.Target)+1)/6, 0.6)
						for j := range source {
							sum := 0.0
							for _, row := range tr.Attention {
								sum += row[j]
							}
							score += 0.4 * math.Log(min(1, max(sum, 1e-6)))
						}
						return score
					}},
				} {
					want := slices.Clone(forced)
					slices.SortStableFunc(want, func(a, b Translation) int { return int(math.Copysign(1, ranking.score(b)-ranking.score(a))) })
					beams, err := r.Beam(ctx, [][]string{source}, ended+stopped, append(ranking.options, LengthCap(func(int) int { return limit }))...)
					if err != nil {
						t.Fatal(err)
					}
					if len(beams[0]) != ended+stopped {
						t.Fatalf("%s: %d translations, %d exist", name, len(beams[0]), ended+stopped)
					}
					for k, tr := range beams[0] {
						if tr.Ended != (k < ended) {
							t.Fatalf("%s: number %d of %d that end: ended %v", name, k+1, ended, tr.Ended)
						}
						if k < ended && math.Abs(tr.Score-ranking.score(want[k])) > 1e-4 {
							t.Errorf("%s: number %d is %v (%v), exhaustive search has %v (%v)", name, k+1, tr.Target, tr.Score, want[k].Target, ranking.score(want[k]))
						}
						if k > ended && tr.Score > beams[0][k-1].Score {
							t.Errorf("%s: number %d, stopped at the cap, scores more than the one before", name, k+1)
						}
					}
					if best := beams[0][0]; !slices.Equal(best.Target, want[0].Target) {
						t.Errorf("%s: the best is %v, exhaustive search has %v", name, best.Target, want[0].Target)
					}
				}
			})
		}
	})
}

// In every wiring and window, over more steps than are decoded at once: a beam of 1 is greedy, a sentence is translated alone as among others,
// and when forced to what it wrote the model attends as it did when it wrote it. Rows sum to 1.
func TestDecodingOfEveryWiring(t *testing.T) {
	sources := [][]string{strings.Fields("a b b a b a a b b b a b a a"), {"b"}, strings.Fields("a a b")}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for i, c := range attentional() {
			if e.Kind == engine.XLA && (i > 0 && i != 4 || testing.Short()) {
				continue // compiling takes long
			}
			t.Run(nameOf(c), func(t *testing.T) {
				ctx := context.Background()
				r := untrained(t, e, c)
				d, err := r.bench.decoder(r.Config, r.Source.Size(), r.Target.Size())
				if err != nil {
					t.Fatal(err)
				}
				d.chunk = writtenOut // so that a translation takes several, where there are loops too
				limit := LengthCap(func(int) int { return 2*writtenOut + 3 })
				greedy, err := r.Translate(ctx, sources, limit)
				if err != nil {
					t.Fatal(err)
				}
				one, err := r.Beam(ctx, sources, 1, limit)
				if err != nil {
					t.Fatal(err)
				}
				wide, err := r.Beam(ctx, sources, 3, limit, GNMTLengthPenalty(0.2), CoveragePenalty(0.2))
				if err != nil {
					t.Fatal(err)
				}
				longest := 0
				for i, g := range greedy {
					longest = max(longest, len(g.Target))
					checkAttention(t, r, g)
					closeTranslations(t, one[i][0], g)
					alone, err := r.Translate(ctx, sources[i:i+1], limit)
					if err != nil {
						t.Fatal(err)
					}
					closeTranslations(t, alone[0], g)
					beam, err := r.Beam(ctx, sources[i:i+1], 3, limit, GNMTLengthPenalty(0.2), CoveragePenalty(0.2))
					if err != nil {
						t.Fatal(err)
					}
					for k := range beam[0] {
						closeTranslations(t, beam[0][k], wide[i][k])
					}
					forced, err := r.Force(ctx, []corpus.Pair{{Source: g.Source, Target: g.Target}})
					if err != nil {
						t.Fatal(err)
					}
					for row := range g.Attention {
						for j, a := range g.Attention[row] {
							if math.Abs(a-forced[0].Attention[row][j]) > 1e-5 {
								t.Fatalf("attention [%d,%d] is %v, and %v when forced to the same", row, j, a, forced[0].Attention[row][j])
							}
						}
					}
				}
				if longest <= writtenOut {
					t.Errorf("the longest translation has %d words: want more than %d, or this tests less", longest, writtenOut)
				}
			})
		}
	})
}

// In a monotonic window the i-th word attends to at most D words from the i-th of the source, in the order given, whichever way it was read.
func TestMonotonicWindow(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	source := strings.Fields("a b b a b a")
	for _, reverse := range []bool{false, true} {
		for _, eos := range []bool{false, true} {
			c := attentional()[0]
			c.ReverseSource, c.SourceEOS = reverse, eos
			r := untrained(t, e, c)
			forced, err := r.Force(context.Background(), []corpus.Pair{{Source: source, Target: strings.Fields("a a b b a b a b")}})
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range forced[0].Attention {
				centre := min(i, len(source)-1)
				for j := range source {
					if inside := max(j-centre, centre-j) <= c.WindowSize; (row[j] > 0) != inside {
						t.Errorf("reversed %v, EOS %v: word %d gives %v to word %d of the source", reverse, eos, i+1, row[j], j+1)
					}
				}
			}
		}
	}
}

// A model without attention has none to rank by or to find words by.
func TestOptionsThatNeedAttention(t *testing.T) {
	r := &Run{Config: Sutskever(), Folder: t.TempDir()}
	for name, option := range map[string]DecodeOption{"CoveragePenalty": CoveragePenalty(0.2), "ReplaceUnknown": ReplaceUnknown(nil)} {
		_, err := r.Translate(context.Background(), [][]string{{"a"}}, option)
		wantError(t, err, name, "sutskever")
		_, err = r.Beam(context.Background(), [][]string{{"a"}}, 2, option)
		wantError(t, err, name, "sutskever")
	}
}
