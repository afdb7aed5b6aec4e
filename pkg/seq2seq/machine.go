package seq2seq

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
)

// machine trains models of one structure, one at a time.
type machine struct {
	architecture
	key       string
	engine    *engine.Engine
	state     *model.Store // the weights and the optimizer's moments
	optimizer optimizer
	loss      *model.Exec // the nats of a batch
	gradients *model.Exec // these with dropout, and with respect to each weight the gradient of their share in the mean over the tokens of all parts of the batch
	fresh     bool        // not started yet: the weights are those of the configuration it was built with
}

// parts is the number of parts of a batch that are computed side by side. Two cores are sooner through with all steps of a part each than with half of every
// step each: XLA's threads wait for each other at the end of every operation. It is the same on every machine, for a sum of gradients is rounded otherwise than
// the gradient of a sum.
const parts = 2

func newMachine(e *engine.Engine, c Config, key string, source, target int) *machine {
	a := newArchitecture(c, source, target)
	m := &machine{architecture: a, key: key, engine: e, state: firstWeights(e, a), fresh: true}
	weights := m.weights()
	m.optimizer = newOptimizer(c.Optimizer, m.state, weights)
	m.loss = model.MustNewExec(e.Backend, m.state, func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
		nats, _ := objective(a, scope, inputs, dropout{})
		return nats
	}).SetMaxCache(-1) // batches come in few shapes
	m.gradients = model.MustNewExec(e.Backend, m.state, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		tokens, random := inputs[4], inputs[5]
		nats, loss := objective(a, scope, inputs, dropout{c.Dropout, &chance{random}})
		return append([]*graph.Node{nats}, graph.Gradient(graph.Div(loss, tokens), nodesOf(weights, nats.Graph())...)...)
	}).SetMaxCache(-1)
	return m
}

// objective is the cross-entropy of a batch as inputsOf gives it, and the loss that training lowers: the same but for the coverage loss.
func objective(a architecture, scope *model.Scope, inputs []*graph.Node, drop dropout) (sum, loss *graph.Node) {
	c, _, target := a.settings()
	x, xLengths, y, yLengths := inputs[0], inputs[1], inputs[2], inputs[3]
	logits, alpha := a.with(scope, x.Graph()).forward(x, xLengths, y, yLengths, drop, c.CoverageLoss > 0)
	real := reals(yLengths, y.Shape().Dim(0))
	sum = graph.ReduceAllSum(nats(graph.Reshape(logits, -1, target), graph.Reshape(y, -1), graph.Reshape(real, -1)))
	if c.CoverageLoss == 0 {
		return sum, sum
	}
	return sum, graph.Add(sum, graph.MulScalar(coverageLoss(alpha, real), c.CoverageLoss))
}

// weights are the variables that are trained.
func (m *machine) weights() (list []*model.Variable) {
	for v := range m.state.Scope(weightScope).IterVariables() {
		list = append(list, v)
	}
	return list
}

func nodesOf(variables []*model.Variable, g *graph.Graph) (nodes []*graph.Node) {
	for _, v := range variables {
		nodes = append(nodes, v.NodeValue(g))
	}
	return nodes
}

// firstWeights is a store with the weights as a training begins with them.
func firstWeights(e *engine.Engine, a architecture) *model.Store {
	store := model.NewStore()
	g := graph.NewGraph(e.Backend, "weights")
	defer g.Finalize()
	a.with(store.RootScope(), g)
	return store
}

// start puts everything as it is before the first update of a training with the configuration that the machine was taken for.
func (m *machine) start(c Config) error {
	var first *model.Store
	if !m.fresh {
		_, source, target := m.settings()
		first = firstWeights(m.engine, newArchitecture(c, source, target))
	}
	m.fresh = false
	for v := range m.state.IterVariables() {
		value := tensors.FromShape(v.Shape()) // of a moment
		if isWeight(v) {
			if first == nil {
				continue
			}
			value = first.GetVariable(v.Path()).MustValue()
		}
		if err := v.SetValue(value); err != nil {
			return fmt.Errorf("variable %s: %w", v.Path(), err)
		}
	}
	return nil
}

// update moves the weights by the gradient of a batch, the update of this number of a training with this configuration, and returns the batch's nats. Where these or
// the gradient are not finite the error wraps errNotFinite, and the weights stay.
func (m *machine) update(b *corpus.Batch, c Config, number int) (nats float64, err error) {
	random, err := randomStates(c.Seed, number)
	if err != nil {
		return 0, err
	}
	batches, tokens := b.Split(parts), float32(b.Tokens())
	outputs, err := sideBySide(parts, func(i int) ([]*tensors.Tensor, error) {
		return m.gradients.Call(append(inputsOf(batches[i]), tokens, random[i])...)
	})
	defer func() {
		for _, o := range slices.Concat(outputs...) {
			o.MustFinalizeAll()
		}
	}()
	if err != nil {
		return 0, err
	}
	var gradients [parts][][]float32
	for i, o := range outputs {
		nats += float64(tensors.ToScalar[float32](o[0]))
		for _, gradient := range o[1:] {
			values, err := m.read(gradient)
			if err != nil {
				return 0, err
			}
			gradients[i] = append(gradients[i], values)
		}
	}
	if math.IsNaN(nats) || math.IsInf(nats, 0) {
		return nats, fmt.Errorf("the loss has %w", errNotFinite)
	}
	if err := m.optimizer.update(gradients, number, c.learningRate(number), c.ClipNorm); errors.Is(err, errNotFinite) {
		return nats, fmt.Errorf("the gradient of a loss of %.3g has %w", nats/float64(b.Tokens()), err)
	} else if err != nil {
		return nats, err
	}
	return nats, nil
}

// read is what an output of a graph holds: where Go reaches the engine's memory there, until the output is finalized, and elsewhere a copy.
func (m *machine) read(output *tensors.Tensor) (values []float32, err error) {
	if !m.engine.Backend.HasSharedBuffers() {
		err = output.ConstFlatData(func(flat any) { values = flat.([]float32) })
		return values, err
	}
	buffer, err := output.Buffer(m.engine.Backend, 0)
	if err != nil {
		return nil, err
	}
	flat, err := buffer.Data()
	if err != nil {
		return nil, err
	}
	return flat.([]float32), nil
}

// randomStates are what the parts of an update draw their random numbers from. They depend on nothing else, so a training that goes on where it
// stopped draws the same.
func randomStates(seed uint64, update int) (states [parts]*tensors.Tensor, err error) {
	random := rand.New(rand.NewPCG(seed, uint64(update)))
	for i := range states {
		if states[i], err = graph.RNGStateFromSeed(random.Int64()); err != nil {
			return states, err
		}
	}
	return states, nil
}

// nats is the cross-entropy of a batch, without dropout.
func (m *machine) nats(b *corpus.Batch) (sum float64, err error) {
	batches := b.Split(parts)
	of, err := sideBySide(parts, func(i int) (float64, error) {
		outputs, err := m.loss.Call(inputsOf(batches[i])...)
		if err != nil {
			return 0, err
		}
		return float64(tensors.ToScalar[float32](outputs[0])), nil
	})
	for _, nats := range of {
		sum += nats
	}
	return sum, err
}
