package main

import (
	"math"
	"testing"
)

// TestSame trains the models of both sides a little: they have as many weights, PyTorch's second biases aside, and learn alike.
func TestSame(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	python, err := pytorch()
	if err != nil {
		t.Skip(err)
	}
	_, peer, err := sides(1, python)
	if err != nil {
		t.Fatal(err)
	}
	for _, lengths := range [][2]int{{8, 8}, {3, 9}} {
		for _, config := range (size{"tiny", 30, 16, 32}).configs(120) {
			j, _, err := newJob(kindTrain, config, newTask(30, 256, 0, lengths[0], lengths[1]), 1)
			if err != nil {
				t.Fatal(err)
			}
			j.Folder = t.TempDir()
			a, err := ours(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			b, err := peer.do(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			if b.SecondBiases == 0 || a.Parameters != b.Parameters-b.SecondBiases {
				t.Errorf("%s: %d parameters, PyTorch %d of which %d are second biases", config.Name, a.Parameters, b.Parameters, b.SecondBiases)
			}
			if len(a.Seconds) != config.Updates || len(b.Seconds) != config.Updates {
				t.Fatalf("%s: %d and %d times of %d updates", config.Name, len(a.Seconds), len(b.Seconds), config.Updates)
			}
			// At the first update, where nothing is learned yet; on the way; and at the end.
			for _, part := range []struct {
				from, to int
				within   float64 // nats
			}{{0, 1, 0.5}, {1, 60, 0.3}, {60, 120, 0.3}} {
				ours, theirs := mean(a.Losses[part.from:part.to]), mean(b.Losses[part.from:part.to])
				t.Logf("%s, updates %d to %d: losses %.3f and %.3f", config.Name, part.from+1, part.to, ours, theirs)
				if math.Abs(ours-theirs) > part.within {
					t.Errorf("%s, updates %d to %d: mean loss %.3f, PyTorch %.3f", config.Name, part.from+1, part.to, ours, theirs)
				}
			}
		}
	}
}

func mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

// TestTranslations trains tiny models on both sides, and holds that their translations are right by either search.
func TestTranslations(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	both := map[string]func(j job) (answer, error){"ours": func(j job) (answer, error) { return ours(t.Context(), j) }}
	if python, err := pytorch(); err == nil {
		_, peer, err := sides(1, python)
		if err != nil {
			t.Fatal(err)
		}
		both["PyTorch"] = func(j job) (answer, error) {
			d, err := peer.do(t.Context(), j)
			return d.answer, err
		}
	} else {
		t.Log("ours alone:", err)
	}
	for _, config := range (size{"tiny", 30, 32, 64}).configs(500) {
		folder := t.TempDir()
		for _, k := range []kind{kindGreedy, kindBeam, kindWhole} {
			j, _, err := newJob(k, config, newTask(30, 512, 50, 3, 7), 1)
			if err != nil {
				t.Fatal(err)
			}
			if j.Folder = folder; k == kindWhole {
				j.Folder = t.TempDir()
			}
			for name, do := range both {
				a, err := do(j)
				if err != nil {
					t.Fatal(err)
				}
				words := 0
				for _, target := range j.Targets {
					words += len(target) + 1
				}
				t.Logf("%s, %s, %s: %d words, %d right", name, config.Name, k, a.Words, a.Right)
				if a.Right < 45 || math.Abs(float64(a.Words-words)) > 0.05*float64(words) {
					t.Errorf("%s, %s, %s: %d of 50 right, %d words for %d", name, config.Name, k, a.Right, a.Words, words)
				}
			}
		}
	}
}

// TestFirst holds that both times are there; which is shorter is not for a test.
func TestFirst(t *testing.T) {
	j, _, err := newJob(kindFirst, size{"tiny", 30, 3, 4}.configs(1)[0], newTask(30, 64, 0, 5, 5), 1)
	if err != nil {
		t.Fatal(err)
	}
	j.Folder = t.TempDir()
	a, err := ours(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Seconds) != 2 || a.Seconds[0] <= 0 || a.Seconds[1] <= 0 {
		t.Errorf("times %v", a.Seconds)
	}
	if a.Versions["engine"] == "" {
		t.Errorf("versions %v", a.Versions)
	}
}
