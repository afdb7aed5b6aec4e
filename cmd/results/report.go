package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/lesson"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/project"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// page is the text of docs/results/NAME.md as it grows, and the folder that its figures go to.
type page struct {
	strings.Builder
	folder, name string
	unit         string // of lengths, where it is not words
	longest      int    // in training, where some of the test are longer; else 0
}

// report writes the page of a result: its tables, its figures, and a few translations.
func (m measurement) report(ctx context.Context, bench *seq2seq.Workbench, r results.Result, data corpus.Data) error {
	folder, err := project.Path("docs", "results")
	if err != nil {
		return err
	}
	p := &page{folder: folder, name: m.name, unit: m.unit}
	longest := func(pairs []corpus.Pair) (n int) {
		for _, pair := range pairs {
			n = max(n, len(pair.Source))
		}
		return n
	}
	trained := longest(data.Train)
	for _, c := range m.models {
		if c.MaxLength > 0 {
			trained = min(trained, c.MaxLength)
		}
	}
	if trained < longest(data.Test) {
		p.longest = trained
	}
	fmt.Fprintf(p, "# %s\n\n%s\n\n", m.name, m.question)
	fmt.Fprintf(p, "Measured on %s by `%s`, and written by it; do not edit. %d cores (%s), %s/%s, %s, gomlx %s. Every number, with the learning curves, is in [%s.json](%s.json).\n\n",
		r.Date.Format("2006-01-02"), r.Command, r.Machine.Cores, r.Machine.CPU, r.Machine.OS, r.Machine.Architecture, r.Versions["go"],
		r.Versions["github.com/gomlx/gomlx"], m.name, m.name)
	fmt.Fprintf(p, "Data: %s, %d training, %d development and %d test pairs. Translations are greedy and free-running; BLEU is sacreBLEU's on the corpus's own tokens.\n\n",
		r.Data.Name, r.Data.Train, r.Data.Dev, r.Data.Test)
	if err := p.models(r); err != nil {
		return err
	}
	measures := []struct {
		measure results.Measure
		title   string
	}{
		{results.BLEU, "BLEU by source length"},
		{results.ExactMatch, "Share of translations without an error"},
		{results.FirstWords(1), "Share of translations whose first word is right"},
		{results.FirstWords(3), "Share of translations whose first three words are right"},
		{results.AER, "Alignment error rate of the attention's argmax"},
	}
	for _, x := range measures {
		if err := p.byLength(r, x.measure, x.title); err != nil {
			return err
		}
	}
	for _, family := range m.families {
		if err := p.byUpdates(r, family); err != nil {
			return err
		}
	}
	if err := m.examplesOn(ctx, bench, p, data); err != nil {
		return err
	}
	path := folder + string(os.PathSeparator) + m.name + ".md"
	return renameio.WriteFile(path, []byte(p.String()), 0o644)
}

// models writes the table of models: one row each.
func (p *page) models(r results.Result) error {
	t, err := lesson.Table(r.Models, results.BLEU, results.Perplexity, results.TokenAccuracy, results.ExactMatch, results.AER)
	if err != nil {
		return err
	}
	fmt.Fprintf(p, "%s\nWhere there are several seeds, the mean over them and, in brackets, the least and the greatest.\n\n", t.Markdown())
	return nil
}

// byLength writes a measure's table and figure by length, where any model has it.
func (p *page) byLength(r results.Result, x results.Measure, title string) error {
	c := lesson.ByLength(x, r.Models, nil)
	if len(c.Lines) == 0 {
		return nil
	}
	c.Title = title
	if p.unit != "" {
		c.X.Label = "source length (" + p.unit + ")"
		c.Y.Label = strings.ReplaceAll(c.Y.Label, "sentences", "sequences")
	}
	if p.longest > 0 {
		c.Marks = []plotting.Mark{{At: float64(p.longest) + 0.5, Label: "longest in training"}}
	}
	t := plotting.Table{Columns: []string{"model"}}
	for i, b := range c.Bins {
		t.Columns = append(t.Columns, fmt.Sprintf("%v (n=%d)", b, c.N[i]))
	}
	for _, line := range c.Lines {
		row := []any{line.Name}
		for _, s := range line.Values {
			if s.N == 0 {
				row = append(row, "–")
			} else {
				row = append(row, lesson.Spread(s))
			}
		}
		t.Add(row...)
	}
	fmt.Fprintf(p, "## %s\n\n%s\n", title, t.Markdown())
	if len(c.Bins) < 2 || len(c.Lines) > 6 {
		return nil // nothing that a curve shows better than the table
	}
	figure, err := c.Figure()
	if err != nil {
		return err
	}
	return p.figure(figure, fmt.Sprintf("%s-%s", p.name, strings.ReplaceAll(string(x), "_", "-")))
}

// byUpdates draws the BLEU of a family of models, named FAMILY-UPDATES, against their updates.
func (p *page) byUpdates(r results.Result, family string) error {
	models := slices.DeleteFunc(slices.Clone(r.Models), func(m results.Model) bool { return !strings.HasPrefix(m.Name, family+"-") })
	c, err := lesson.ByUpdates(results.BLEU, models)
	if err != nil {
		return err
	}
	c.Title = "BLEU of " + family + " against updates"
	figure, err := c.Figure()
	if err != nil {
		return err
	}
	fmt.Fprintf(p, "## %s\n\n", c.Title)
	return p.figure(figure, p.name+"-updates-"+family)
}

// figure saves a figure and shows it on the page.
func (p *page) figure(f *plotting.Figure, name string) error {
	if err := f.Save(p.folder + string(os.PathSeparator) + name + ".png"); err != nil {
		return err
	}
	fmt.Fprintf(p, "![%s](%s.png)\n\n", strings.ReplaceAll(f.Alt(), "\n", " "), name)
	return nil
}

// examplesOn writes what the models with seed 1 make of the experiment's examples, with a heatmap where they attend.
func (m measurement) examplesOn(ctx context.Context, bench *seq2seq.Workbench, p *page, data corpus.Data) error {
	if len(m.examples) == 0 {
		return nil
	}
	fmt.Fprintf(p, "## A few translations\n\n")
	var sources [][]string
	for _, text := range m.examples {
		sources = append(sources, strings.Fields(text))
	}
	for i, config := range m.models {
		config.Seed = 1
		run, err := seq2seq.Train(ctx, config, data, seq2seq.On(bench), seq2seq.Quiet()) // stored: loads it
		if err != nil {
			return err
		}
		translations, err := run.Translate(ctx, sources)
		if err != nil {
			return err
		}
		for k, t := range translations {
			fmt.Fprintf(p, "- **%s**, %s: %s\n", config.Name, m.examples[k], strings.Join(t.Target, " "))
			if t.Attention == nil {
				continue
			}
			figure, err := plotting.Heatmap{Title: config.Name, Source: t.Source, Target: t.Target, Weights: t.Attention}.Figure()
			if err != nil {
				return err
			}
			fmt.Fprintln(p)
			if err := p.figure(figure, fmt.Sprintf("%s-example-%d-%d", m.name, i+1, k+1)); err != nil {
				return err
			}
		}
		fmt.Fprintln(p)
	}
	return nil
}
