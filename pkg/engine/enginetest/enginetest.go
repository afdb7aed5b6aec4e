// Package enginetest runs tests on both engines, and graphs in them.
package enginetest

import (
	"errors"
	"os"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/engine"
)

// RequireVariable names the environment variable that makes a missing XLA plugin a failure: continuous integration sets it to 1.
const RequireVariable = "SEQ2ATTN_REQUIRE_XLA"

// Each runs f as the subtests "xla" and "go". Where no plugin is found the first is skipped, with the reason, unless
// [RequireVariable] is 1.
func Each(t *testing.T, f func(t *testing.T, e *engine.Engine)) {
	t.Helper()
	for _, kind := range []engine.Kind{engine.XLA, engine.Go} {
		t.Run(string(kind), func(t *testing.T) { f(t, Open(t, kind)) })
	}
}

// Open opens the engine of this kind for one test or benchmark, or skips it as [Each] does.
func Open(t testing.TB, kind engine.Kind) *engine.Engine {
	t.Helper()
	e, err := engine.OpenKind(kind)
	if errors.Is(err, engine.ErrNoPlugin) && os.Getenv(RequireVariable) != "1" {
		t.Skipf("%v (set %s=1 to fail instead)", err, RequireVariable)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// Compute runs a graph once.
func Compute(t testing.TB, e *engine.Engine, f func(in []*graph.Node) []*graph.Node, inputs ...any) []*tensors.Tensor {
	t.Helper()
	return ComputeWith(t, e, model.NewStore(), func(_ *model.Scope, in []*graph.Node) []*graph.Node { return f(in) }, inputs...)
}

// ComputeWith runs a graph once that may read the variables of a store.
func ComputeWith(t testing.TB, e *engine.Engine, store *model.Store, f func(scope *model.Scope, in []*graph.Node) []*graph.Node, inputs ...any) []*tensors.Tensor {
	t.Helper()
	exec, err := model.NewExec(e.Backend, store, f)
	if err != nil {
		t.Fatal(err)
	}
	defer exec.Finalize()
	out, err := exec.Call(inputs...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
