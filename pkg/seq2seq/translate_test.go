package seq2seq

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// halfTrained is a run that translates some words right and has learned where to stop, and its data. It attends, reads
// its source reversed, and reads EOS.
func halfTrained(t *testing.T, e *engine.Engine) (*Run, corpus.Data) {
	t.Helper()
	d := mapped(150, 3, 6, 6)
	c := tiny(Bahdanau())
	c.Hidden, c.Embedding, c.ReverseSource = 12, 8, true
	c.Updates, c.EvaluateEvery, c.LearningRate, c.Schedule = 80, 0, 0.02, ScheduleConstant
	return trained(t, e, c, d), d
}

// checkAttention fails unless the attention of a translation has a row for every token, a column for every source token, and rows
// that sum to 1.
func checkAttention(t *testing.T, r *Run, tr Translation) {
	t.Helper()
	columns := len(tr.Source)
	if r.Config.SourceEOS {
		columns++
	}
	if len(tr.Attention) != tr.length() {
		t.Errorf("%d rows of attention for %d tokens", len(tr.Attention), tr.length())
	}
	for _, row := range tr.Attention {
		sum := 0.0
		for _, a := range row {
			sum += a
		}
		if len(row) != columns || math.Abs(sum-1) > 1e-5 {
			t.Errorf("a row of %d columns that sums to %v, want %d and 1", len(row), sum, columns)
		}
	}
}

// Each sentence has its translation alone and in company, in the order given, in any order; the same from several goroutines,
// and from the disk.
func TestTranslate(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		ctx := context.Background()
		r, d := halfTrained(t, e)
		sources := append(sourcesOf(d.Test), strings.Fields("a1 a2 a3 a4 a5 a0 a1 a2 a3 a4 a5 a0")) // of more than one shape
		all, err := r.Translate(ctx, sources)
		if err != nil {
			t.Fatal(err)
		}
		distinct := map[string]bool{}
		for i, tr := range all {
			if !slices.Equal(tr.Source, sources[i]) {
				t.Fatalf("translation %d is of %v, not of %v", i, tr.Source, sources[i])
			}
			checkAttention(t, r, tr)
			distinct[strings.Join(tr.Target, " ")] = true
			if want := tr.LogProb / float64(tr.length()); tr.Score != want || tr.LogProb >= 0 {
				t.Errorf("LogProb %v, Score %v, want %v", tr.LogProb, tr.Score, want)
			}
			if slices.Contains(tr.Target, "</s>") || slices.Contains(tr.Target, "<pad>") || slices.Contains(tr.Target, "<s>") {
				t.Errorf("a reserved word in %v", tr.Target)
			}
		}
		if len(distinct) < 5 {
			t.Fatalf("%d different translations of %d sources: this tests nothing", len(distinct), len(sources))
		}
		for i := 0; i < len(sources); i += 7 {
			alone, err := r.Translate(ctx, sources[i:i+1])
			if err != nil {
				t.Fatal(err)
			}
			closeTranslations(t, alone[0], all[i])
		}
		backwards := slices.Clone(sources)
		slices.Reverse(backwards)
		turned, err := r.Translate(ctx, backwards)
		if err != nil {
			t.Fatal(err)
		}
		for i := range turned {
			closeTranslations(t, turned[i], all[len(all)-1-i])
		}

		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				again, err := r.Translate(ctx, sources)
				if err != nil || !reflect.DeepEqual(again, all) {
					t.Errorf("another goroutine gets something else: %v", err)
				}
			})
		}
		group.Wait()

		opened, err := Open(r.Folder, on(t, e))
		if err != nil {
			t.Fatal(err)
		}
		stored, err := opened.Translate(ctx, sources)
		if err != nil || !reflect.DeepEqual(stored, all) {
			t.Errorf("the stored run translates otherwise: %v", err)
		}
	})
}

// Two runs of the same structure on one workbench do not get each other's weights.
func TestRunsOnOneWorkbench(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	ctx := context.Background()
	a, d := halfTrained(t, e)
	c := a.Config
	c.Seed = 7
	b := trained(t, e, c, d)
	sources := sourcesOf(d.Test)
	first, err := a.Translate(ctx, sources)
	if err != nil {
		t.Fatal(err)
	}
	other, err := b.Translate(ctx, sources)
	if err != nil {
		t.Fatal(err)
	}
	again, err := a.Translate(ctx, sources)
	if err != nil || !reflect.DeepEqual(again, first) || reflect.DeepEqual(other, first) {
		t.Errorf("the runs are mixed up: %v", err)
	}
}

// Words that were never seen are UNK; an empty source is an empty translation; reserved words in the text are words.
func TestTranslateOddSources(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		ctx := context.Background()
		r, _ := halfTrained(t, e)
		sources := [][]string{{"zzz", "qqq"}, {}, {"<unk>", "<unk>"}, {"tag", "</s>", "<pad>", "|||"}, {"a1"}, nil}
		translations, err := r.Translate(ctx, sources)
		if err != nil {
			t.Fatal(err)
		}
		beams, err := r.Beam(ctx, sources, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{1, 5} {
			for _, tr := range []Translation{translations[i], beams[i][0]} {
				if len(tr.Target) != 0 || !tr.Ended || tr.LogProb != 0 || tr.Attention != nil || len(beams[i]) != 1 {
					t.Errorf("an empty source becomes %+v", tr)
				}
			}
		}
		if !slices.Equal(translations[0].Target, translations[2].Target) {
			t.Errorf("unknown words become %v, UNK itself %v", translations[0].Target, translations[2].Target)
		}
		if len(translations[3].Attention) == 0 || len(translations[3].Attention[0]) != 5 {
			t.Error("a reserved word ends the source")
		}
		if none, err := r.Translate(ctx, nil); err != nil || len(none) != 0 {
			t.Errorf("nothing becomes %v, %v", none, err)
		}
	})
}

// A translation that does not end is stopped at the cap, and says so.
func TestLengthCap(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r, d := halfTrained(t, e)
		sources := sourcesOf(d.Test)[:10]
		free, err := r.Translate(context.Background(), sources)
		if err != nil {
			t.Fatal(err)
		}
		for _, decode := range []func() ([]Translation, error){
			func() ([]Translation, error) {
				return r.Translate(context.Background(), sources, LengthCap(func(int) int { return 2 }))
			},
			func() ([]Translation, error) {
				lists, err := r.Beam(context.Background(), sources, 1, LengthCap(func(int) int { return 2 }))
				return firsts(lists), err
			},
		} {
			capped, err := decode()
			if err != nil {
				t.Fatal(err)
			}
			for i, tr := range capped {
				want := free[i].Target
				if want = want[:min(2, len(want))]; !slices.Equal(tr.Target, want) || tr.length() > 2 || tr.Ended != (free[i].length() <= 2) {
					t.Errorf("capped at 2: %v (ended %v); free: %v", tr.Target, tr.Ended, free[i].Target)
				}
				checkAttention(t, r, tr)
			}
		}
	})
}

// chained is an untrained run with words "a" and "b" that after each id finds next[id] most likely, by a wide margin, whatever the source.
func chained(t *testing.T, e *engine.Engine, next map[int32]int32) *Run {
	t.Helper()
	words, err := corpus.NewVocabulary(slices.Values([][]string{{"a", "b"}}), corpus.VocabularyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	size := words.Size()
	c := tiny(Bahdanau())
	c.Cell, c.Readout, c.Bidirectional, c.Embedding, c.Hidden = "rnn", ReadoutPlain, false, size, size
	r := &Run{Config: c, Folder: t.TempDir(), Source: words, Target: words, bench: newOptions([]Option{on(t, e)}).bench}
	r.store = firstWeights(e, newNetwork(c, size, size))
	set := func(path string, value func(row, column int) float32) {
		v := r.store.GetVariable("/" + weightScope + "/" + path)
		if v == nil {
			t.Fatalf("no weights %s", path)
		}
		rows, columns := v.Shape().Dim(0), v.Shape().Dim(1)
		values := make([]float32, rows*columns)
		for i := range values {
			values[i] = value(i/columns, i%columns)
		}
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(values, rows, columns)); err != nil {
			t.Fatal(err)
		}
	}
	set("decoder/embedding", func(id, i int) float32 { return map[bool]float32{true: 1}[id == i] })
	set("decoder/readout/W_o", func(in, id int) float32 { // it reads s_i, E y_{i-1} and c_i
		return map[bool]float32{true: 20}[in >= size && in < 2*size && next[int32(in-size)] == int32(id)]
	})
	return r
}

// What comes after EOS is not looked at, however long the model goes on: not in the words, nor in their probability, nor in attention.
func TestNothingAfterEOS(t *testing.T) {
	const a, b = 4, 5
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r := chained(t, e, map[int32]int32{corpus.BOS: a, a: corpus.EOS, corpus.EOS: b, b: corpus.EOS})
		ctx := context.Background()
		sources := [][]string{{"a"}, {"b", "a", "b"}}
		greedy, err := r.Translate(ctx, sources)
		if err != nil {
			t.Fatal(err)
		}
		beams, err := r.Beam(ctx, sources, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sources {
			for _, tr := range []Translation{greedy[i], beams[i][0]} {
				if !slices.Equal(tr.Target, []string{"a"}) || !tr.Ended || tr.LogProb < -0.01 {
					t.Errorf("a EOS b EOS becomes %+v", tr)
				}
				checkAttention(t, r, tr)
			}
		}
		score, err := r.Score(ctx, []corpus.Pair{{Source: sources[0], Target: []string{"a", "b"}}}, nil)
		if err != nil || score.Total.HypothesisLength != 1 {
			t.Errorf("BLEU sees %d words: %v", score.Total.HypothesisLength, err)
		}
	})
}

// Texts of any length come in few shapes, each of which is compiled once.
func TestLadder(t *testing.T) {
	seen := map[corpus.Bucket]bool{}
	for length := 1; length <= 500; length++ {
		for _, size := range []corpus.Bucket{{S: length, T: 1}, {S: 1 + length/3, T: length}} {
			shapes := ladder(size)
			if last := shapes[len(shapes)-1]; last.S < size.S || last.T < size.T || last.S >= 2*max(16, size.S, size.T) {
				t.Errorf("%v is put into %v", size, last)
			}
			for _, shape := range shapes {
				seen[shape] = true
			}
		}
	}
	if len(seen) != 2*6 { // 16 to 512, without targets and with
		t.Errorf("%d shapes: %v", len(seen), seen)
	}
}

// Attention comes back in the order of the source, whichever way it was read.
func TestOriginalOrder(t *testing.T) {
	row := []float32{1, 2, 3, 4, 0, 0} // three words, EOS, padding
	for _, test := range []struct {
		reverse, eos bool
		want         []float64
	}{
		{false, true, []float64{1, 2, 3, 4}}, {true, true, []float64{3, 2, 1, 4}},
		{false, false, []float64{1, 2, 3}}, {true, false, []float64{3, 2, 1}},
	} {
		r := &Run{Config: Config{ReverseSource: test.reverse, SourceEOS: test.eos}}
		if got := r.originalOrder(row, 3); !slices.Equal(got, test.want) {
			t.Errorf("reversed %v, EOS %v: %v, want %v", test.reverse, test.eos, got, test.want)
		}
	}
}

// Without EOS on the source there is no column for it, and an empty source is no different.
func TestSourceWithoutEOS(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	c := tiny(Bahdanau())
	c.SourceEOS, c.EvaluateEvery = false, 0
	r := trained(t, e, c, mapped(60, 2, 4, 5))
	translations, err := r.Translate(context.Background(), [][]string{{"a1", "a2"}, {}})
	if err != nil {
		t.Fatal(err)
	}
	checkAttention(t, r, translations[0])
	if len(translations[1].Target) != 0 || !translations[1].Ended {
		t.Errorf("an empty source becomes %+v", translations[1])
	}
}

// The end of the context ends a translation.
func TestTranslateStops(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	r, d := halfTrained(t, e)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Translate(ctx, sourcesOf(d.Test)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := r.Beam(ctx, sourcesOf(d.Test), 2); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := r.Force(ctx, d.Test); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
