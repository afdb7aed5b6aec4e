package seq2seq_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/seq2seq"
)

// A model that learns to write digits backwards, in a second. The pure Go engine does for one this small.
func Example() {
	folder, err := os.MkdirTemp("", "runs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	e, err := engine.OpenKind(engine.Go)
	if err != nil {
		panic(err)
	}
	data, err := corpus.ReverseDigits(corpus.DigitOptions{Digits: 4, MinLength: 3, MaxLength: 3, Train: 40, Dev: 10, Test: 10, Seed: 1})
	if err != nil {
		panic(err)
	}
	c := seq2seq.Bahdanau()
	c.Hidden, c.Embedding, c.Maxout, c.Updates, c.LearningRate = 16, 8, 8, 120, 0.01
	run, err := seq2seq.Train(context.Background(), c, data, seq2seq.Folder(folder), seq2seq.Engine(e))
	if err != nil {
		panic(err)
	}
	translations, err := run.Translate(context.Background(), [][]string{strings.Fields("3 0 1")})
	if err != nil {
		panic(err)
	}
	fmt.Println(translations[0].Target)
	// Output: [1 0 3]
}
