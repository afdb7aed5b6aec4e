package seq2seq

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
)

func scalar(t *tensors.Tensor) float64 { return float64(tensors.ToScalar[float32](t)) }

func floats(t *tensors.Tensor) []float32 { return tensors.MustCopyFlatData[float32](t) }

// tiny is a configuration that trains in no time on either engine.
func tiny(c Config) Config {
	c.Embedding, c.Hidden = 6, 8
	if c.Readout == ReadoutMaxout {
		c.Maxout = 4
	}
	if c.Wiring == WiringVaswani {
		c.Embedding, c.Heads, c.FeedForward = c.Hidden, 2, 12
	}
	c.Updates, c.BatchSize, c.EvaluateEvery = 6, 8, 3
	return c
}

// mapped is a made-up task: each target word is its source word's counterpart. Lengths are uniform.
func mapped(pairs, minLength, maxLength, words int) corpus.Data {
	random := rand.New(rand.NewPCG(uint64(pairs), uint64(maxLength)))
	d := corpus.Data{Name: "mapped", Source: "a", Target: "b"}
	for i := range pairs {
		var p corpus.Pair
		for range minLength + random.IntN(maxLength-minLength+1) {
			w := random.IntN(words)
			p.Source, p.Target = append(p.Source, fmt.Sprintf("a%d", w)), append(p.Target, fmt.Sprintf("b%d", w))
		}
		switch part := i % 5; {
		case part < 3:
			d.Train = append(d.Train, p)
		case part == 3:
			d.Dev = append(d.Dev, p)
		default:
			d.Test = append(d.Test, p)
		}
	}
	return d
}

// benches are the workbenches of all tests, so that each graph is compiled once.
var benches = map[engine.Kind]*Workbench{}

// on computes on the shared workbench of an engine's kind.
func on(t *testing.T, e *engine.Engine) Option {
	t.Helper()
	if benches[e.Kind] == nil {
		shared, err := engine.OpenKind(e.Kind) // e itself is closed after its test
		if err != nil {
			t.Fatal(err)
		}
		benches[e.Kind] = NewWorkbench(shared)
	}
	return On(benches[e.Kind])
}

// trained is a run in a folder of its own.
func trained(t *testing.T, e *engine.Engine, c Config, d corpus.Data, options ...Option) *Run {
	t.Helper()
	r, err := Train(context.Background(), c, d, append([]Option{on(t, e), Folder(t.TempDir()), Quiet()}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// weightsOf are all weights of a run by name.
func weightsOf(t *testing.T, r *Run) map[string][]float32 {
	t.Helper()
	all := map[string][]float32{}
	for v := range r.store.IterVariables() {
		if !isWeight(v) {
			t.Errorf("the run still holds %s", v.Path())
			continue
		}
		all[v.Path()] = floats(v.MustValue())
	}
	if len(all) == 0 {
		t.Fatal("a run without weights")
	}
	return all
}

// sameWeights fails unless two runs have the same weights bit for bit.
func sameWeights(t *testing.T, got, want *Run) {
	t.Helper()
	a, b := weightsOf(t, got), weightsOf(t, want)
	for name := range b {
		if !slices.Equal(a[name], b[name]) {
			t.Fatalf("weights %s differ", name)
		}
	}
}

// scale multiplies the values of a variable.
func scale(t *testing.T, v *model.Variable, by float32) {
	t.Helper()
	values := floats(v.MustValue())
	for i := range values {
		values[i] *= by
	}
	v.MustSetValue(tensors.FromFlatDataAndDimensions(values, v.Shape().Dimensions...))
}

func sourcesOf(pairs []corpus.Pair) (sources [][]string) {
	for _, p := range pairs {
		sources = append(sources, p.Source)
	}
	return sources
}

// wantError fails unless err says all of the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}
