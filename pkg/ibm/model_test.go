package ibm

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/corpus/grammar"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/project"
)

// pair reads "the house ||| das Haus".
func pair(text string) corpus.Pair {
	source, target, _ := strings.Cut(text, "|||")
	return corpus.Pair{Source: strings.Fields(source), Target: strings.Fields(target)}
}

func pairs(texts ...string) (all []corpus.Pair) {
	for _, text := range texts {
		all = append(all, pair(text))
	}
	return all
}

func newModel1(t testing.TB, text []corpus.Pair, o Options) *Model {
	t.Helper()
	m, err := NewModel1(text, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newHMM(t testing.TB, m *Model, null float64) *Model {
	t.Helper()
	h, err := m.HMM(null)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }

func randomText(seed uint64, n, longest, vocabulary int) (all []corpus.Pair) {
	r := rand.New(rand.NewPCG(seed, 0))
	side := func(prefix string) (s []string) {
		for range 1 + r.IntN(longest) {
			s = append(s, prefix+string(rune('a'+r.IntN(vocabulary))))
		}
		return s
	}
	for range n {
		all = append(all, corpus.Pair{Source: side("s"), Target: side("t")})
	}
	return all
}

// priors makes the three models of a text, trained a little.
func priors(t testing.TB, text []corpus.Pair, o Options) map[string]*Model {
	m1 := newModel1(t, text, o)
	m1.Train(3)
	m2 := m1.Model2()
	null := 0.2
	if o.NoNull {
		null = 0
	}
	hmm := newHMM(t, m1, null)
	for _, m := range []*Model{m2, hmm} {
		m.Train(3)
	}
	return map[string]*Model{"Model 1": m1, "Model 2": m2, "HMM": hmm}
}

// No iteration of any model lowers the likelihood, and what it reports is what the model has.
func TestLikelihoodNeverFalls(t *testing.T) {
	for seed := range uint64(6) {
		text := randomText(seed, 40, 7, 6)
		for _, o := range []Options{{}, {NoNull: true}} {
			for name, m := range priors(t, text, o) {
				last := m.LogLikelihood()
				all := m.Train(25)
				if all[0] != last {
					t.Errorf("%s: the first iteration began at %g, the model was at %g", name, all[0], last)
				}
				for n, l := range append(all, m.LogLikelihood()) {
					if !(l >= last-1e-9*math.Abs(last)) {
						t.Errorf("%s, seed %d, %+v: iteration %d fell from %.12g to %.12g", name, seed, o, n, last, l)
					}
					last = l
				}
				if !(all[24] > all[0]) {
					t.Errorf("%s, seed %d: nothing learned, %g to %g", name, seed, all[0], all[24])
				}
			}
		}
	}
}

// The three models are the same to the last bit, however many work on them, and the order of the pairs changes rounding only.
func TestWorkers(t *testing.T) {
	text := randomText(3, 200, 9, 20)
	one := priors(t, text, Options{Workers: 1})
	turned := slices.Clone(text)
	slices.Reverse(turned)
	for name, m := range priors(t, turned, Options{Workers: 3}) {
		if a, b := m.LogLikelihood(), one[name].LogLikelihood(); !near(a, b, 1e-12) {
			t.Errorf("%s: %g and, the pairs reversed, %g", name, b, a)
		}
	}
	for name, m := range priors(t, text, Options{Workers: 3}) {
		if !slices.Equal(m.lexicon.p, one[name].lexicon.p) {
			t.Errorf("%s: three workers learned another lexicon", name)
		}
		if !reflect.DeepEqual(m.Train(2), one[name].Train(2)) {
			t.Errorf("%s: three workers have another likelihood", name)
		}
		a, errA := m.AlignAll(text)
		b, errB := one[name].AlignAll(text)
		if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: three workers align otherwise: %v, %v", name, errA, errB)
		}
	}
}

// What a source word translates to, and where a target word looks, are distributions.
func TestDistributions(t *testing.T) {
	text := randomText(5, 60, 8, 7)
	for name, m := range priors(t, text, Options{}) {
		for _, source := range append([]string{Null}, m.text.source.text[1:]...) {
			sum, last := 0.0, 1.0
			for _, tr := range m.Translations(source, -1) {
				if sum += tr.Probability; tr.Probability > last || tr.Probability != m.Probability(tr.Word, source) {
					t.Errorf("%s: %s to %s has %g after %g", name, source, tr.Word, tr.Probability, last)
				}
				last = tr.Probability
			}
			if !near(sum, 1, 1e-12) {
				t.Errorf("%s: the translations of %q sum to %g", name, source, sum)
			}
		}
		for _, p := range append(text[:5:5], pair("sa unheard sb sc ||| ta tb of td te tf tg ta tb tc td te tf")) {
			posteriors, err := m.Posteriors(p)
			if err != nil || len(posteriors) != len(p.Target) {
				t.Fatalf("%s: %d rows, %v", name, len(posteriors), err)
			}
			for i, row := range posteriors {
				sum := 0.0
				for _, w := range row {
					sum += w
				}
				if len(row) != len(p.Source)+1 || !near(sum, 1, 1e-9) {
					t.Errorf("%s: target word %d looks at %d places with %g", name, i, len(row), sum)
				}
			}
			if _, err := metrics.AttentionEntropy(posteriors); err != nil {
				t.Errorf("%s: posteriors do not pass for attention: %v", name, err)
			}
		}
	}
}

// enumerate visits all alignments of a pair, as rows, with their joint probability with the target, written out from the models' equations.
func enumerate(m *Model, p corpus.Pair, visit func(rows []int, probability float64)) {
	S, T, nulls := len(p.Source), len(p.Target), m.text.nulls
	matrix, err := m.matrix(p)
	if err != nil {
		panic(err)
	}
	rows := make([]int, T)
	var walk func(i, last int, probability float64)
	walk = func(i, last int, probability float64) {
		if i == T {
			visit(rows, probability)
			return
		}
		for row := range S + nulls {
			rows[i] = row
			place := row + 1 - nulls // 0 is NULL
			prior, here := 0.0, place
			switch h := m.prior.(type) {
			case everywhere:
				prior = 1 / float64(S+nulls)
			case positions:
				prior, _ = m.PlaceProbability(row-nulls, i, S, T)
			case *jumps:
				if place == 0 && nulls > 0 {
					prior, here = h.null, last
					break
				}
				sum := 0.0
				for j := 1; j <= S; j++ {
					c, _ := m.JumpProbability(j - last)
					sum += c
				}
				c, _ := m.JumpProbability(place - last)
				prior = (1 - h.null) * c / sum
			}
			walk(i+1, here, probability*prior*matrix[row*T+i])
		}
	}
	walk(0, 0, 1)
}

// Likelihood, posteriors and the best alignment are those found by trying all alignments.
func TestEnumeration(t *testing.T) {
	for _, o := range []Options{{}, {NoNull: true}} {
		text := randomText(11, 30, 4, 5)
		for name, m := range priors(t, text, o) {
			whole := 0.0
			for _, p := range text {
				T, nulls := len(p.Target), m.text.nulls
				want := make([][]float64, T)
				for i := range want {
					want[i] = make([]float64, len(p.Source)+nulls)
				}
				total, best := 0.0, 0.0
				enumerate(m, p, func(rows []int, probability float64) {
					total += probability
					best = max(best, probability)
					for i, row := range rows { // NULL's is row 0 and the last column
						want[i][(row-nulls+len(want[i]))%len(want[i])] += probability
					}
				})
				whole += math.Log(total)
				got, err := m.Posteriors(p)
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					for j := range want[i] {
						if !near(got[i][j], want[i][j]/total, 1e-7) {
							t.Fatalf("%s %+v: %v: target word %d looks at %d with %g, want %g", name, o, p, i, j, got[i][j], want[i][j]/total)
						}
					}
				}
				links, err := m.Align(p)
				if err != nil {
					t.Fatal(err)
				}
				found := make([]int, T)
				for i := range found {
					found[i] = -1 + nulls
				}
				for _, l := range links {
					found[l.Target] = l.Source + nulls
				}
				enumerate(m, p, func(rows []int, probability float64) {
					if slices.Equal(rows, found) && !near(probability/best, 1, 1e-9) {
						t.Errorf("%s: %v: alignment %v has %g of the best", name, p, rows, probability/best)
					}
				})
			}
			if got := m.LogLikelihood(); !near(got, whole, 1e-7) {
				t.Errorf("%s %+v: log-likelihood %g, want %g", name, o, got, whole)
			}
		}
	}
}

// reference is what testdata/reference.py writes.
type reference struct {
	Iterations             int
	Model1, Model2, Places [][]any
}

// Models 1 and 2 learn what NLTK's do.
func TestNLTK(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want reference
	if err := json.Unmarshal(content, &want); err != nil {
		t.Fatal(err)
	}
	text, err := corpus.ReadPharaohText(filepath.Join("testdata", "grammar.txt"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, m *Model, all [][]any) {
		for _, entry := range all {
			source, target, p := entry[0].(string), entry[1].(string), entry[2].(float64)
			if got := m.Probability(target, source); math.Abs(got-p) > 1e-6 {
				t.Errorf("%s: t(%s|%s) = %.9f, NLTK has %.9f", name, target, source, got, p)
			}
		}
		if len(all) < 400 {
			t.Errorf("%s: only %d probabilities to compare with", name, len(all))
		}
	}
	m1 := newModel1(t, text, Options{})
	m1.Train(want.Iterations)
	check("Model 1", m1, want.Model1)
	m1.Train(want.Iterations)
	m2 := m1.Model2()
	m2.Train(want.Iterations)
	check("Model 2", m2, want.Model2)
	for _, entry := range want.Places {
		n := func(k int) int { return int(entry[k].(float64)) }
		got, ok := m2.PlaceProbability(n(0)-1, n(1)-1, n(2), n(3))
		if p := entry[4].(float64); !ok || math.Abs(got-p) > 1e-6 {
			t.Errorf("a(%d|%d,%d,%d) = %.9f, %v, NLTK has %.9f", n(0), n(1), n(2), n(3), got, ok, p)
		}
	}
}

func TestWriteLexicon(t *testing.T) {
	m := newModel1(t, pairs("the house ||| das Haus", "the book ||| das Buch"), Options{})
	m.Train(1)
	var text strings.Builder
	want := "\tdas\t0.5\nthe\tdas\t0.5\nhouse\tdas\t0.5\nhouse\tHaus\t0.5\nbook\tdas\t0.5\nbook\tBuch\t0.5\n"
	if err := m.WriteLexicon(&text, 0.3); err != nil || text.String() != want {
		t.Errorf("%q, %v, want %q", text.String(), err, want)
	}
}

func TestErrors(t *testing.T) {
	good := pairs("a b ||| c d")
	m := newModel1(t, good, Options{})
	bare := newModel1(t, good, Options{NoNull: true})
	for _, c := range []struct {
		name string
		do   func() error
		part string
	}{
		{"no text", func() error { _, err := NewModel1(nil, Options{}); return err }, "no sentence pair"},
		{"an empty source", func() error { _, err := NewModel1(pairs("a ||| b", "||| b"), Options{}); return err }, "pair 1 has 0 source and 1 target words"},
		{"an empty target", func() error { _, err := NewModel1(pairs("a |||"), Options{}); return err }, "pair 0 has 1 source and 0"},
		{"workers", func() error { _, err := NewModel1(good, Options{Workers: -1}); return err }, "-1"},
		{"NULL surely", func() error { _, err := m.HMM(1); return err }, "is 1: give"},
		{"NULL never", func() error { _, err := m.HMM(-0.1); return err }, "-0.1"},
		{"NULL unknown", func() error { _, err := m.HMM(math.NaN()); return err }, "NaN"},
		{"NULL where there is none", func() error { _, err := bare.HMM(0.2); return err }, "without NULL"},
		{"align nothing", func() error { _, err := m.Align(pair("a |||")); return err }, "empty side"},
		{"align nothing of many", func() error { _, err := m.AlignAll(pairs("a ||| c", "a |||")); return err }, "pair 1: "},
		{"posteriors of nothing", func() error { _, err := m.Posteriors(pair("||| c")); return err }, "empty side"},
		{"an empty word", func() error {
			_, err := m.Align(corpus.Pair{Source: []string{""}, Target: []string{"c"}})
			return err
		}, "empty source word"},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.part)
		}
	}
	if _, ok := m.PlaceProbability(0, 0, 2, 2); ok {
		t.Error("Model 1 has a place probability")
	}
	if _, ok := m.JumpProbability(1); ok {
		t.Error("Model 1 has a jump probability")
	}
}

// Words, lengths and jumps that the training text lacks are no fault; an unknown word has no link where no neighbour says otherwise.
func TestUnseen(t *testing.T) {
	for name, m := range priors(t, pairs("the house ||| das Haus", "the book ||| das Buch", "a book ||| ein Buch"), Options{}) {
		p := pair("x the house the book a book the book a house y ||| das z Haus das Buch ein Buch")
		links, err := m.Align(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range links {
			if err := l.Within(p); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if p.Target[l.Target] == "z" && name != "HMM" {
				t.Errorf("%s: an unknown word is linked to %s", name, p.Source[l.Source])
			}
		}
		if got := m.Probability("Haus", "unheard"); got != 0 || m.Translations("unheard", 3) != nil || m.Probability("ein", "the") != 0 {
			t.Errorf("%s: an unknown word has %g", name, got)
		}
	}
}

// The links of the grammar are known. Model 2's tables, one for each pair of lengths, are too many for so few sentences to gain by them.
func TestGrammarAER(t *testing.T) {
	d, err := grammar.New(grammar.Options{Train: 2000, Test: 200, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m1 := newModel1(t, d.Train, Options{})
	m1.Train(5)
	m2 := m1.Model2()
	m2.Train(5)
	hmm := newHMM(t, m1, 0.2)
	hmm.Train(5)
	for _, m := range []struct {
		name string
		*Model
		most float64
	}{{"Model 1", m1, 0.25}, {"Model 2", m2, 0.25}, {"HMM", hmm, 0.1}} {
		links, err := m.AlignAll(d.Test)
		if err != nil {
			t.Fatal(err)
		}
		if score := aer(t, m.name, links, d.Test); score.AER() > m.most {
			t.Errorf("%s: %v, want at most %g", m.name, score, m.most)
		}
	}
}

// bothWays aligns a text by the HMM in both directions, the links from source to target.
func bothWays(t testing.TB, text []corpus.Pair) (forward, backward [][]corpus.Link) {
	t.Helper()
	hmm := func(text []corpus.Pair) *Model {
		m := newModel1(t, text, Options{})
		m.Train(5)
		h := newHMM(t, m, 0.2)
		h.Train(5)
		return h
	}
	forward, backward, err := Directions{hmm(text), hmm(corpus.ReversePairs(text))}.AlignAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return forward, backward
}

func aer(t testing.TB, name string, links [][]corpus.Link, gold []corpus.Pair) metrics.AlignmentScore {
	t.Helper()
	score, err := metrics.AER(links, gold)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: AER %.3f, precision %.3f, recall %.3f", name, score.AER(), score.Precision(), score.Recall())
	return score
}

// On ALIBI's gold links, with what its own 522 pairs teach: the HMM is better than Model 1, the intersection more precise than either direction, the
// union more complete, and what grows from one to the other better than either direction.
func TestAlibiAER(t *testing.T) {
	gold, err := corpus.Alibi()
	if errors.Is(err, project.ErrNoData) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	m1 := newModel1(t, gold, Options{})
	m1.Train(5)
	links, err := m1.AlignAll(gold)
	if err != nil {
		t.Fatal(err)
	}
	first := aer(t, "Model 1", links, gold)
	f, b := bothWays(t, gold)
	forward, backward := aer(t, "HMM, French to English", f, gold), aer(t, "HMM, English to French", b, gold)
	of := map[Heuristic]metrics.AlignmentScore{}
	for _, h := range Heuristics() {
		links, err := SymmetrizeAll(h, f, b)
		if err != nil {
			t.Fatal(err)
		}
		of[h] = aer(t, string(h), links, gold)
	}
	if !(forward.AER() < first.AER() && first.AER() < 0.7) {
		t.Errorf("AER of Model 1 %.3f, of the HMM %.3f", first.AER(), forward.AER())
	}
	if p := of[Intersection].Precision(); p < max(forward.Precision(), backward.Precision()) {
		t.Errorf("the intersection has a precision of %.3f", p)
	}
	if r := of[Union].Recall(); r < max(forward.Recall(), backward.Recall()) {
		t.Errorf("the union has a recall of %.3f", r)
	}
	for _, h := range []Heuristic{GrowDiag, GrowDiagFinalAnd} {
		if a := of[h].AER(); a >= min(forward.AER(), backward.AER()) {
			t.Errorf("%s has an AER of %.3f", h, a)
		}
	}
}
