package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/evaluation"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// experiment is a comparison of models on one corpus.
type experiment struct {
	name     string // of the result
	question string // that it answers, for the page
	data     func() (corpus.Data, error)
	real     bool          // data comes from outside the project
	unit     string        // that a source's length is counted in, where it is not words
	bins     []metrics.Bin // of the source's length
	models   []seq2seq.Config
	updates  int      // of every model; 0 leaves each its own
	seeds    int      // at most so many, where a run is long; 0 is no limit
	families []string // of models named FAMILY-UPDATES, to be drawn against their updates
	examples []string
}

// measurement is an experiment being carried out.
type measurement struct {
	experiment
	seeds, jobs int
	only        string
}

func (m measurement) run(ctx context.Context) error {
	data, err := m.data()
	if err != nil {
		return err
	}
	device, err := engine.Open()
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d + %d + %d pairs; %s\n", m.name, len(data.Train), len(data.Dev), len(data.Test), device.Kind)
	seeds := m.seeds
	if m.experiment.seeds > 0 {
		seeds = min(seeds, m.experiment.seeds)
	}

	bench := seq2seq.NewWorkbench(device) // the seeds of a model share what was compiled for the first
	models := make([]results.Model, len(m.models))
	work, training := errgroup.WithContext(ctx)
	work.SetLimit(m.jobs)
	var printing sync.Mutex
	for i, config := range m.models {
		if m.updates > 0 {
			config = trained(config, m.updates)
		}
		config.Seed = 0
		if models[i], err = describe(config); err != nil {
			return err
		}
		models[i].Seeds = make([]results.Seed, seeds)
		if !strings.Contains(config.Name, m.only) {
			continue
		}
		for s := range seeds {
			config := config
			config.Seed = uint64(s + 1)
			work.Go(func() error {
				run, seed, err := one(training, bench, config, data, m.bins)
				if err != nil {
					return fmt.Errorf("%s, seed %d: %w", config.Name, config.Seed, err)
				}
				printing.Lock()
				defer printing.Unlock()
				models[i].Parameters = run.Parameters
				models[i].Seeds[s] = seed
				fmt.Printf("%s  %-24s seed %d: %d updates in %.0f s, BLEU %.2f\n",
					time.Now().Format("15:04:05"), config.Name, config.Seed, seed.Updates, seed.Seconds, seed.Measures[results.BLEU])
				return nil
			})
		}
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if m.only != "" {
		return nil
	}
	r := results.New(m.name, "go run ./cmd/results "+m.name, results.Data{
		Name: data.Name, Fingerprint: corpus.Fingerprint(data), Train: len(data.Train), Dev: len(data.Dev), Test: len(data.Test)})
	r.Models = models
	r.Versions["engine"] = string(device.Kind)
	if err := results.Write(r); err != nil {
		return err
	}
	return m.report(ctx, bench, r, data)
}

// describe is the model without its seeds.
func describe(config seq2seq.Config) (results.Model, error) {
	text, err := json.Marshal(config)
	return results.Model{Name: config.Name, Config: text}, err
}

// one trains and measures one run.
func one(ctx context.Context, bench *seq2seq.Workbench, config seq2seq.Config, data corpus.Data, bins []metrics.Bin) (*seq2seq.Run, results.Seed, error) {
	run, err := seq2seq.Train(ctx, config, data, seq2seq.On(bench), seq2seq.Quiet(), seq2seq.SaveEvery(time.Minute))
	if err != nil {
		return nil, results.Seed{}, err
	}
	seed, err := evaluation.Run(ctx, run, data.Test, bins)
	return run, seed, err
}
