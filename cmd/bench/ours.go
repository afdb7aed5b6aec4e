package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/project"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// ours does a job through the course's public functions.
func ours(ctx context.Context, j job) (answer, error) {
	bench := seq2seq.NewWorkbench(nil)
	options := []seq2seq.Option{seq2seq.Folder(j.Folder), seq2seq.On(bench), seq2seq.Quiet()}
	run, err := seq2seq.Train(ctx, j.Config, j.data(), options...) // in a translation's job, trained before
	if err != nil {
		return answer{}, err
	}
	var a answer
	switch j.Kind {
	case kindTrain:
		a.Parameters = run.Parameters
		if a.Seconds, a.Losses, err = updates(run, j); err != nil {
			return answer{}, err
		}
	case kindFirst:
		again := j.Config
		again.Seed++
		second, err := seq2seq.Train(ctx, again, j.data(), options...)
		if err != nil {
			return answer{}, err
		}
		a.Seconds = []float64{run.FirstUpdate, second.FirstUpdate}
	case kindWhole:
		err = a.translate(ctx, run, j)
	case kindGreedy, kindBeam:
		for range 2 { // the first time compiles
			if err = a.translate(ctx, run, j); err != nil {
				break
			}
		}
	default:
		err = fmt.Errorf("a job of kind %q", j.Kind)
	}
	if err != nil {
		return answer{}, err
	}
	e, err := bench.Engine()
	if err != nil {
		return answer{}, err
	}
	a.Versions = versions(e)
	return a, nil
}

// updates are the seconds and the loss of every update of a run. Its report has a point for each.
func updates(run *seq2seq.Run, j job) (seconds, losses []float64, err error) {
	batches, err := j.batches(j.Config)
	if err != nil {
		return nil, nil, err
	}
	if len(run.Train) != len(batches) {
		return nil, nil, fmt.Errorf("%d points for %d updates: Updates must be below 400", len(run.Train), len(batches))
	}
	for i, p := range run.Train {
		seconds = append(seconds, float64(batches[i].Tokens())/p.TokensPerSecond)
		losses = append(losses, p.Loss)
	}
	return seconds, losses, nil
}

// translate adds the time of translating the job's sources, and what came out.
func (a *answer) translate(ctx context.Context, run *seq2seq.Run, j job) error {
	// A run keeps its translations, and would read the second ones from there.
	if err := os.RemoveAll(filepath.Join(run.Folder, "translations")); err != nil {
		return err
	}
	sources := make([][]string, len(j.Sources))
	for i, ids := range j.Sources {
		sources[i] = inWords("s", ids)
	}
	begin := time.Now()
	best := make([]seq2seq.Translation, len(sources))
	if j.Kind == kindBeam {
		lists, err := run.Beam(ctx, sources, j.Width)
		if err != nil {
			return err
		}
		for i, list := range lists {
			best[i] = list[0]
		}
	} else {
		var err error
		if best, err = run.Translate(ctx, sources); err != nil {
			return err
		}
	}
	*a = answer{Seconds: []float64{time.Since(begin).Seconds()}}
	for i, t := range best {
		a.Words += len(t.Target)
		if t.Ended {
			a.Words++
		}
		if t.Ended && slices.Equal(t.Target, inWords("t", j.Targets[i])) {
			a.Right++
		}
	}
	return nil
}

// versions are those of the build and of the engine.
func versions(e *engine.Engine) map[string]string {
	all := maps.Clone(results.Versions())
	all["engine"] = string(e.Kind)
	if lab, err := project.Path(".lab"); err != nil || e.Kind != engine.XLA || !strings.Contains(e.Why, lab) {
		return all
	}
	if pins, err := project.Path("lab", "requirements-plugin.txt"); err == nil { // the set-up's plugin knows no version of its own
		if text, err := os.ReadFile(pins); err == nil {
			if pin := regexp.MustCompile(`(?m)^(\S+)==(\S+)`).FindSubmatch(text); pin != nil {
				all[string(pin[1])] = string(pin[2])
			}
		}
	}
	return all
}
