package main

import (
	"fmt"

	"seq2attn/pkg/attention"
	"seq2attn/pkg/corpus"
	"seq2attn/pkg/corpus/grammar"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/seq2seq"
)

// experiments are all that can be measured.
func experiments() []experiment {
	return []experiment{
		{
			name:     "grammar",
			question: "How do the models of 2014 to 2017 stand up to long sentences, with the same data, updates and seeds?",
			data:     grammarByLength,
			bins:     tens(60),
			models:   []seq2seq.Config{forward(), seq2seq.Sutskever(), seq2seq.Cho(), seq2seq.Bahdanau(), seq2seq.Luong(), seq2seq.Vaswani()},
			updates:  2000,
		},
		{
			name:     "cells",
			question: "What does the recurrent cell of the bottleneck change: RNN, GRU or LSTM?",
			data:     grammarByLength,
			bins:     tens(60),
			models:   []seq2seq.Config{cell("rnn"), cell("gru"), cell("lstm")},
			updates:  2000,
		},
		{
			name:     "capacity",
			question: "How many digits does a bottleneck of so many units carry?",
			data:     digits,
			unit:     "digits",
			bins:     threes(20),
			models:   []seq2seq.Config{units(16), units(32), units(64), units(128)},
			updates:  3000,
		},
		{
			name:     "long",
			question: "Does the bottleneck only learn more slowly, or does it level off? Each point is a training of its own with that many updates.",
			data:     grammarByLength,
			bins:     tens(60),
			models:   budgets([]int{1000, 2000, 4000, 8000}, seq2seq.Sutskever(), seq2seq.Bahdanau()),
			families: []string{"sutskever", "bahdanau"},
		},
		{
			name:     "scores",
			question: "Luong's wiring with each score, and all else equal: which of them finds the words?",
			data:     grammarByLength,
			bins:     tens(60),
			models:   each(attention.ScoreNames(), func(c *seq2seq.Config, name string) { c.Attention = name }),
			updates:  1000,
			seeds:    3,
		},
		{
			name:     "wirings",
			question: "One score in three wirings, and the additive one in Bahdanau's: does it matter which state asks, and whether the next step knows the answer?",
			data:     grammarByLength,
			bins:     tens(60),
			models: append(each([]string{"bahdanau", "luong", "luong-feeding"},
				func(c *seq2seq.Config, name string) { c.Wiring = seq2seq.Wiring(name) }), additive()),
			updates: 1000,
			seeds:   3,
		},
		{
			name:     "windows",
			question: "Attention to the whole source, or to a window of it: what is lost where sentences are longer than in training?",
			data:     grammarByLength,
			bins:     tens(60),
			models:   each([]string{"global", "local-m", "local-p"}, func(c *seq2seq.Config, name string) { c.Window = seq2seq.Window(name) }),
			updates:  1000,
			seeds:    3,
		},
		{
			name:     "transformer",
			question: "Attention without recurrence: where does the Transformer stand beside the models of Bahdanau and Luong, with the same sentences and updates?",
			data:     grammarByLength,
			bins:     tens(60),
			models:   []seq2seq.Config{seq2seq.Bahdanau(), seq2seq.Luong(), seq2seq.Vaswani()},
			updates:  1000,
			seeds:    3,
		},
		{
			name:     "digits",
			question: "Reversing six digits: does attention find the anti-diagonal?",
			data:     func() (corpus.Data, error) { return corpus.ReverseDigits(corpus.DigitOptions{Seed: 1}) },
			bins:     []metrics.Bin{{Low: 6, High: 6}},
			models:   []seq2seq.Config{reversal()},
		},
		{
			name:     "tatoeba",
			real:     true,
			question: "Short everyday sentences: what do both kinds of model make of real text?",
			data:     func() (corpus.Data, error) { return corpus.Tatoeba(corpus.LoadOptions{Lower: true}) },
			bins:     []metrics.Bin{{Low: 1, High: 5}, {Low: 6, High: 8}, {Low: 9, High: 12}, {Low: 13, High: 17}, {Low: 18, High: 30}},
			models:   []seq2seq.Config{realText(seq2seq.Sutskever(), 30, 4000), realText(seq2seq.Bahdanau(), 30, 4000)},
			seeds:    1,
		},
		{
			name:     "europarl",
			real:     true,
			question: "Real sentences of every length: where do both kinds of model break?",
			data: func() (corpus.Data, error) {
				return corpus.Europarl(corpus.LoadOptions{Lower: true, Train: []string{"train.0", "train.1"}, Test: "test.buckets"})
			},
			bins: []metrics.Bin{{Low: 1, High: 10}, {Low: 11, High: 20}, {Low: 21, High: 30}, {Low: 31, High: 40}, {Low: 41, High: 50},
				{Low: 51, High: 60}, {Low: 61, High: 70}, {Low: 71, High: 120}},
			models: []seq2seq.Config{realText(seq2seq.Sutskever(), 50, 3000), realText(seq2seq.Bahdanau(), 50, 3000)},
			seeds:  1,
			examples: []string{"the agreement on the european economic area was signed in august 1992 .",
				"we must not forget the smaller regions when we speak of the european economic area ."},
		},
	}
}

// grammarByLength is the notebooks' corpus with a test part of 80 sentences for every ten words of length.
func grammarByLength() (corpus.Data, error) {
	o := grammar.Options{Seed: 1}
	d, err := grammar.New(o)
	if err != nil {
		return d, err
	}
	d.Test, err = grammar.ByLength(o, tens(60), 80)
	return d, err
}

// digits is the task of copying 1 to 20 digits.
func digits() (corpus.Data, error) {
	return corpus.CopyDigits(corpus.DigitOptions{MinLength: 1, MaxLength: 20, Train: 40000, Dev: 500, Test: 1600, Seed: 1})
}

// tens are bins of ten words, threes of three digits: of one or two digits there are too few different sequences.
func tens(longest int) []metrics.Bin   { return bins(10, longest) }
func threes(longest int) []metrics.Bin { return bins(3, longest) }

func bins(width, longest int) []metrics.Bin {
	b, err := metrics.Bins(width, longest)
	if err != nil {
		panic(err) // the experiments' own numbers
	}
	return b
}

// each is Luong's model once for every name, changed so.
func each(names []string, change func(c *seq2seq.Config, name string)) (list []seq2seq.Config) {
	for _, name := range names {
		c := seq2seq.Luong()
		c.Name = name
		change(&c, name)
		list = append(list, c)
	}
	return list
}

// additive is Bahdanau's score in his wiring, on Luong's encoder and cell: is it the wiring that fails, or the product in it?
func additive() seq2seq.Config {
	c := seq2seq.Luong()
	c.Name, c.Wiring, c.Attention = "bahdanau-additive", seq2seq.WiringBahdanau, seq2seq.ScoreAdditive
	return c
}

// forward is the bottleneck that reads the source as it stands.
func forward() seq2seq.Config {
	c := seq2seq.Sutskever()
	c.Name = "sutskever-forward"
	c.ReverseSource = false
	return c
}

// cell is the bottleneck with one layer of this cell.
func cell(name string) seq2seq.Config {
	c := seq2seq.Sutskever()
	c.Name, c.Cell, c.Layers = name, name, 1
	return c
}

// units is the bottleneck with a summary of h units.
func units(h int) seq2seq.Config {
	c := seq2seq.Sutskever()
	c.Name = fmt.Sprintf("gru-%d", h)
	c.Cell, c.Layers, c.Hidden, c.Embedding, c.ReverseSource = "gru", 1, h, 16, false
	return c
}

// reversal is the attention model small enough to learn to reverse six digits in 40 updates of all 2,000 examples at once.
func reversal() seq2seq.Config {
	c := seq2seq.Bahdanau()
	c.Name = "reversal"
	c.Bidirectional, c.Readout, c.Maxout = false, seq2seq.ReadoutPlain, 0
	c.Embedding, c.Hidden = 16, 32
	c.BatchSize, c.Updates, c.EvaluateEvery = 2000, 40, 10
	c.LearningRate, c.Schedule = 1e-2, seq2seq.ScheduleConstant
	return c
}

// budgets are the configurations with each number of updates.
func budgets(updates []int, configs ...seq2seq.Config) (list []seq2seq.Config) {
	for _, c := range configs {
		for _, n := range updates {
			c := trained(c, n)
			c.Name = fmt.Sprintf("%s-%d", c.Name, n)
			list = append(list, c)
		}
	}
	return list
}

// trained is c with so many updates.
func trained(c seq2seq.Config, updates int) seq2seq.Config {
	c.Updates, c.EvaluateEvery = updates, updates/10
	return c
}

// realText is c at the size and with the vocabulary that text from outside the grammar needs.
func realText(c seq2seq.Config, maxLength, updates int) seq2seq.Config {
	c = trained(c, updates)
	c.Embedding, c.Hidden, c.BatchSize = 128, 256, 64
	c.MinCount, c.MaxVocabulary, c.MaxLength = 2, 10000, maxLength
	c.LearningRate, c.Dropout = 2e-3, 0.1
	if c.Readout == seq2seq.ReadoutMaxout {
		c.Maxout = 128
	}
	return c
}
