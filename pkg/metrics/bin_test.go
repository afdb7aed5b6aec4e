package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestBins(t *testing.T) {
	for _, c := range []struct {
		width, longest int
		want           string
	}{
		{10, 60, "[1-10 11-20 21-30 31-40 41-50 51-60]"},
		{10, 25, "[1-10 11-20 21-25]"},
		{10, 21, "[1-10 11-20 21]"},
		{1, 3, "[1 2 3]"},
		{10, 3, "[1-3]"},
		{0, 60, ""},
		{-1, 60, ""},
		{10, 0, ""},
	} {
		bins, err := Bins(c.width, c.longest)
		if (err != nil) != (c.want == "") || err == nil && fmt.Sprint(bins) != c.want {
			t.Errorf("Bins(%d, %d) = %v, %v, want %s", c.width, c.longest, bins, err, c.want)
		}
	}
}

func TestParseBins(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Bin
		part string // of the error
	}{
		{"1-10,11-20,71-100", []Bin{{1, 10}, {11, 20}, {71, 100}}, ""},
		{"7", []Bin{{7, 7}}, ""},
		{"0, 1 - 5", []Bin{{0, 0}, {1, 5}}, ""},
		{"", nil, `""`},
		{"1-10,", nil, `""`},
		{"ten", nil, `"ten"`},
		{"1-10-20", nil, `"1-10-20"`},
		{"-3", nil, `"-3"`},
		{"20-11", nil, "20-11"},
		{"1-10,10-20", nil, "1-10 and 10-20 overlap"},
		{"5,1-10", nil, "5 and 1-10 overlap"},
		{"1-99999999999999999999", nil, "neither"},
	} {
		bins, err := ParseBins(c.text)
		if c.part == "" && (err != nil || !slices.Equal(bins, c.want)) || c.part != "" && (err == nil || !strings.Contains(err.Error(), c.part)) {
			t.Errorf("ParseBins(%q) = %v, %v, want %v, %q", c.text, bins, err, c.want, c.part)
		}
	}
}

func FuzzParseBin(f *testing.F) {
	f.Add("1-10")
	f.Add("007")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBin(text)
		if err != nil {
			return
		}
		again, err := ParseBin(b.String())
		if err != nil || again != b || !b.Contains(b.Low) || !b.Contains(b.High) || b.Contains(b.Low-1) {
			t.Errorf("ParseBin(%q) = %v, read back as %v, %v", text, b, again, err)
		}
	})
}

func TestGroup(t *testing.T) {
	groups, outside, err := Group([]Bin{{11, 20}, {1, 10}, {30, 30}}, []int{1, 20, 0, 10, 11, 30, 31, 25})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(groups, outside); got != "[[1 4] [0 3] [5]] [2 6 7]" {
		t.Errorf("groups and outside %s", got)
	}
	for _, bins := range [][]Bin{nil, {{5, 4}}, {{-1, 4}}, {{1, 4}, {4, 4}}} {
		if groups, _, err := Group(bins, []int{1}); err == nil {
			t.Errorf("Group of bins %v: %v, want an error", bins, groups)
		}
	}
}

func TestBLEUByLength(t *testing.T) {
	source := sentences("the cat", "the cat sleeps on the red mat", "a dog", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21")
	hypotheses := sentences("le chat", "le chat dort sur le tapis", "un chien noir court", "1 2 3")
	references := OneReference(sentences("le chat", "le chat dort sur le tapis rouge", "un chien noir court", "un deux trois"))
	bins, err := Bins(5, 15)
	if err != nil {
		t.Fatal(err)
	}
	scores, outside, err := BLEUByLength(bins, Lengths(source), hypotheses, references)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(outside, []int{3}) {
		t.Errorf("outside all bins: %v, want [3]", outside)
	}
	for k, want := range []struct {
		bin  string
		n    int
		with []int
	}{{"1-5", 2, []int{0, 2}}, {"6-10", 1, []int{1}}, {"11-15", 0, nil}} {
		got := scores[k]
		if got.Bin.String() != want.bin || got.N != want.n || got.Empty() != (want.n == 0) {
			t.Errorf("bin %d: %v, want %s with %d sentences", k, got, want.bin, want.n)
		}
		if got.Empty() {
			continue
		}
		// Corpus level: the bin scores as its sentences do together.
		if direct, err := CorpusBLEU(Pick(hypotheses, want.with), Pick(references, want.with)); err != nil || got.BLEU != direct {
			t.Errorf("bin %d: %v, its sentences %v, %v", k, got.BLEU, direct, err)
		}
	}
}

// A text's scores in one are those of the two functions; without bins there is the total.
func TestBLEUInAll(t *testing.T) {
	hypotheses, references := sentences("le chat dort ici", "un chien noir court", "un"), OneReference(sentences("le chat dort là", "un chien noir court", "deux"))
	total, err := CorpusBLEU(hypotheses, references)
	if err != nil {
		t.Fatal(err)
	}
	bins, lengths := []Bin{{1, 3}, {4, 4}}, []int{4, 4, 9}
	byLength, _, err := BLEUByLength(bins, lengths, hypotheses, references)
	if err != nil {
		t.Fatal(err)
	}
	got, outside, err := BLEUInAll(bins, lengths, hypotheses, references)
	if err != nil || got.Total != total || fmt.Sprint(got.Bins) != fmt.Sprint(byLength) || !slices.Equal(outside, []int{2}) {
		t.Errorf("%v, outside %v, %v; want %v and %v", got, outside, err, total, byLength)
	}
	got, _, err = BLEUInAll(nil, lengths, hypotheses, references)
	if err != nil || got.Total != total || got.Bins != nil {
		t.Errorf("without bins: %v, %v", got, err)
	}
}

// An empty length bin is no score: neither 0 nor a crash.
func TestEmptyBin(t *testing.T) {
	short, long := strings.Fields("un deux trois"), strings.Fields(strings.Repeat("mot ", 45))
	bins, _ := Bins(10, 50)
	scores, outside, err := BLEUByLength(bins, []int{3, 45}, [][]string{short, long}, OneReference([][]string{short, long}))
	if err != nil || len(outside) > 0 {
		t.Fatal(err, outside)
	}
	survivals, _, err := FirstWordSurvival(1, bins, []int{3, 45}, [][]string{short, long}, [][]string{short, long})
	if err != nil {
		t.Fatal(err)
	}
	for k, n := range []int{1, 0, 0, 0, 1} {
		if s := scores[k]; s.N != n || s.Empty() != (n == 0) || math.IsNaN(s.BLEU.Score) != (n == 0) {
			t.Errorf("%v, want n = %d", s, n)
		}
		if s := survivals[k]; s.Sentences.N != n || s.Empty() != (n == 0) || math.IsNaN(s.Sentences.Share()) != (n == 0) {
			t.Errorf("%v, want n = %d", s, n)
		}
	}
	if got := scores[1].String(); got != "11-20 (n = 0) no score" {
		t.Errorf("an empty bin reads %q", got)
	}
	if got := scores[4].String(); !strings.HasPrefix(got, "41-50 (n = 1) BLEU = 100.00") {
		t.Errorf("a bin reads %q", got)
	}
}

func TestBLEUByLengthErrors(t *testing.T) {
	one, bins := sentences("a b c d"), []Bin{{1, 10}}
	for name, call := range map[string]func() error{
		"no bins":           func() error { _, _, err := BLEUByLength(nil, []int{4}, one, OneReference(one)); return err },
		"a length too many": func() error { _, _, err := BLEUByLength(bins, []int{4, 4}, one, OneReference(one)); return err },
		"no references":     func() error { _, _, err := BLEUByLength(bins, []int{4}, one, nil); return err },
		"nothing":           func() error { _, _, err := BLEUByLength(bins, nil, nil, nil); return err },
		"an unknown option": func() error {
			_, _, err := BLEUByLength(bins, []int{4}, one, OneReference(one), Smooth("x"))
			return err
		},
		"survival of no word": func() error { _, _, err := FirstWordSurvival(0, bins, []int{4}, one, one); return err },
		"survival, lengths":   func() error { _, _, err := FirstWordSurvival(1, bins, []int{4, 4}, one, one); return err },
		"survival, sentences": func() error { _, _, err := FirstWordSurvival(1, bins, []int{4}, one, nil); return err },
		"survival, no bins":   func() error { _, _, err := FirstWordSurvival(1, nil, []int{4}, one, one); return err },
	} {
		if call() == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}
