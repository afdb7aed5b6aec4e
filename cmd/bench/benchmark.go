package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
	"seq2attn/pkg/seq2seq"
)

// benchmark is one job that both sides do, or ours alone, and what is taken from it.
type benchmark struct {
	name     string
	kind     kind
	config   seq2seq.Config
	task     task
	alone    bool
	again    bool   // another process has done the job before, and left what XLA compiled
	model    string // names the model to translate with; benchmarks of the same config and pairs share it
	measures []measure
}

// measure is one number of a finished job.
type measure struct {
	suffix string // of the benchmark's name
	unit   string
	of     func(d done, batches []*corpus.Batch) float64
}

// Units of measures.
const (
	inSeconds   = "s"
	inMegabytes = "MB"
)

// medianUpdate is the time of an update where all batches have one shape.
func medianUpdate(d done, batches []*corpus.Batch) float64 { return metrics.Median(steady(d, batches)) }

// meanUpdate is the time of an update where batches differ; both sides have the same ones.
func meanUpdate(d done, batches []*corpus.Batch) float64 {
	sum, all := 0.0, steady(d, batches)
	for _, s := range all {
		sum += s
	}
	return sum / float64(len(all))
}

// steady are the seconds of the updates that count: not of those that meet a shape for the first time, which compile, and not of the
// first few. The same ones count on both sides.
func steady(d done, batches []*corpus.Batch) (list []float64) {
	const warmUp = 5
	seen := map[corpus.Bucket]bool{}
	for i, b := range batches {
		shape := corpus.Bucket{S: b.S, T: b.T}
		if seen[shape] && i >= warmUp {
			list = append(list, d.Seconds[i])
		}
		seen[shape] = true
	}
	return list
}

func firstSeconds(d done, _ []*corpus.Batch) float64  { return d.Seconds[0] }
func secondSeconds(d done, _ []*corpus.Batch) float64 { return d.Seconds[1] }
func wallSeconds(d done, _ []*corpus.Batch) float64   { return d.wall }
func peakMemory(d done, _ []*corpus.Batch) float64    { return d.peak }

// size is that of a model and its vocabulary.
type size struct {
	name                          string
	vocabulary, embedding, hidden int
}

// batchSize is that of all benchmarks but those that vary it.
const batchSize = 64

// configs are the LSTM bottleneck and Bahdanau's attention at a size: the presets, at a constant learning rate and without development
// losses.
func (s size) configs(updates int) (list []seq2seq.Config) {
	for _, c := range []seq2seq.Config{seq2seq.Sutskever(), seq2seq.Bahdanau()} {
		c.Embedding, c.Hidden, c.MaxLength, c.BatchSize, c.Updates = s.embedding, s.hidden, 0, batchSize, updates
		if c.Readout == seq2seq.ReadoutMaxout {
			c.Maxout = s.hidden / 2
		}
		c.Schedule, c.EvaluateEvery = seq2seq.ScheduleConstant, 0
		list = append(list, c)
	}
	return list
}

// short names a configuration's model in the names of benchmarks.
func short(c seq2seq.Config) string {
	if c.Wiring == seq2seq.WiringSutskever {
		return "bottleneck"
	}
	return "attention"
}

// benchmarks are all there are, in the order of their measuring.
func benchmarks() (all []benchmark) {
	small, medium := size{"small", 400, 32, 64}, size{"medium", 4000, 128, 256}
	add := func(b benchmark, configs []seq2seq.Config, title string, arguments ...any) {
		for _, c := range configs {
			b.config, b.name = c, fmt.Sprintf(title, arguments...)+", "+short(c)
			if b.kind == kindGreedy || b.kind == kindBeam {
				b.model = fmt.Sprintf("%s %d", short(c), b.task.Vocabulary)
			}
			all = append(all, b)
		}
	}
	update := []measure{{"", inSeconds, medianUpdate}}
	even := func(s size, pairs, length int) task { return newTask(s.vocabulary, pairs, 0, length, length) }

	add(benchmark{kind: kindTrain, task: even(small, 640, 12), measures: update}, small.configs(100), "update, small, S=T=12")
	for _, m := range []struct{ length, updates int }{{10, 45}, {20, 35}, {50, 20}} {
		add(benchmark{kind: kindTrain, task: even(medium, 1280, m.length), measures: update}, medium.configs(m.updates), "update, medium, S=T=%d", m.length)
	}
	add(benchmark{kind: kindTrain, task: newTask(medium.vocabulary, 2048, 0, 5, 60), measures: []measure{{"", inSeconds, meanUpdate}}},
		medium.configs(45), "update, medium, lengths 5 to 60")

	for _, m := range []struct {
		size
		updates int
	}{{small, 600}, {medium, 300}} {
		translation := []measure{{"", inSeconds, firstSeconds}}
		add(benchmark{kind: kindGreedy, task: newTask(m.vocabulary, 4096, 1000, 5, 20), measures: translation}, m.configs(m.updates), "greedy, 1000 sentences, %s", m.name)
		add(benchmark{kind: kindBeam, task: newTask(m.vocabulary, 4096, 200, 5, 20), measures: translation}, m.configs(m.updates), "beam of 5, 200 sentences, %s", m.name)
	}

	whole := benchmark{kind: kindWhole, task: newTask(small.vocabulary, 640, 200, 12, 12), measures: []measure{
		{"", inSeconds, wallSeconds}, {", peak memory", inMegabytes, peakMemory},
	}}
	add(whole, small.configs(300), "process of 300 updates and 200 translations, small")
	whole.again = true
	add(whole, small.configs(300), "the same process again, small")

	for _, s := range []size{small, medium} {
		for _, length := range []int{12, 50} {
			first := benchmark{kind: kindFirst, task: even(s, 1280, length), alone: true, measures: []measure{
				{"", inSeconds, firstSeconds}, {", second training", inSeconds, secondSeconds},
			}}
			add(first, s.configs(2), "first update, %s, S=T=%d", s.name, length)
			first.again, first.measures = true, first.measures[:1]
			add(first, s.configs(2), "first update in another process, %s, S=T=%d", s.name, length)
		}
	}
	for _, shape := range []struct{ length, batch int }{{25, 64}, {50, 64}, {100, 64}, {200, 64}, {25, 16}, {25, 32}, {25, 128}, {25, 256}} {
		configs := small.configs(25)
		for i := range configs {
			configs[i].BatchSize = shape.batch
		}
		add(benchmark{kind: kindTrain, task: even(small, 10*shape.batch, shape.length), alone: true, measures: update}, configs,
			"growth, small, S=T=%d, B=%d", shape.length, shape.batch)
	}
	return all
}

// laboratory is where benchmarks are measured.
type laboratory struct {
	ours, peer      side
	rounds, threads int
	folder          string // for what processes write
}

// measure carries out a benchmark: in every round both sides do the job in a fresh process, in turns one and the other first.
func (l laboratory) measure(ctx context.Context, b benchmark) ([]entry, error) {
	j, batches, err := newJob(b.kind, b.config, b.task, l.threads)
	if err != nil {
		return nil, err
	}
	sides := []side{l.ours, l.peer}
	if b.alone {
		sides = sides[:1]
	}
	do := func(s side) (done, error) {
		j := j
		if b.model != "" {
			j.Folder = filepath.Join(l.folder, b.model)
			if err := os.MkdirAll(j.Folder, 0o755); err != nil {
				return done{}, err
			}
		} else {
			if j.Folder, err = os.MkdirTemp(l.folder, "job"); err != nil {
				return done{}, err
			}
			defer os.RemoveAll(j.Folder)
		}
		if j.Compiled = filepath.Join(l.folder, "compiled"); !b.again && (b.kind == kindWhole || b.kind == kindFirst) {
			j.Compiled = filepath.Join(j.Folder, "compiled")
		}
		return s.do(ctx, j)
	}
	if b.model != "" || b.again {
		for _, s := range sides { // to train the model, and to compile
			if _, err := do(s); err != nil {
				return nil, err
			}
		}
	}
	rounds := make([][]done, len(sides))
	for round := range l.rounds {
		for i := range sides {
			i = (i + round) % len(sides)
			d, err := do(sides[i])
			if err != nil {
				return nil, err
			}
			rounds[i] = append(rounds[i], d)
		}
	}
	return b.entries(rounds, batches, l.threads), nil
}

// entries are what the rounds of each side come to.
func (b benchmark) entries(rounds [][]done, batches []*corpus.Batch, threads int) (list []entry) {
	for _, m := range b.measures {
		e := entry{Case: b.name + m.suffix, Unit: m.unit, Rounds: len(rounds[0]), Threads: threads,
			Date: time.Now().UTC().Truncate(time.Second), Machine: results.ThisMachine(), Versions: map[string]string{}}
		values := make([][]float64, len(rounds))
		for s, all := range rounds {
			for _, d := range all {
				values[s] = append(values[s], m.of(d, batches))
			}
			for name, version := range all[0].Versions {
				e.Versions[name] = version
			}
		}
		e.Ours = metrics.Median(values[0])
		e.Words = rounds[0][0].Words
		if b.kind == kindTrain {
			e.Words = meanWords(batches)
		}
		if len(rounds) > 1 {
			ratios := make([]float64, len(values[0]))
			for i := range ratios {
				ratios[i] = values[0][i] / values[1][i]
			}
			e.Peer, e.PeerWords = metrics.Median(values[1]), cmp.Or(rounds[1][0].Words, e.Words)
			e.Ratio, e.RatioMin, e.RatioMax = metrics.Median(ratios), slices.Min(ratios), slices.Max(ratios)
		}
		list = append(list, e)
	}
	return list
}

// meanWords is the number of target words of an update, EOS included.
func meanWords(batches []*corpus.Batch) int {
	sum := 0
	for _, b := range batches {
		sum += b.Tokens()
	}
	return sum / len(batches)
}
