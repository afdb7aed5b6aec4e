package recurrent

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Parameters declares the trainable parameters of a model in a scope of its store, with their start values made in Go: GoMLX's own
// initialisation is a graph, and compiling it costs more than two seconds.
//
// A parameter's start values depend on the seed and its full name only, not on what was declared before it. Values that the store
// holds already, from a checkpoint say, are kept.
type Parameters struct {
	scope *model.Scope
	graph *Graph
	seed  uint64
	dtype dtypes.DType
}

// NewParameters declares parameters, Float32, in scope for use in g.
func NewParameters(scope *model.Scope, g *Graph, seed uint64) Parameters {
	return Parameters{scope: scope, graph: g, seed: seed, dtype: dtypes.Float32}
}

// At declares parameters in the sub-scope of this name.
func (p Parameters) At(name string) Parameters {
	p.scope = p.scope.At("%s", name)
	return p
}

// As declares parameters of type Float32 or Float64, the latter for sharp checks.
func (p Parameters) As(dtype dtypes.DType) Parameters {
	if dtype != dtypes.Float32 && dtype != dtypes.Float64 {
		panicf("recurrent.Parameters: %s: parameters are Float32 or Float64", dtype)
	}
	p.dtype = dtype
	return p
}

// Value is the parameter of this name in the graph, made by start if the store has no value for it yet. It panics where the store's has
// another shape.
func (p Parameters) Value(name string, start Initializer, dims ...int) *Node {
	store, path := p.scope.Store(), model.JoinPath(p.scope.Scope(), name)
	shape := shapes.Make(p.dtype, dims...)
	v := store.GetVariable(path)
	if v != nil && !v.Shape().Equal(shape) {
		panicf("recurrent.Parameters: %s is %s in the store and %s in the model", path, v.Shape(), shape)
	}
	if v == nil || !v.HasValue() {
		hash := fnv.New64a()
		hash.Write([]byte(path))
		value := p.tensor(start(rand.New(rand.NewPCG(p.seed, hash.Sum64())), dims), dims)
		if v == nil {
			v = store.VariableWithValue(path, value)
		} else if err := v.SetValue(value); err != nil {
			panic(err)
		}
	}
	return v.NodeValue(p.graph)
}

// tensor holds values as the parameters' type.
func (p Parameters) tensor(values []float64, dims []int) *tensors.Tensor {
	if p.dtype == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(values, dims...)
	}
	single := make([]float32, len(values))
	for i, v := range values {
		single[i] = float32(v)
	}
	return tensors.FromFlatDataAndDimensions(single, dims...)
}
