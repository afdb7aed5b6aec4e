package recurrent_test

import (
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// declared are the values that build declares with a seed in a store, by path.
func declared(t *testing.T, e *engine.Engine, store *model.Store, seed uint64, build func(p Parameters)) map[string][]float64 {
	t.Helper()
	exec, err := model.NewExec(e.Backend, store, func(scope *model.Scope, x *Node) *Node {
		build(NewParameters(scope.At("model"), x.Graph(), seed))
		return OneMinus(x)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.Call(float32(1)); err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{}
	for v := range store.IterVariables() {
		values[v.Path()] = flat(v.MustValue())
	}
	return values
}

func TestParameters(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		a := func(p Parameters) { p.At("a").Value("W", Uniform(1), 2, 3) }
		b := func(p Parameters) { p.At("b").Value("W", Uniform(1), 2, 3) }
		both := declared(t, e, model.NewStore(), 1, func(p Parameters) { a(p); b(p) })
		turned := declared(t, e, model.NewStore(), 1, func(p Parameters) { b(p); a(p); a(p) })
		other := declared(t, e, model.NewStore(), 2, func(p Parameters) { a(p) })
		if len(both) != 2 || both["/model/a/W"] == nil || both["/model/b/W"] == nil {
			t.Fatalf("declared %v", both)
		}
		for path := range both {
			if !slices.Equal(both[path], turned[path]) {
				t.Errorf("%s depends on the order of declarations", path)
			}
		}
		if slices.Equal(both["/model/a/W"], both["/model/b/W"]) {
			t.Error("two names start at the same values")
		}
		if slices.Equal(both["/model/a/W"], other["/model/a/W"]) {
			t.Error("two seeds start at the same values")
		}
	})
}

func TestParametersKeepWhatIsThere(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		store := model.NewStore()
		if _, err := store.CreateVariable("/model/W", tensors.FromValue([][]float32{{5, 6}})); err != nil {
			t.Fatal(err)
		}
		got := declared(t, e, store, 1, func(p Parameters) { p.Value("W", Constant(0), 1, 2) })
		if !slices.Equal(got["/model/W"], []float64{5, 6}) {
			t.Errorf("kept %v", got)
		}
		err := exceptions.TryCatch[error](func() {
			NewParameters(store.Scope("/model"), NewGraph(e.Backend, "shape"), 1).Value("W", Constant(0), 2, 1)
		})
		if err == nil || !strings.Contains(err.Error(), "/model/W") || !strings.Contains(err.Error(), "[2, 1]") {
			t.Errorf("another shape: %v", err)
		}
	})
}

func TestParametersAs(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		store := model.NewStore()
		third := func(p Parameters) { p.As(dtypes.Float64).Value("third", Constant(1./3), 1) }
		if got := declared(t, e, store, 1, third)["/model/third"][0]; got != 1./3 {
			t.Errorf("%v in Float64, want %v", got, 1./3)
		}
		if exceptions.TryCatch[error](func() { Parameters{}.As(dtypes.Int32) }) == nil {
			t.Error("integer parameters were taken")
		}
	})
}
