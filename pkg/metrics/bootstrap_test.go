package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// systems are two systems' hypotheses, the second with more wrong words.
func systems(n int) (good, bad [][]string, references [][][]string) {
	r := rand.New(rand.NewPCG(9, 10))
	targets := randomText(r, n, 5, 20)
	spoil := func(share float64) [][]string {
		spoiled := make([][]string, n)
		for i, target := range targets {
			spoiled[i] = slices.Clone(target)
			for j := range spoiled[i] {
				if r.Float64() < share {
					spoiled[i][j] = "?"
				}
			}
		}
		return spoiled
	}
	return spoil(0.05), spoil(0.25), OneReference(targets)
}

func TestBootstrapBLEU(t *testing.T) {
	good, _, references := systems(100)
	whole, err := CorpusBLEU(good, references)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Bootstrap{Seed: 1}.BLEU(good, references)
	if err != nil {
		t.Fatal(err)
	}
	if !(got.Low < whole.Score && whole.Score < got.High && got.Low > whole.Score-15 && got.High < whole.Score+15) || got.Confidence != 0.95 {
		t.Errorf("%v around %v", got, whole)
	}
	again, _ := Bootstrap{Seed: 1, Samples: 1000, Confidence: 0.95}.BLEU(good, references)
	other, _ := Bootstrap{Seed: 2}.BLEU(good, references)
	if again != got || other == got {
		t.Errorf("%v with the same seed, %v with another, %v at first", again, other, got)
	}
	narrow, _ := Bootstrap{Seed: 1, Confidence: 0.5}.BLEU(good, references)
	if !(got.Low < narrow.Low && narrow.High < got.High) {
		t.Errorf("50%% in %v, 95%% in %v", narrow, got)
	}
	one, err := Bootstrap{Seed: 1}.BLEU(good[:1], references[:1])
	if err != nil || one.Low != one.High {
		t.Errorf("one sentence: %v, %v", one, err)
	}
}

// The interval narrows with the square root of the number of sentences, as that of a mean does.
func TestBootstrapWidth(t *testing.T) {
	good, _, references := systems(1600)
	width := func(n int) float64 {
		got, err := Bootstrap{Seed: 3}.BLEU(good[:n], references[:n])
		if err != nil {
			t.Fatal(err)
		}
		return got.High - got.Low
	}
	if ratio := width(100) / width(1600); math.Abs(ratio-4) > 1.5 {
		t.Errorf("16 times the sentences narrow the interval %.2f times, want about 4", ratio)
	}
}

func TestCompare(t *testing.T) {
	good, bad, references := systems(100)
	first, _ := CorpusBLEU(good, references)
	second, _ := CorpusBLEU(bad, references)
	got, err := Bootstrap{Seed: 1}.Compare(good, bad, references)
	if err != nil {
		t.Fatal(err)
	}
	if got.Difference != first.Score-second.Score || got.Better != 1000 || got.Worse+got.Equal != 0 || !(0 < got.Interval.Low && got.Interval.Low < got.Difference && got.Difference < got.Interval.High) {
		t.Errorf("%+v for %v against %v", got, first, second)
	}
	back, err := Bootstrap{Seed: 1}.Compare(bad, good, references)
	if err != nil || back.Difference != -got.Difference || back.Worse != got.Better {
		t.Errorf("turned round: %+v, %v", back, err)
	}
	same, err := Bootstrap{Seed: 1, Samples: 50}.Compare(good, good, references)
	if err != nil || same.Difference != 0 || same.Equal != 50 || same.Interval != (Interval{0, 0, 0.95}) {
		t.Errorf("a system against itself: %+v, %v", same, err)
	}
	// Pairing: two systems that differ in one sentence differ little in every sample, though the samples' scores scatter.
	nearly := slices.Clone(good)
	nearly[0] = bad[0]
	alike, err := Bootstrap{Seed: 1}.Compare(good, nearly, references)
	alone, _ := Bootstrap{Seed: 1}.BLEU(good, references)
	if err != nil || alike.Interval.High-alike.Interval.Low > (alone.High-alone.Low)/2 {
		t.Errorf("nearly the same system: %+v, %v", alike, err)
	}
}

func TestBootstrapErrors(t *testing.T) {
	good, bad, references := systems(4)
	for name, call := range map[string]func() error{
		"negative samples":         func() error { _, err := Bootstrap{Samples: -1}.BLEU(good, references); return err },
		"confidence in percent":    func() error { _, err := Bootstrap{Confidence: 95}.BLEU(good, references); return err },
		"no sentences":             func() error { _, err := Bootstrap{}.BLEU(nil, nil); return err },
		"unknown smoothing":        func() error { _, err := Bootstrap{}.BLEU(good, references, Smooth("x")); return err },
		"first system too short":   func() error { _, err := Bootstrap{}.Compare(good[1:], bad, references); return err },
		"second system too short":  func() error { _, err := Bootstrap{}.Compare(good, bad[1:], references); return err },
		"compare, unknown options": func() error { _, err := Bootstrap{Confidence: -1}.Compare(good, bad, references); return err },
	} {
		if call() == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}
