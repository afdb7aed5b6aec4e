package main

import (
	"reflect"
	"slices"
	"testing"
)

func TestNewTask(t *testing.T) {
	for _, c := range []struct{ vocabulary, pairs, sources, shortest, longest int }{
		{20, 30, 5, 4, 4},
		{400, 640, 200, 12, 12},
		{4000, 2048, 10, 5, 60},
		{30, 20, 0, 2, 9},
	} {
		k := newTask(c.vocabulary, c.pairs, c.sources, c.shortest, c.longest)
		if len(k.Pairs) != c.pairs || len(k.Sources) != c.sources || len(k.Targets) != c.sources {
			t.Fatalf("%v: %d pairs, %d sources, %d targets", c, len(k.Pairs), len(k.Sources), len(k.Targets))
		}
		seen, lengths := map[int32]bool{}, map[int]bool{}
		for _, p := range k.Pairs {
			if !slices.Equal(p[0], p[1]) {
				t.Fatalf("%v: %v is translated as %v", c, p[0], p[1])
			}
			lengths[len(p[0])+1] = true
			for _, id := range p[0] {
				seen[id] = true
			}
		}
		if len(seen) != c.vocabulary-4 {
			t.Errorf("%v: %d words in the pairs", c, len(seen))
		}
		for length := range lengths {
			if length < c.shortest || length > c.longest {
				t.Errorf("%v: a sentence of %d ids", c, length)
			}
		}
	}
}

// TestBenchmarksVocabulary holds what the parameters' count depends on: a training finds as many words as the task says.
func TestBenchmarksVocabulary(t *testing.T) {
	for _, b := range benchmarks() {
		seen := map[int32]bool{}
		for _, p := range b.task.Pairs {
			for _, id := range p[0] {
				seen[id] = true
			}
		}
		if len(seen) != b.task.Vocabulary-4 {
			t.Errorf("%s: %d words for a vocabulary of %d", b.name, len(seen), b.task.Vocabulary)
		}
	}
}

func TestJob(t *testing.T) {
	config := size{"tiny", 20, 3, 4}.configs(7)[0]
	config.BatchSize = 8
	j, batches, err := newJob(kindTrain, config, newTask(20, 20, 3, 3, 6), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Batches) != config.Updates || len(batches) != config.Updates {
		t.Fatalf("%d and %d batches for %d updates", len(j.Batches), len(batches), config.Updates)
	}
	for i, pairs := range j.Batches {
		words := 0
		for _, p := range pairs {
			words += len(j.Pairs[p][1]) + 1
		}
		if words != batches[i].Tokens() {
			t.Errorf("batch %d has %d words, its pairs %d", i, batches[i].Tokens(), words)
		}
	}
	j.Folder = t.TempDir()
	path, err := j.write()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := readJob(path); err != nil || !reflect.DeepEqual(back, j) {
		t.Errorf("read back: %+v, %v", back, err)
	}
}
