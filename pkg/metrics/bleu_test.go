package metrics

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"seq2attn/pkg/project"
)

// tokens cuts a sentence at its spaces.
func tokens(sentence string) []string { return strings.Fields(sentence) }

func sentences(lines ...string) [][]string {
	all := make([][]string, len(lines))
	for i, line := range lines {
		all[i] = tokens(line)
	}
	return all
}

// segment is a hypothesis and its references; in JSON it is [hypothesis, [reference, …]].
type segment struct {
	hypothesis string
	references []string
}

func (s segment) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{s.hypothesis, s.references})
}

func (s *segment) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.hypothesis, &s.references})
}

// reference is what testdata/reference.py writes.
type reference struct {
	SacreBLEU string
	Python    string
	Methods   []struct {
		Smoothing Smoothing
		Value     *float64
		Effective bool
	}
	Segments  []segment
	Sentences [][]float64
	Corpora   []struct {
		Begin, End            int
		Scores                []float64
		Precisions            [][]float64
		Counts, Totals        []int
		BP                    float64
		Hypothesis, Reference int
		Text                  string
	}
}

// compare checks every score of the reference and gives the greatest difference of any number from sacreBLEU's.
func (r reference) compare(t *testing.T) (greatest float64) {
	t.Helper()
	const tolerance = 1e-6
	failures := 0
	check := func(got, want float64, format string, where ...any) {
		difference := math.Abs(got - want)
		greatest = max(greatest, difference)
		if !(difference <= tolerance) {
			if failures++; failures <= 20 {
				t.Errorf("%s: %.9f, sacreBLEU %.9f", fmt.Sprintf(format, where...), got, want)
			}
		}
	}
	hypotheses, references := make([][]string, len(r.Segments)), make([][][]string, len(r.Segments))
	for i, s := range r.Segments {
		hypotheses[i], references[i] = tokens(s.hypothesis), sentences(s.references...)
	}
	for m, method := range r.Methods {
		options := []BLEUOption{Smooth(method.Smoothing), EffectiveOrder(method.Effective)}
		if method.Value != nil {
			options[0] = Smooth(method.Smoothing, *method.Value)
		}
		for i, s := range r.Segments {
			got, err := SentenceBLEU(hypotheses[i], references[i], options...)
			if err != nil {
				t.Fatal(err)
			}
			check(got.Score, r.Sentences[i][m], "sentence %q against %q, %+v", s.hypothesis, s.references, method)
		}
		for _, c := range r.Corpora {
			got, err := CorpusBLEU(hypotheses[c.Begin:c.End], references[c.Begin:c.End], options...)
			if err != nil {
				t.Fatal(err)
			}
			check(got.Score, c.Scores[m], "corpus %d to %d, %+v", c.Begin, c.End, method)
			check(got.BrevityPenalty, c.BP, "brevity penalty of corpus %d to %d", c.Begin, c.End)
			for n := range MaxOrder {
				check(got.Precisions[n], c.Precisions[m][n], "precision %d of corpus %d to %d, %+v", n+1, c.Begin, c.End, method)
			}
			if !slices.Equal(got.Counts[:], c.Counts) || !slices.Equal(got.Totals[:], c.Totals) ||
				got.HypothesisLength != c.Hypothesis || got.ReferenceLength != c.Reference {
				t.Errorf("corpus %d to %d: %+v, sacreBLEU %+v", c.Begin, c.End, got, c)
			}
			if m == 0 && got.line() != c.Text {
				t.Errorf("printed as %q, by sacreBLEU as %q", got, c.Text)
			}
		}
	}
	return greatest
}

// TestSacreBLEU compares with stored scores of the sacrebleu package, on made-up sentences.
func TestSacreBLEU(t *testing.T) {
	f, err := os.Open("testdata/reference.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.NewDecoder(text).Decode(&r); err != nil {
		t.Fatal(err)
	}
	if len(r.Segments) < 2000 || len(r.Methods) != 12 || len(r.Sentences) != len(r.Segments) || len(r.Corpora) < 10 {
		t.Fatalf("%d segments, %d methods, %d sentences, %d corpora", len(r.Segments), len(r.Methods), len(r.Sentences), len(r.Corpora))
	}
	greatest := r.compare(t)
	t.Logf("%d segments, %d corpora, %d methods; greatest difference from sacreBLEU %s (Python %s): %.2g",
		len(r.Segments), len(r.Corpora), len(r.Methods), r.SacreBLEU, r.Python, greatest)
}

// TestSacreBLEUReal compares with the sacrebleu package itself on real sentences, where both are at hand: SEQ2ATTN_SACREBLEU
// names a Python that has sacrebleu.
func TestSacreBLEUReal(t *testing.T) {
	python := os.Getenv("SEQ2ATTN_SACREBLEU")
	if python == "" {
		t.Skip("SEQ2ATTN_SACREBLEU does not name a Python with the sacrebleu package")
	}
	dir, err := project.Data("tatoeba_enfr")
	if errors.Is(err, project.ErrNoData) {
		t.Skip(err)
	}
	segments := realSegments(t, filepath.Join(dir, "train.tsv.gz"), 3000)
	input, err := json.Marshal(map[string]any{"segments": segments})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "testdata/reference.py", "score")
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	var r reference
	if err := json.Unmarshal(output, &r); err != nil {
		t.Fatal(err)
	}
	several := 0
	for _, s := range segments {
		if len(s.references) > 1 {
			several++
		}
	}
	greatest := r.compare(t)
	t.Logf("%d real segments, %d with several references, %d corpora, %d methods; greatest difference from sacreBLEU %s: %.2g",
		len(segments), several, len(r.Corpora), len(r.Methods), r.SacreBLEU, greatest)
}

// realSegments gives English sentences' French translations as references, all that the file has for the sentence, and one of
// them, mutilated, as hypothesis.
func realSegments(t *testing.T, path string, count int) []segment {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	french := map[string][]string{}
	var english []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(fields) < 2 {
			t.Fatalf("%s: line without a tab: %q", path, line)
		}
		if french[fields[0]] == nil {
			english = append(english, fields[0])
		}
		french[fields[0]] = append(french[fields[0]], fields[1])
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(english), func(i, j int) { english[i], english[j] = english[j], english[i] })
	// Half of them with several translations.
	slices.SortStableFunc(english[:2*count], func(a, b string) int { return cmp.Compare(len(french[b]), len(french[a])) })
	english = append(english[:count/2], english[2*count:2*count+count-count/2]...)
	segments := make([]segment, count)
	for i, e := range english {
		references := french[e]
		words := tokens(references[r.IntN(len(references))])
		for range r.IntN(4) {
			at := r.IntN(len(words) + 1)
			switch tail := words[at:]; r.IntN(5) {
			case 0:
				words = slices.Concat(words[:at], tail[min(1, len(tail)):])
			case 1:
				words = slices.Concat(words[:at], tail, tail)
			case 2:
				words = slices.Concat(words[:at], tokens(e)[:1], tail)
			case 3:
				words = words[:at]
			default:
				r.Shuffle(len(tail), func(i, j int) { tail[i], tail[j] = tail[j], tail[i] })
			}
		}
		segments[i] = segment{strings.Join(words, " "), references}
	}
	return segments
}

// TestBLEUFaults are cases that BLEU programs are known to get wrong.
func TestBLEUFaults(t *testing.T) {
	accent := "le café est fermé ici"
	for _, c := range []struct {
		name                   string
		hypotheses, references [][]string
		options                []BLEUOption
		want                   string
	}{
		{"an empty hypothesis counts", sentences("", "two cats sleep on the mat"), sentences("red boats", "two cats sleep on the mat"), nil, "71.65"},
		{"all hypotheses empty", sentences("", ""), sentences("red boats", "two cats sleep on the mat"), nil, "0.00"},
		{"all empty, references too", sentences(""), sentences(""), nil, "0.00"},
		{"an empty reference", sentences("red boats"), sentences(""), nil, "0.00"},
		{"perfect", sentences("two cats sleep on the mat"), sentences("two cats sleep on the mat"), nil, "100.00"},
		{"three tokens", sentences("the red boat"), sentences("the red boat"), nil, "0.00"},
		{"three tokens, effective order", sentences("the red boat"), sentences("the red boat"), []BLEUOption{EffectiveOrder(true)}, "100.00"},
		{"three tokens, unsmoothed", sentences("the red boat"), sentences("the red boat"), []BLEUOption{Smooth(None)}, "0.00"},
		{"no match at all", sentences("a b c d e"), sentences("f g h i j"), []BLEUOption{EffectiveOrder(true)}, "0.00"},
		{"composed against decomposed", sentences(accent), sentences(norm.NFD.String(accent)), []BLEUOption{Smooth(None)}, "0.00"},
		{"both composed", sentences(accent), sentences(norm.NFC.String(norm.NFD.String(accent))), []BLEUOption{Smooth(None)}, "100.00"},
		{"Chinese in one token", sentences("我喜欢红色的船"), sentences("我喜欢红色的船"), nil, "0.00"},
		{"Chinese in characters", [][]string{strings.Split("我喜欢红色的船", "")}, [][]string{strings.Split("我喜欢红色的船", "")}, nil, "100.00"},
	} {
		got, err := CorpusBLEU(c.hypotheses, OneReference(c.references), c.options...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.HasPrefix(got.String(), "BLEU = "+c.want+" ") {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		if c.want == "0.00" && got.Score != 0 {
			t.Errorf("%s: %g is not exactly 0", c.name, got.Score)
		}
	}
}

func TestBLEUWarnings(t *testing.T) {
	accent := "le café est fermé ici"
	for _, c := range []struct{ hypothesis, reference, part string }{
		{"我喜欢红色的船", "我喜欢红色的船", "cut text without spaces into characters"},
		{"the red boat", "the red boat", "EffectiveOrder"},
		{accent, norm.NFD.String(accent), "NFC"},
		{norm.NFD.String(accent), accent, "NFC"},
		{accent, accent, ""},
		{"", "the red boat sails", ""},
		{"the boat", "the red boat sails", ""},
	} {
		got, err := CorpusBLEU(sentences(c.hypothesis), OneReference(sentences(c.reference)))
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, _ := strings.Cut(got.String(), "; warning: ") // a reader of the score reads them too
		if (warnings == "") != (c.part == "") || !strings.Contains(warnings, c.part) {
			t.Errorf("%q against %q: warnings %q, want %q in them", c.hypothesis, c.reference, warnings, c.part)
		}
	}
}

func TestBLEUErrors(t *testing.T) {
	one, two := sentences("a b"), sentences("a b", "c d")
	for _, c := range []struct {
		name       string
		hypotheses [][]string
		references [][][]string
		options    []BLEUOption
		parts      []string
	}{
		{"fewer references", two, OneReference(one), nil, []string{"2 hypotheses", "1 lists of references"}},
		{"fewer hypotheses", one, OneReference(two), nil, []string{"1 hypotheses", "2 lists of references"}},
		{"transposed references", two, [][][]string{two}, nil, []string{"transposed"}},
		{"nothing", nil, nil, nil, []string{"no sentence"}},
		{"a sentence without reference", two, [][][]string{one, nil}, nil, []string{"sentence 1 has no reference"}},
		{"an unknown smoothing", one, OneReference(one), []BLEUOption{Smooth("linear")}, []string{`"linear"`, `"add-k"`}},
		{"a negative value", one, OneReference(one), []BLEUOption{Smooth(AddK, -1)}, []string{"-1", "add-k"}},
		{"a value that is none", one, OneReference(one), []BLEUOption{Smooth(AddK, math.NaN())}, []string{"NaN"}},
		{"a floor above 1", one, OneReference(one), []BLEUOption{Smooth(Floor, 1.5)}, []string{"1.5", "at most 1"}},
		{"a value for none", one, OneReference(one), []BLEUOption{Smooth(None, 1)}, []string{"none"}},
	} {
		got, err := CorpusBLEU(c.hypotheses, c.references, c.options...)
		if err == nil {
			t.Errorf("%s: %v, want an error", c.name, got)
			continue
		}
		for _, part := range c.parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %q does not say %q", c.name, err, part)
			}
		}
	}
	if got, err := SentenceBLEU(one[0], nil); err == nil {
		t.Errorf("a sentence without reference scores %v", got)
	}
}

func TestScoring(t *testing.T) {
	for _, c := range []struct {
		options []BLEUOption
		want    string
	}{
		{nil, "case:mixed|eff:no|tok:none|smooth:exp"},
		{[]BLEUOption{Smooth(None), EffectiveOrder(true)}, "case:mixed|eff:yes|tok:none|smooth:none"},
		{[]BLEUOption{Smooth(Floor)}, "case:mixed|eff:no|tok:none|smooth:floor[0.10]"},
		{[]BLEUOption{Smooth(AddK, 0.5)}, "case:mixed|eff:no|tok:none|smooth:add-k[0.50]"},
	} {
		got, err := CorpusBLEU(sentences("a"), OneReference(sentences("a")), c.options...)
		if err != nil || got.Scoring != c.want {
			t.Errorf("scoring %q, %v, want %q", got.Scoring, err, c.want)
		}
	}
}

// everyScoring are options under which the properties of BLEU hold.
func everyScoring() [][]BLEUOption {
	var all [][]BLEUOption
	for _, smooth := range []BLEUOption{Smooth(Exp), Smooth(None), Smooth(Floor), Smooth(Floor, 1), Smooth(AddK), Smooth(AddK, 7)} {
		all = append(all, []BLEUOption{smooth}, []BLEUOption{smooth, EffectiveOrder(true)})
	}
	return all
}

func randomText(r *rand.Rand, n, shortest, longest int) [][]string {
	text := make([][]string, n)
	for i := range text {
		text[i] = make([]string, shortest+r.IntN(longest-shortest+1))
		for j := range text[i] {
			text[i][j] = string(rune('a' + r.IntN(6)))
		}
	}
	return text
}

func TestBLEUProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	score := func(hypotheses [][]string, references [][][]string, options []BLEUOption) float64 {
		t.Helper()
		b, err := CorpusBLEU(hypotheses, references, options...)
		if err != nil {
			t.Fatal(err)
		}
		if !(b.Score >= 0 && b.Score <= 100) {
			t.Fatalf("%v is out of 0 to 100", b)
		}
		return b.Score
	}
	for range 50 {
		n := 1 + r.IntN(20)
		hypotheses, references := randomText(r, n, 0, 12), make([][][]string, n)
		for i := range references {
			references[i] = randomText(r, 1+r.IntN(3), 0, 12)
		}
		shuffled, shuffledReferences := make([][]string, n), make([][][]string, n)
		for to, from := range r.Perm(n) {
			shuffled[to], shuffledReferences[to] = hypotheses[from], slices.Clone(references[from])
			slices.Reverse(shuffledReferences[to])
		}
		same := randomText(r, n, 4, 12)
		for _, options := range everyScoring() {
			before := score(hypotheses, references, options)
			if after := score(shuffled, shuffledReferences, options); after != before {
				t.Errorf("order of sentences and references changes %v to %v", before, after)
			}
			if perfect := score(same, OneReference(same), options); math.Abs(perfect-100) > 1e-9 {
				t.Errorf("identical texts score %v", perfect)
			}
			one, err := SentenceBLEU(hypotheses[0], references[0], options...)
			if err != nil {
				t.Fatal(err)
			}
			corpus, err := CorpusBLEU(hypotheses[:1], references[:1], slices.Concat([]BLEUOption{EffectiveOrder(true)}, options)...)
			if err != nil || corpus != one {
				t.Errorf("a corpus of one sentence: %v, %v; the sentence: %v", corpus, err, one)
			}
		}
	}
}

func FuzzBLEU(f *testing.F) {
	f.Add("the red boat", "the red boat\na red boat", uint8(0))
	f.Add("", "", uint8(3))
	f.Add("a a a a a a", "a", uint8(9))
	f.Add("船 мир \xff", "船 мир\n\n", uint8(5))
	f.Fuzz(func(t *testing.T, hypothesis, references string, which uint8) {
		all := everyScoring()
		b, err := SentenceBLEU(tokens(hypothesis), sentences(strings.Split(references, "\n")...), all[int(which)%len(all)]...)
		if err != nil {
			t.Fatal(err)
		}
		if !(b.Score >= 0 && b.Score <= 100 && b.BrevityPenalty >= 0 && b.BrevityPenalty <= 1) || b.Score > 0 && b.Score < 1e-100 {
			t.Errorf("%q against %q: %+v", hypothesis, references, b)
		}
		for n := range MaxOrder {
			if b.Counts[n] > b.Totals[n] || n > 0 && b.Counts[n] > b.Counts[n-1] {
				t.Errorf("%q against %q: counts %v of %v", hypothesis, references, b.Counts, b.Totals)
			}
		}
	})
}

func BenchmarkCorpusBLEU(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	hypotheses, references := randomText(r, 1000, 5, 40), OneReference(randomText(r, 1000, 5, 40))
	for b.Loop() {
		if _, err := CorpusBLEU(hypotheses, references); err != nil {
			b.Fatal(err)
		}
	}
}
