package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/seq2seq"
)

// job is what one process is asked to do. Both sides read it from the same file.
type job struct {
	Kind   kind
	Config seq2seq.Config
	task
	// Batches lists the pairs of every update.
	Batches [][]int
	Threads int
	// Width of the beam.
	Width int
	// Folder is where a side keeps its trained model, and Compiled where ours keeps what XLA compiles.
	Folder, Compiled string
}

// kind says what a job measures.
type kind string

const (
	kindTrain  kind = "train"  // the time of every update
	kindFirst  kind = "first"  // the time to the first update, then to that of a second training in the same process
	kindGreedy kind = "greedy" // the time of greedy translation, by a model trained before
	kindBeam   kind = "beam"   // the time of beam search, by a model trained before
	kindWhole  kind = "whole"  // a training and a translation; the caller takes the time and memory of the process
)

// answer is what a side says of a job. What does not go with the job's kind is left out.
type answer struct {
	// Seconds are those of every update, or of one translation of all sources.
	Seconds []float64 `json:",omitempty"`
	// Losses are the nats a word of every update.
	Losses []float64 `json:",omitempty"`
	// Parameters is the number of weights. PyTorch's cells have a second bias vector, which adds SecondBiases to it.
	Parameters   int `json:",omitempty"`
	SecondBiases int `json:",omitempty"`
	// Words is the number of words that were written, EOS included, Right the number of translations without an error.
	Words int `json:",omitempty"`
	Right int `json:",omitempty"`
	// Versions are those of what computed.
	Versions map[string]string
}

// task is made-up data, as ids: sentences are runs of the source's words, each starting somewhere, and their translations the runs of
// the same target words. Both models soon write it with its right length, which is what the time of a translation depends on.
type task struct {
	// Vocabulary is the size of both vocabularies, the four reserved ids included. Every word is in Pairs.
	Vocabulary int
	// Pairs to train on.
	Pairs [][2][]int32
	// Sources to translate, and their right translations.
	Sources, Targets [][]int32
}

// newTask makes so many pairs and sources of shortest to longest ids, EOS included, each length about as often.
func newTask(vocabulary, pairs, sources, shortest, longest int) task {
	const reserved = corpus.UNK + 1
	random := rand.New(rand.NewPCG(1, 0))
	words := vocabulary - reserved
	run := func(start int) []int32 {
		ids := make([]int32, shortest-1+random.IntN(longest-shortest+1))
		for i := range ids {
			ids[i] = int32(reserved + (start+i)%words)
		}
		return ids
	}
	t := task{Vocabulary: vocabulary}
	for _, i := range random.Perm(pairs) { // starts at equal distances leave no word out
		ids := run(i * words / pairs)
		t.Pairs = append(t.Pairs, [2][]int32{ids, ids})
	}
	for range sources {
		ids := run(random.IntN(words))
		t.Sources, t.Targets = append(t.Sources, ids), append(t.Targets, ids)
	}
	return t
}

// data is the task in words.
func (t task) data() corpus.Data {
	d := corpus.Data{Name: "runs", Source: "words", Target: "words"}
	for _, p := range t.Pairs {
		d.Train = append(d.Train, corpus.Pair{Source: inWords("s", p[0]), Target: inWords("t", p[1])})
	}
	return d
}

func inWords(prefix string, ids []int32) []string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprint(prefix, id)
	}
	return words
}

// batches are those that the training makes its updates from, and how many words each has. Their order depends on nothing but the
// lengths of the pairs and the seed.
func (t task) batches(c seq2seq.Config) (list []*corpus.Batch, err error) {
	pairs := make([]corpus.Encoded, len(t.Pairs))
	for i, p := range t.Pairs {
		pairs[i] = corpus.Encoded{Source: p[0], Target: p[1]}
	}
	all, err := corpus.NewBatches(pairs, corpus.BatchOptions{Size: c.BatchSize, Seed: c.Seed, NoSourceEOS: !c.SourceEOS})
	if err != nil {
		return nil, err
	}
	for _, b := range all.From(0) {
		if len(list) == c.Updates {
			break
		}
		list = append(list, b)
	}
	return list, nil
}

// newJob is a job with its batches.
func newJob(k kind, c seq2seq.Config, t task, threads int) (j job, batches []*corpus.Batch, err error) {
	j = job{Kind: k, Config: c, task: t, Threads: threads, Width: 5}
	if batches, err = t.batches(c); err != nil {
		return job{}, nil, err
	}
	for _, b := range batches {
		var pairs []int
		for _, i := range b.Index {
			if i >= 0 {
				pairs = append(pairs, i)
			}
		}
		j.Batches = append(j.Batches, pairs)
	}
	return j, batches, nil
}

// write stores the job in its folder, and gives the file's path.
func (j job) write() (string, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return "", err
	}
	path := filepath.Join(j.Folder, "job.json")
	return path, os.WriteFile(path, text, 0o644)
}

func readJob(path string) (j job, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return job{}, err
	}
	return j, json.Unmarshal(text, &j)
}
