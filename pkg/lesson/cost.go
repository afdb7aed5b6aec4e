package lesson

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"seq2attn/pkg/corpus/grammar"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// Cost is what an update of the model costs on sentences of exactly so many words, a batch of so many: the median time of some updates, and the
// largest memory that this process has had by then. Give lengths in rising order, and every model a process, which is to say a cell, of
// its own. Nothing is kept of the trainings.
func Cost(c seq2seq.Config, sentences int, lengths ...int) (plotting.Table, error) {
	t := plotting.Table{Columns: []string{"source words", "scores a sentence", "an update (ms)", "peak memory (MB)"}}
	folder, err := os.MkdirTemp("", "seq2attn-cost-*")
	if err != nil {
		return t, fmt.Errorf("lesson: %w", err)
	}
	defer os.RemoveAll(folder)
	c.BatchSize, c.EvaluateEvery, c.MaxLength, c.Updates = sentences, 0, 0, 7
	bench := seq2seq.NewWorkbench(nil)
	for _, n := range lengths {
		d, err := grammar.New(grammar.Options{Seed: c.Seed, MinLength: n, MaxLength: n, Train: sentences})
		if err != nil {
			return t, err
		}
		targets := 0
		for _, p := range d.Train {
			targets += len(p.Target)
		}
		c.Name = fmt.Sprintf("cost-%d", n)
		run, err := seq2seq.Train(context.Background(), c, d, seq2seq.Folder(folder), seq2seq.Quiet(), seq2seq.On(bench))
		if err != nil {
			return t, err
		}
		var times []float64
		for _, p := range run.Train[2:] { // the first compiles
			times = append(times, float64(targets+sentences)/p.TokensPerSecond*1000) // an EOS a sentence
		}
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			return t, fmt.Errorf("lesson: memory of this process: %w", err)
		}
		t.Add(n, n*targets/sentences, metrics.Median(times), float64(results.PeakMemory(&usage))/1e6)
	}
	return t, nil
}
