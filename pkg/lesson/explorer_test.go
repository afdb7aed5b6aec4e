package lesson

import (
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/ibm"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/seq2seq"
)

func TestExplorer(t *testing.T) {
	t.Setenv("SEQ2ATTN_RUNS", t.TempDir())
	t.Setenv("SEQ2ATTN_ENGINE", "go")
	d := digits(t)
	blind := seq2seq.Sutskever()
	blind.Name = "blind"
	blind.Embedding, blind.Hidden, blind.BatchSize, blind.Updates, blind.EvaluateEvery = 4, 6, 8, 3, 1
	runs, err := Train(d, model(1), model(2))
	if err != nil {
		t.Fatal(err)
	}
	pair := corpus.Pair{Source: []string{"0", "1", "2"}, Target: []string{"2", "1", "0"}, Links: []corpus.Link{{Source: 2, Target: 0}, {Source: 1, Target: 1, Possible: true}}}
	aligner, err := ibm.NewModel1(d.Train, ibm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	posteriors, err := aligner.Posteriors(pair)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Explorer("Digits", pair, runs...)
	if err != nil {
		t.Fatal(err)
	}
	e.Models = append(e.Models, Aligner("Model 1", pair, posteriors))
	var names []string
	for _, m := range e.Models {
		names = append(names, m.Name)
	}
	if got, want := strings.Join(names, "|"), "small, seed 1|small, seed 2|gold links|Model 1"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if w := e.Models[2].Weights; w[0][2] != 1 || w[1][1] != 0.5 || w[2][0] != 0 {
		t.Errorf("gold links are %v", w)
	}
	text, err := e.HTML(plotting.Paper)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `data-o="NULL"`) || !strings.Contains(text, `aria-label="2: 2 1.00"`) {
		t.Error("the explorer has no NULL, or no gold link")
	}

	without, err := Train(d, blind)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Explorer("", pair, without...); err == nil || !strings.Contains(err.Error(), "blind has no attention") {
		t.Errorf("a model without attention: %v", err)
	}
}
