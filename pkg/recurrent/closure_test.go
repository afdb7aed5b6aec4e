package recurrent

import (
	"reflect"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

func TestCanLoop(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		err := CanLoop(e.Backend)
		if e.Kind == engine.XLA && err != nil {
			t.Errorf("XLA: %v", err)
		}
		if e.Kind == engine.Go && (err == nil || !strings.Contains(err.Error(), "DynamicSlice")) {
			t.Errorf("pure Go: %v, want that it has no DynamicSlice", err)
		}
	})
}

// TestClosure has constants, reductions, an index of a maximum and a selection of the same kinds in the main function and in two closures: what the caches
// of the pinned versions mix up.
func TestClosure(t *testing.T) {
	e := enginetest.Open(t, engine.XLA)
	row := shapes.Make(dtypes.Float32, 4)
	mixture := func(x *Node) *Node {
		return Add(
			Add(MulScalar(x, 0.125), ReduceAllSum(AddScalar(x, 7))),
			Add(ReduceAllMax(x), ConvertDType(ArgMax(x, -1), dtypes.Float32)))
	}
	exec, err := NewExec(e.Backend, func(x *Node) []*Node {
		g := x.Graph()
		condition := closure(g, func(g *Graph) []*Node {
			i, x := Parameter(g, "i", shapes.Make(dtypes.Int32)), Parameter(g, "x", row)
			few := LessThan(i, Const(g, int32(2)))
			return []*Node{LogicalAnd(few, GreaterThan(ReduceAllSum(AddScalar(x, 7)), ScalarZero(g, dtypes.Float32)))}
		})
		body := closure(g, func(g *Graph) []*Node {
			i, x := Parameter(g, "i", shapes.Make(dtypes.Int32)), Parameter(g, "x", row)
			return []*Node{AddScalar(i, 1), mixture(x)}
		})
		looped := While(condition, body, ScalarZero(g, dtypes.Int32), x)[1]
		return []*Node{looped, mixture(mixture(x))}
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Call([]float32{1, 2, 4, 3})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out[0].Value(), out[1].Value(); !reflect.DeepEqual(got, want) {
		t.Errorf("in a loop %v, outside %v", got, want)
	}
}

// TestClosureKeepsCaches has the constants of the main function there again after a closure was built, also where building it panics.
func TestClosureKeepsCaches(t *testing.T) {
	e := enginetest.Open(t, engine.XLA)
	g := NewGraph(e.Backend, "caches")
	two := Scalar(g, dtypes.Float32, 2)
	build := func(fail bool) {
		defer func() { _ = recover() }()
		closure(g, func(g *Graph) []*Node {
			inside := Scalar(g, dtypes.Float32, 2)
			if inside == two {
				t.Error("a constant of the main function in a closure")
			}
			if fail {
				panic("step")
			}
			return []*Node{inside}
		})
	}
	for _, fail := range []bool{false, true} {
		build(fail)
		if Scalar(g, dtypes.Float32, 2) != two {
			t.Errorf("the cache was lost (step panics: %t)", fail)
		}
	}
}

// TestMapFields has what CanLoop says of versions whose fields are others.
func TestMapFields(t *testing.T) {
	type graph struct {
		scalars map[string]int
		changed []int
	}
	g := graph{scalars: map[string]int{"a": 1}, changed: []int{1}}
	of := reflect.ValueOf(&g).Elem()
	fields, err := mapFields(of, []string{"scalars"})
	if err != nil {
		t.Fatal(err)
	}
	fields[0].Set(reflect.MakeMap(fields[0].Type()))
	if len(g.scalars) != 0 {
		t.Error("the private map was not set")
	}
	for _, name := range []string{"changed", "gone"} {
		if _, err := mapFields(of, []string{name}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("field %s: %v, want an error that names it", name, err)
		}
	}
	if _, err := mapFields(reflect.ValueOf(3), []string{"scalars"}); err == nil {
		t.Error("a number was taken for a struct")
	}
}
