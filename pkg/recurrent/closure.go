package recurrent

// This file stands in for two faults upstream, and can go when they are mended:
//
//   - github.com/gomlx/gomlx v0.28.2, core/graph/graph.go, getScalarConst, and ops.go, ConstCachedTensor: the caches Graph.scalars and
//     Graph.tensorConstants hand a constant that was made in one function to another;
//   - github.com/gomlx/go-xla v0.4.1, compute/xla/ops_reduce.go, getReductionFn and its two neighbours: Builder's caches cacheReductions,
//     cacheArgMinMax and cacheSelections do the same with the little functions that reductions call.
//
// XLA refuses a program in which one closure uses what belongs to another. So a closure is built with these caches empty, and
// what was in them is put back afterwards. The fields are private: they are reached by reflection, and where one is not what it is
// in these versions, [CanLoop] says so and Scan's steps are written out.

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
)

var (
	graphCaches   = []string{"scalars", "tensorConstants"}
	builderCaches = []string{"cacheReductions", "cacheArgMinMax", "cacheSelections"}
)

// CanLoop is nil where [Scan] is a loop on this backend, else the reason why its steps are written out one after another.
func CanLoop(backend compute.Backend) error {
	can := backend.Capabilities()
	// While is not asked for: XLA has it and does not list it.
	for _, op := range []compute.OpType{compute.OpTypeDynamicSlice, compute.OpTypeDynamicUpdateSlice} {
		if !can.Functions || !can.Operations[op] {
			return fmt.Errorf("recurrent: backend %q has no %s", backend.Name(), op)
		}
	}
	g := NewGraph(backend, "recurrent.CanLoop")
	defer g.Finalize()
	g.AssertBuilding() // makes the builder
	_, err := closureCaches(g)
	return err
}

// closure is NewClosure with the caches put aside.
func closure(g *Graph, build func(g *Graph) []*Node) *Function {
	caches, err := closureCaches(g)
	if err != nil {
		panic(err)
	}
	for _, cache := range caches {
		kept := reflect.ValueOf(cache.Interface())
		cache.Set(reflect.MakeMap(cache.Type()))
		defer cache.Set(kept)
	}
	return NewClosure(g, build)
}

// closureCaches are the maps of g and of its builder that must not be shared among functions.
func closureCaches(g *Graph) ([]reflect.Value, error) {
	inGraph, err := mapFields(reflect.ValueOf(g).Elem(), graphCaches)
	if err != nil {
		return nil, err
	}
	builder := reflect.ValueOf(g).Elem().FieldByName("builder")
	if builder.Kind() != reflect.Interface || builder.Elem().Kind() != reflect.Pointer {
		return nil, fmt.Errorf("recurrent: graph.Graph has no field builder as it is in gomlx v0.28.2: steps are written out")
	}
	inBuilder, err := mapFields(builder.Elem().Elem(), builderCaches)
	if err != nil {
		return nil, err
	}
	return append(inGraph, inBuilder...), nil
}

// mapFields are the fields of these names, settable though private.
func mapFields(of reflect.Value, names []string) ([]reflect.Value, error) {
	fields := make([]reflect.Value, len(names))
	for i, name := range names {
		var f reflect.Value
		if of.Kind() == reflect.Struct {
			f = of.FieldByName(name)
		}
		if !f.IsValid() || f.Kind() != reflect.Map {
			return nil, fmt.Errorf("recurrent: %s has no map %s as it has in gomlx v0.28.2 with go-xla v0.4.1: steps are written out", of.Type(), name)
		}
		fields[i] = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
	}
	return fields, nil
}
