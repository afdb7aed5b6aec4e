// Package lesson is what the notebooks' cells have in common: a training whose loss falls before the reader's eyes, several runs
// measured on the same sentences, and their curves over the shipped ones. Beside pkg/diagram it is the only package that knows both models and figures.
package lesson

import (
	"context"
	"fmt"
	"slices"
	"time"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/evaluation"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/project"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// Train trains each configuration on data, one after another, and draws their losses as they fall: of more than three, where all measure it, that of the
// development part alone. A configuration that was trained before is loaded. The notebook's stop button ends the training with what was reached saved; see [seq2seq.Train].
func Train(data corpus.Data, configs ...seq2seq.Config) ([]*seq2seq.Run, error) {
	live := plotting.NewLive(2 * time.Second)
	bench := seq2seq.NewWorkbench(nil)
	var runs []*seq2seq.Run
	curves := make([]plotting.LossRun, len(configs))
	updates, title := 0, "Loss on training batches (thin) and development part (bold)"
	crowded := crowded(data, configs)
	for i, c := range configs {
		curves[i].Name = c.Name
		updates = max(updates, c.Updates)
	}
	if crowded {
		title = "Loss on the development part"
	}
	note := func(i int, train, dev []seq2seq.Point) {
		if curves[i].Dev = points(dev); !crowded {
			curves[i].Train = points(train)
		}
	}
	show := func(last bool) error {
		if crowded && len(curves[0].Dev) == 0 {
			return nil // nothing to draw yet
		}
		return live.Show(last, plotting.Loss{Title: title, Runs: curves, Updates: updates}.Figure)
	}
	for i, c := range configs {
		var showing error
		run, err := seq2seq.Train(context.Background(), c, data, seq2seq.On(bench), seq2seq.OnProgress(func(p seq2seq.Progress) {
			note(i, p.Train, p.Dev)
			if err := show(false); err != nil {
				showing = err
			}
		}))
		if err == nil {
			err = showing
		}
		if err != nil {
			return runs, err
		}
		note(i, run.Train, run.Dev)
		runs = append(runs, run)
	}
	return runs, show(true)
}

// crowded tells whether two curves for each training are too many, and one is enough.
func crowded(data corpus.Data, configs []seq2seq.Config) bool {
	return len(configs) > 3 && len(data.Dev) > 0 && !slices.ContainsFunc(configs, func(c seq2seq.Config) bool { return c.EvaluateEvery == 0 })
}

func points(list []seq2seq.Point) []plotting.Point {
	return plotting.Points(list, func(p seq2seq.Point) (int, float64) { return p.Update, p.Loss })
}

// Measure measures the runs on the test pairs, by source length. Runs with the same Config.Name are one model with several seeds.
func Measure(test []corpus.Pair, bins []metrics.Bin, runs ...*seq2seq.Run) ([]results.Model, error) {
	var models []results.Model
	for _, run := range runs {
		seed, err := evaluation.Run(context.Background(), run, test, bins)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(models, func(m results.Model) bool { return m.Name == run.Config.Name })
		if i < 0 {
			i = len(models)
			models = append(models, results.Model{Name: run.Config.Name, Parameters: run.Parameters})
		}
		models[i].Seeds = append(models[i].Seeds, seed)
	}
	return models, nil
}

// ByLength is the figure of a measure against source length, to be given a title: the live models, and pale behind them those of the
// shipped models that were measured on the same numbers of sentences in the same bins. A model without the measure is left out, and its
// colour is not another's.
func ByLength(measure results.Measure, live, shipped []results.Model) plotting.Curves {
	c := plotting.Curves{X: plotting.Axis{Label: "source length (words)"}, Y: axis(measure), Band: plotting.Range}
	add := func(models []results.Model, behind bool) {
		for _, m := range models {
			c.Order = append(c.Order, m.Name)
			bands, err := m.Bands(measure)
			if err != nil {
				continue
			}
			var bins []metrics.Bin
			var n []int
			line := plotting.Line{Name: m.Name, Shipped: behind}
			for _, b := range bands {
				bins, n, line.Values = append(bins, b.Bin), append(n, b.N), append(line.Values, b.Spread)
			}
			if c.Bins == nil {
				c.Bins, c.N = bins, n
			}
			if slices.Equal(bins, c.Bins) && slices.Equal(n, c.N) {
				c.Lines = append(c.Lines, line)
			}
		}
	}
	add(live, false)
	add(shipped, true)
	return c
}

// ByUpdates is a measure in each length bin against the number of updates, of models that differ in nothing else: does the
// measure still rise where the budget grows?
func ByUpdates(measure results.Measure, models []results.Model) (plotting.Curves, error) {
	c := plotting.Curves{X: plotting.Axis{Label: "updates of the weights"}, Y: axis(measure), Band: plotting.Range}
	models = slices.Clone(models)
	slices.SortFunc(models, func(a, b results.Model) int { return a.Updates() - b.Updates() })
	for _, m := range models {
		bands, err := m.Bands(measure)
		if err != nil {
			return c, err
		}
		c.At = append(c.At, float64(m.Updates()))
		for i, b := range bands {
			if len(c.Lines) == i {
				c.Lines = append(c.Lines, plotting.Line{Name: b.Bin.String() + " words"})
			}
			if i >= len(c.Lines) || c.Lines[i].Name != b.Bin.String()+" words" {
				return c, fmt.Errorf("lesson: %s was measured in other length bins than %s", m.Name, models[0].Name)
			}
			c.Lines[i].Values = append(c.Lines[i].Values, b.Spread)
		}
	}
	return c, nil
}

// axis is the axis of a measure, with its unit.
func axis(m results.Measure) plotting.Axis {
	switch m {
	case results.BLEU:
		return plotting.BLEU()
	case results.ExactMatch:
		return plotting.Share("without an error (share of sentences)")
	case results.TokenAccuracy:
		return plotting.Share("token accuracy")
	case results.Perplexity:
		return plotting.Axis{Label: "perplexity"}
	case results.AER:
		return plotting.Share("alignment error rate")
	case results.FirstWords(1):
		return plotting.Share("first word right (share of sentences)")
	}
	var k int
	if _, err := fmt.Sscanf(string(m), "first_words_%d", &k); err == nil {
		return plotting.Share(fmt.Sprintf("first %d words right (share of sentences)", k))
	}
	return plotting.Axis{Label: string(m)}
}

// Shipped are the models of docs/results/NAME.json, named so, or all where no name is given; a result that is not there is none.
func Shipped(name string, models ...string) []results.Model {
	r, err := results.Load(name)
	if err != nil {
		return nil
	}
	if len(models) == 0 {
		return r.Models
	}
	var chosen []results.Model
	for _, model := range models {
		if m, err := r.Model(model); err == nil {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// Code shows a function or type of the course as it stands in the package, see [project.Source].
func Code(pkg string, names ...string) error {
	text := ""
	for _, name := range names {
		source, err := project.Source(pkg, name)
		if err != nil {
			return err
		}
		text += "```go\n" + source + "\n```\n"
	}
	return plotting.Markdown(text)
}
