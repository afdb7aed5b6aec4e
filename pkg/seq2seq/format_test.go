package seq2seq

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// shipped are the models of docs/results/grammar.json with seed 1, trained before there were windows and other wirings than these.
func shipped() []Config {
	forward := Sutskever()
	forward.Name, forward.ReverseSource = "sutskever-forward", false
	all := []Config{forward, Sutskever(), Cho(), Bahdanau()}
	for i := range all {
		all[i].Updates, all[i].EvaluateEvery = 2000, 200
	}
	return all
}

// The runs of the shipped models are still found: what a Config gained since means by default what there was, and is not in the JSON.
func TestKeysOfShippedModels(t *testing.T) {
	const grammar = "0da7f3ab40070e8e15d50cf7aa580373998aafb30f01c1e9ed450af02cba4915" // the data's fingerprint
	want := map[string]string{
		"sutskever-forward": "67a19d8175b4476750229c4bcd8a9c507c94cc3490f1d27bf8a6d2059245b1e2",
		"sutskever":         "c1076eba487a7c557584a961d17ffabdc689b555a26d0b31d017bc44e7eb9de0",
		"cho":               "bc6f1e0dd6c4b41fa8529686d033273fee86cbf5bf9c1a77def770173fdfa567",
		"bahdanau":          "7cfd750ebbb7c2834ccb2dc85febe824154ac59a5163b77bbd5e93c136a7b25c",
	}
	for _, c := range shipped() {
		if got := key(c, grammar); got != want[c.Name] {
			t.Errorf("%s has key %s, want %s", c.Name, got, want[c.Name])
		}
	}
	c := Bahdanau()
	c.Window = WindowGlobal
	if key(c, grammar) != key(Bahdanau(), grammar) {
		t.Error("the window named global is another than none")
	}
	for name, change := range map[string]func(*Config){
		"Window":           func(c *Config) { c.Window = WindowLocalP },
		"WindowSize":       func(c *Config) { c.WindowSize = 3 },
		"AttentionDropout": func(c *Config) { c.AttentionDropout = 0.1 },
		"CoverageLoss":     func(c *Config) { c.CoverageLoss = 1 },
		"WarmUp":           func(c *Config) { c.WarmUp = 1 },
		"Heads":            func(c *Config) { c.Heads = 1 },
		"FeedForward":      func(c *Config) { c.FeedForward = 1 },
		"PreNorm":          func(c *Config) { c.PreNorm = true },
	} {
		c := Bahdanau()
		change(&c)
		var back Config
		if err := json.Unmarshal([]byte(c.String()), &back); err != nil || back != c {
			t.Errorf("%s does not come back from JSON: %v\n%s", name, err, c)
		}
		if key(c, grammar) == key(Bahdanau(), grammar) {
			t.Errorf("%s is not in the key", name)
		}
	}
}

// The graphs of the shipped models, the gradient's included, are those that they were trained by, node by node: so the same training
// gives the same weights. Where a change of the equations is meant, formatVersion counts it; where only their form changes, put the new
// hashes here.
func TestGraphsOfShippedModels(t *testing.T) {
	want := map[string]string{
		"sutskever-forward": "12fc30b9e7fa1e0a", "sutskever": "49407c585c1d93ef", "cho": "e0a598f05573b768", "bahdanau": "9d05d7f2f0c2ed77",
	}
	e := enginetest.Open(t, engine.Go)
	for _, c := range shipped() {
		n, store := newNetwork(c, 20, 30), model.NewStore()
		g := graph.NewGraph(e.Backend, c.Name)
		in := func(name string, dims ...int) *graph.Node {
			return graph.Parameter(g, name, shapes.Make(dtypes.Int32, dims...))
		}
		inputs := []*graph.Node{in("x", 4, 2), in("xLengths", 2), in("y", 3, 2), in("yLengths", 2)}
		_, loss := objective(n, store.RootScope(), inputs, dropout{})
		store.RootScope().BuildTrainableVariablesGradientsGraph(loss)
		sum := sha256.Sum256([]byte(g.String()))
		if got := hex.EncodeToString(sum[:8]); got != want[c.Name] {
			t.Errorf("the graph of %s, %d nodes, has hash %s, want %s", c.Name, strings.Count(g.String(), "\n"), got, want[c.Name])
		}
		g.Finalize()
	}
}
