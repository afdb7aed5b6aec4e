package seq2seq

import (
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// An update by the parts of a batch is that by the batch, as are their nats, also where the parts are not of equal size.
func TestUpdateOfParts(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		c := tiny(Bahdanau())
		c.Optimizer, c.ClipNorm, c.LearningRate, c.Dropout = "sgd", 0, 0.5, 0
		m, err := NewWorkbench(e).take(c, 9, 9)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.start(c); err != nil {
			t.Fatal(err)
		}
		batches, err := corpus.NewBatches([]corpus.Encoded{
			{Source: []int32{4, 5, 6}, Target: []int32{7}},
			{Source: []int32{8}, Target: []int32{4, 5, 6, 7}},
			{Source: []int32{5, 5}, Target: []int32{8, 8}},
		}, corpus.BatchOptions{Size: 3})
		if err != nil {
			t.Fatal(err)
		}
		for batch := range batches.Epoch(0) {
			whole := enginetest.ComputeWith(t, e, m.state, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
				nats, _ := objective(m, scope, in, dropout{})
				mean := graph.DivScalar(nats, float64(batch.Tokens()))
				out := []*graph.Node{nats}
				nodes := nodesOf(m.weights(), nats.Graph())
				for i, d := range graph.Gradient(mean, nodes...) {
					out = append(out, graph.Sub(nodes[i], graph.MulScalar(d, c.LearningRate)))
				}
				return out
			}, inputsOf(batch)...)
			before, err := m.nats(batch)
			if err != nil {
				t.Fatal(err)
			}
			nats, err := m.update(batch, c, 1)
			if err != nil {
				t.Fatal(err)
			}
			if want := scalar(whole[0]); math.Abs(nats-want) > 1e-4 || math.Abs(before-want) > 1e-4 {
				t.Errorf("%v nats, before the update %v, want %v", nats, before, want)
			}
			for i, v := range m.weights() {
				got, want := floats(v.MustValue()), floats(whole[1+i])
				for k := range want {
					if math.Abs(float64(got[k]-want[k])) > 1e-5 {
						t.Fatalf("%s[%d] is %v after the update, want %v", v.Path(), k, got[k], want[k])
					}
				}
			}
		}
	})
}

// The random numbers of an update's parts depend on the seed, the update and the part, and on nothing else.
func TestRandomStates(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(3) {
		for update := range 3 {
			for again := range 2 {
				states, err := randomStates(seed, update)
				if err != nil {
					t.Fatal(err)
				}
				for part, state := range states {
					if key := state.String(); seen[key] != (again == 1) {
						t.Errorf("seed %d, update %d, part %d, again %d: state %s, seen before: %v", seed, update, part, again, key, seen[key])
					} else {
						seen[key] = true
					}
				}
			}
		}
	}
}
