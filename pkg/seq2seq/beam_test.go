package seq2seq

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// fakeModel is a model by table: the log-probabilities of EOS, UNK, 4, 5, … given the words before. Its state is the
// sentence so far, so that a beam that mixes up states is found out.
type fakeModel struct {
	width int
	next  func(sentence int, before []int32) []extension
	slots [][]int32
	owner []int
	steps int
}

func (m *fakeModel) enter(parents []int32, owner []int) error {
	moved, owners := make([][]int32, len(owner)), make([]int, len(owner))
	for i, sentence := range owner {
		switch {
		case sentence >= 0:
			owners[i] = sentence
		case m.slots != nil:
			moved[i], owners[i] = slices.Clone(m.slots[parents[i]]), m.owner[parents[i]]
		}
		parents[i] = int32(i)
	}
	m.slots, m.owner = moved, owners
	return nil
}

func (m *fakeModel) extend(parents, words []int32) ([][]extension, [][]float32, error) {
	m.steps++
	moved := make([][]int32, len(parents))
	extensions := make([][]extension, len(parents))
	for i, parent := range parents { // what the model reads of the source stays in its slot
		moved[i] = append(slices.Clone(m.slots[parent]), words[i])
		all := m.next(m.owner[i], moved[i][1:])
		slices.SortStableFunc(all, func(a, b extension) int { return int(math.Copysign(1, float64(b.logProb-a.logProb))) })
		extensions[i] = all[:min(m.width, len(all))]
	}
	m.slots = moved
	return extensions, [][]float32{nil}, nil
}

// tableModel has three words, and probabilities that depend on everything before.
func tableModel(sentence int, before []int32) []extension {
	seed := uint64(sentence + 1)
	for _, id := range before {
		seed = seed*31 + uint64(id)
	}
	weights := make([]float64, 4)
	sum := 0.0
	for i := range weights {
		seed = seed*6364136223846793005 + 1442695040888963407
		weights[i] = math.Exp(4 * float64(seed>>40) / (1 << 24))
		sum += weights[i]
	}
	var all []extension
	for i, id := range []int32{corpus.EOS, 4, 5, 6} {
		all = append(all, extension{id, float32(math.Log(weights[i] / sum))})
	}
	return all
}

// mean is the default ranking, by the mean log-probability of a token.
var mean = ranking{Alpha: 1}

// byLength sorts by log-probability over length^α.
func byLength(alpha float64) func(int, []written) {
	return func(_ int, list []written) { ranking{Alpha: alpha}.sort(list, 0) }
}

// exhaustive is every sentence of at most limit tokens that ends, best first.
func exhaustive(sentence, limit int, alpha float64) (all []written) {
	var visit func(w written)
	visit = func(w written) {
		for _, e := range tableModel(sentence, w.ids) {
			next := written{ids: slices.Clone(w.ids), logProb: w.logProb}
			next.add(e.id, e.logProb, nil)
			if next.ended() {
				all = append(all, next)
			} else if len(next.ids) < limit {
				visit(next)
			}
		}
	}
	visit(written{})
	byLength(alpha)(0, all)
	return all
}

// A beam as wide as there are sentences finds them all, in order: the best is the exhaustive search's best.
func TestFullWidthBeamIsExhaustive(t *testing.T) {
	for _, alpha := range []float64{0, 0.7, 1, 2} {
		const sentences, width, limit = 5, 100, 3
		m := &fakeModel{width: width, next: tableModel}
		found, err := beamSearch(context.Background(), slices.Repeat([]int{limit}, sentences), width, sentences*width, byLength(alpha), m)
		if err != nil {
			t.Fatal(err)
		}
		for i, list := range found {
			want := exhaustive(i, limit, alpha) // 1+3+9 of them
			ended := slices.DeleteFunc(slices.Clone(list), func(w written) bool { return !w.ended() })
			if len(want) != 13 || len(ended) != 13 || len(list) != 13+27 {
				t.Fatalf("α %v: %d found, %d of them ended; %d exist", alpha, len(list), len(ended), len(want))
			}
			for k := range want {
				if !slices.Equal(list[k].ids, want[k].ids) || math.Abs(list[k].logProb-want[k].logProb) > 1e-6 {
					t.Errorf("α %v, sentence %d: number %d is %v (%v), want %v (%v)", alpha, i, k+1, list[k].ids, list[k].logProb, want[k].ids, want[k].logProb)
				}
			}
		}
	}
}

// A beam of 1 takes the most likely word at every step, whatever the length penalty.
func TestBeamOfOneIsGreedy(t *testing.T) {
	for i := range 20 {
		var greedy []int32
		for len(greedy) < 8 && !slices.Contains(greedy, corpus.EOS) {
			best := slices.MaxFunc(tableModel(0, append([]int32{int32(i)}, greedy...)), func(a, b extension) int { return int(math.Copysign(1, float64(a.logProb-b.logProb))) })
			greedy = append(greedy, best.id)
		}
		m := &fakeModel{width: 1, next: func(_ int, before []int32) []extension { return tableModel(0, append([]int32{int32(i)}, before...)) }}
		found, err := beamSearch(context.Background(), []int{8}, 1, 1, byLength(1), m)
		if err != nil || len(found[0]) != 1 || !slices.Equal(found[0][0].ids, greedy) {
			t.Errorf("%v, want %v: %v", found, greedy, err)
		}
	}
}

// However wide, a beam's translations differ, and their scores do not rise; sentences of a batch do not get into each other's way, in any
// order, and a narrow cap is kept.
func TestBeamsAreKeptApart(t *testing.T) {
	const width = 5
	alone := make([][]written, 3)
	for i := range alone {
		m := &fakeModel{width: width, next: func(_ int, before []int32) []extension { return tableModel(i, before) }}
		found, err := beamSearch(context.Background(), []int{6}, width, width, byLength(1), m)
		if err != nil {
			t.Fatal(err)
		}
		alone[i] = found[0]
		seen := map[string]bool{}
		for k, w := range alone[i] {
			if seen[fmt.Sprint(w.ids)] {
				t.Errorf("%v twice", w.ids)
			}
			seen[fmt.Sprint(w.ids)] = true
			if k > 0 && w.ended() == alone[i][k-1].ended() && mean.score(w, 0) > mean.score(alone[i][k-1], 0) {
				t.Errorf("sentence %d: number %d scores more than number %d", i, k+1, k)
			}
			if len(w.ids) > 6 {
				t.Errorf("%v is longer than the cap of 6", w.ids)
			}
		}
		if len(alone[i]) != width {
			t.Errorf("%d translations, want %d", len(alone[i]), width)
		}
	}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		m := &fakeModel{width: width, next: func(b int, before []int32) []extension {
			if b == 3 {
				return tableModel(9, before) // a filler column
			}
			return tableModel(order[b], before)
		}}
		found, err := beamSearch(context.Background(), []int{6, 6, 6, 0}, width, 4*width, byLength(1), m)
		if err != nil {
			t.Fatal(err)
		}
		for b, i := range order {
			if !reflect.DeepEqual(found[b], alone[i]) {
				t.Errorf("order %v: sentence %d has %v, alone %v", order, i, found[b], alone[i])
			}
		}
		if len(found[3]) != 0 {
			t.Error("a filler column has a translation")
		}
	}
}

// Sentences that take the slots of others' ended hypotheses have the translations that they have alone, however few slots there are; with fewer
// slots than hypotheses the search needs fewer steps of all slots than if they all began together.
func TestBeamsShareSlots(t *testing.T) {
	const sentences, width, limit = 40, 4, 12
	caps := make([]int, sentences)
	alone := make([][]written, sentences)
	for i := range caps {
		caps[i] = i % (limit + 1) // some have none
		one := &fakeModel{width: width, next: func(_ int, before []int32) []extension { return tableModel(i, before) }}
		found, err := beamSearch(context.Background(), caps[i:i+1], width, width, byLength(1), one)
		if err != nil {
			t.Fatal(err)
		}
		alone[i] = found[0]
	}
	for _, slots := range []int{width, width + 1, 2*width - 1, 5 * width, sentences * width} {
		m := &fakeModel{width: width, next: tableModel}
		found, err := beamSearch(context.Background(), caps, width, slots, byLength(1), m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range caps {
			if !reflect.DeepEqual(found[i], alone[i]) {
				t.Errorf("%d slots: sentence %d has %v, alone %v", slots, i, found[i], alone[i])
			}
		}
		if together := limit * ((sentences*width + slots - 1) / slots); slots == 5*width && m.steps >= together {
			t.Errorf("%d steps of %d slots: %d are enough where sentences begin together", m.steps, slots, together)
		}
	}
}

// Every column is searched for once, in searches of one shape; full ones share their sentences by half, so many to be written by either.
func TestSearchesFor(t *testing.T) {
	batch := func(s int, index ...int) *corpus.Batch { return &corpus.Batch{S: s, B: len(index), Index: index} }
	many := func(from, to int) (index []int) {
		for i := from; i < to; i++ {
			index = append(index, i)
		}
		return index
	}
	all := many(0, 100)
	caps := slices.Clone(all) // of sentence i, i words; sentence 0 has none
	for _, c := range []struct {
		name    string
		batches []*corpus.Batch
		want    [][3]int // S, from and to
	}{
		{"none", nil, nil},
		{"one sentence", []*corpus.Batch{batch(16, 5, -1, -1)}, [][3]int{{16, 0, 3}}},
		{"nothing to write", []*corpus.Batch{batch(16, 0, -1)}, [][3]int{{16, 0, 2}}},
		{"as many as there is room for", []*corpus.Batch{batch(16, many(1, 21)...)}, [][3]int{{16, 0, 20}}},
		{"one more", []*corpus.Batch{batch(16, many(1, 22)...)}, [][3]int{{16, 0, 14}, {16, 14, 21}}},
		{"two batches, and one of another shape", []*corpus.Batch{batch(32, many(60, 100)...), batch(32, append(many(20, 40), slices.Repeat([]int{-1}, 20)...)...), batch(16, 7)},
			[][3]int{{32, 0, 25}, {32, 25, 80}, {16, 0, 1}}},
	} {
		var got [][3]int
		for _, s := range searchesFor(c.batches, caps) {
			got = append(got, [3]int{s.batches[0].S, s.from, s.to})
			if values := s.of(caps); len(values) != s.to-s.from {
				t.Errorf("%s: %d values for columns %d to %d", c.name, len(values), s.from, s.to)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Where every token has a log-probability of −1, all lengths score −1 with α 1: EOS counts.
func TestEveryLengthScoresAlike(t *testing.T) {
	next := func(int, []int32) []extension { return []extension{{corpus.EOS, -1}, {4, -1}} }
	m := &fakeModel{width: 6, next: next}
	found, err := beamSearch(context.Background(), []int{5}, 6, 6, byLength(1), m)
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[int]bool{}
	for _, w := range found[0] {
		lengths[len(w.ids)] = true
		if s := mean.score(w, 0); s != -1 {
			t.Errorf("%v scores %v", w.ids, s)
		}
	}
	if len(lengths) < 3 {
		t.Errorf("lengths %v", lengths)
	}
}

// On a trained model: width 1 is what Translate does, attention included; a batch is what each sentence is alone; n-best are different.
func TestBeamOfModel(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r, d := halfTrained(t, e)
		sources := sourcesOf(d.Test)[:6]
		ctx := context.Background()
		greedy, err := r.Translate(ctx, sources)
		if err != nil {
			t.Fatal(err)
		}
		one, err := r.Beam(ctx, sources, 1)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := r.Beam(ctx, sources, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range greedy {
			if len(one[i]) != 1 {
				t.Fatalf("%d translations by a beam of 1", len(one[i]))
			}
			closeTranslations(t, one[i][0], g)
			alone, err := r.Beam(ctx, sources[i:i+1], 3)
			if err != nil {
				t.Fatal(err)
			}
			if len(wide[i]) != 3 {
				t.Fatalf("%d translations by a beam of 3", len(wide[i]))
			}
			seen := map[string]bool{}
			for k, b := range wide[i] {
				closeTranslations(t, alone[0][k], b)
				if seen[fmt.Sprint(b.Target, b.Ended)] {
					t.Errorf("%v twice", b.Target)
				}
				seen[fmt.Sprint(b.Target, b.Ended)] = true
				checkAttention(t, r, b)
			}
		}
		if _, err := r.Beam(ctx, sources, 0); err == nil {
			t.Error("a beam of width 0")
		}
	})
}

// Three sentences that could not differ more keep their own translations, in the order given, whatever it is.
func TestBeamOrder(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r, _ := halfTrained(t, e)
		sentences := [][]string{{"a1"}, strings.Fields("a5 a4 a3 a2"), strings.Fields(strings.Repeat("a0 a3 ", 15))}
		limit := LengthCap(func(n int) int { return min(2*n+2, 12) })
		var alone [][]Translation
		for _, s := range sentences {
			found, err := r.Beam(context.Background(), [][]string{s}, 4, limit)
			if err != nil {
				t.Fatal(err)
			}
			alone = append(alone, found[0])
		}
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			var sources [][]string
			for _, i := range order {
				sources = append(sources, sentences[i])
			}
			found, err := r.Beam(context.Background(), sources, 4, limit)
			if err != nil {
				t.Fatal(err)
			}
			for place, i := range order {
				if len(found[place]) != len(alone[i]) {
					t.Fatalf("order %v: %d translations, alone %d", order, len(found[place]), len(alone[i]))
				}
				for k := range alone[i] {
					closeTranslations(t, found[place][k], alone[i][k])
				}
			}
		}
	})
}

// A beam wider than the vocabulary is not filled up with what is never written: its translations differ, and all have a probability.
func TestBeamWiderThanVocabulary(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		r := chained(t, e, nil)
		for _, limit := range []int{1, 2} {
			found, err := r.Beam(context.Background(), [][]string{{"a", "b"}}, 10, LengthCap(func(int) int { return limit }))
			if err != nil {
				t.Fatal(err)
			}
			// EOS, and so many of UNK, a and b.
			if want := map[int]int{1: 4, 2: 10}[limit]; len(found[0]) != want {
				t.Errorf("%d translations of at most %d tokens, want %d", len(found[0]), limit, want)
			}
			seen := map[string]bool{}
			for _, tr := range found[0] {
				key := fmt.Sprint(tr.Target, tr.Ended)
				if seen[key] || tr.LogProb < -100 {
					t.Errorf("%+v", tr)
				}
				seen[key] = true
			}
		}
	})
}

// closeTranslations fails unless two translations are the same up to rounding.
func closeTranslations(t *testing.T, got, want Translation) {
	t.Helper()
	if !slices.Equal(got.Target, want.Target) || !slices.Equal(got.Source, want.Source) || got.Ended != want.Ended ||
		math.Abs(got.LogProb-want.LogProb) > 1e-4 || math.Abs(got.Score-want.Score) > 1e-4 || len(got.Attention) != len(want.Attention) {
		t.Fatalf("got %+v\nwant %+v", got, want)
	}
	for i, row := range want.Attention {
		for j, a := range row {
			if math.Abs(got.Attention[i][j]-a) > 1e-5 {
				t.Fatalf("attention [%d,%d] is %v, want %v", i, j, got.Attention[i][j], a)
			}
		}
	}
}
