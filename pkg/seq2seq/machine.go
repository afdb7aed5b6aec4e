package seq2seq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/recurrent"
)

// machine trains models of one structure, one at a time.
type machine struct {
	architecture
	key       string
	engine    *engine.Engine
	state     *model.Store    // the weights and the optimizer's variables
	rate      *model.Variable // the learning rate
	loss      *model.Exec     // the nats of a batch
	gradients *model.Exec     // these with dropout, and with respect to each weight the gradient of their share in the mean over the tokens of all parts of the batch
	step      *model.Exec     // moves the weights by the sum of the parts' gradients, and gives a number that is finite only where these are: one graph for all shapes of batches, which need not compile it each
	fresh     bool            // not started yet: the weights are those of the configuration it was built with
}

// parts is the number of parts of a batch that are computed side by side. Two cores are sooner through with all steps of a part each than with half of every
// step each: XLA's threads wait for each other at the end of every operation. It is the same on every machine, for a sum of gradients is rounded otherwise than
// the gradient of a sum.
const parts = 2

func newMachine(e *engine.Engine, c Config, key string, source, target int) *machine {
	a := newArchitecture(c, source, target)
	m := &machine{architecture: a, key: key, engine: e, state: firstWeights(e, a), fresh: true}
	o := newOptimizer(c)
	if c.Optimizer == "adam" {
		m.declareAdam()
	}
	m.rate = optimizer.LearningRateVar(m.state.RootScope(), dtypes.Float32, c.LearningRate)
	weights := m.weights()
	m.loss = model.MustNewExec(e.Backend, m.state, func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
		nats, _ := objective(a, scope, inputs, dropout{})
		return nats
	}).SetMaxCache(-1) // batches come in few shapes
	m.gradients = model.MustNewExec(e.Backend, m.state, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		tokens, random := inputs[4], inputs[5]
		nats, loss := objective(a, scope, inputs, dropout{c.Dropout, &chance{random}})
		return append([]*graph.Node{nats}, graph.Gradient(graph.Div(loss, tokens), nodesOf(weights, nats.Graph())...)...)
	}).SetMaxCache(-1)
	m.step = model.MustNewExec(e.Backend, m.state, func(scope *model.Scope, gradients []*graph.Node) *graph.Node {
		g := gradients[0].Graph()
		gradients = sumOfParts(gradients)
		nodesOf(weights, g) // the optimizer moves those that it sees in use
		o.UpdateGraphWithGradients(scope, gradients, dtypes.Float32)
		if c.ClipNorm > 0 { // it is there already
			return scope.Store().GetVariable("/" + recurrent.GradientNorm).NodeValue(g)
		}
		return sumOf(gradients)
	})
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

// newOptimizer is the optimizer that the configuration names, with clipping if it asks for it.
func newOptimizer(c Config) train.OptimizeWithGradients {
	var o optimizer.Interface = optimizer.StochasticGradientDescent().WithLearningRate(c.LearningRate).WithDecay(false).Done()
	if c.Optimizer == "adam" {
		o = optimizer.Adam().LearningRate(c.LearningRate).Done()
	}
	if c.ClipNorm > 0 {
		o = recurrent.Clipped(o, c.ClipNorm)
	}
	return o.(train.OptimizeWithGradients) // all of GoMLX's are
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

// declareAdam declares the moments of GoMLX's Adam and its count of updates. Left to itself GoMLX starts them by a graph, which takes longer to
// compile than the training's.
func (m *machine) declareAdam() {
	for _, v := range m.weights() {
		for _, moment := range []string{"_1st_moment", "_2nd_moment"} {
			m.state.VariableWithValue(adamScope+v.Path()+moment, tensors.FromShape(v.Shape())).SetTrainable(false)
		}
	}
	m.state.VariableWithValue(adamScope+"/step", float32(0)).SetTrainable(false)
}

const adamScope = "/" + optimizer.AdamDefaultScope

// start puts everything as it is before the first update of a training with the configuration that the machine was taken for, and
// counters as after so many updates.
func (m *machine) start(c Config, updates int) error {
	var first *model.Store
	if !m.fresh {
		_, source, target := m.settings()
		first = firstWeights(m.engine, newArchitecture(c, source, target))
	}
	m.fresh = false
	for v := range m.state.IterVariables() {
		var value *tensors.Tensor
		switch {
		case isWeight(v) && first == nil:
			continue
		case isWeight(v):
			value = first.GetVariable(v.Path()).MustValue()
		case v.Path() == adamScope+"/step":
			value = tensors.FromScalar(float32(updates))
		case v.Path() == "/"+optimizer.GlobalStepVariableName:
			value = tensors.FromScalar(int64(updates))
		default: // moments, and what GoMLX and Clipped leave to read
			value = tensors.FromShape(v.Shape())
		}
		if err := v.SetValue(value); err != nil {
			return fmt.Errorf("variable %s: %w", v.Path(), err)
		}
	}
	return nil
}

// update moves the weights by the gradient of a batch, the update of this number, and returns the batch's nats. Where these or the gradient are not
// finite the error wraps errNotFinite, and the weights are lost: what was stored of them before is what is left.
func (m *machine) update(b *corpus.Batch, seed uint64, number int) (nats float64, err error) {
	random, err := randomStates(seed, number)
	if err != nil {
		return 0, err
	}
	batches, tokens := b.Split(parts), float32(b.Tokens())
	of, err := sideBySide(parts, func(i int) ([]*tensors.Tensor, error) {
		return m.gradients.Call(append(inputsOf(batches[i]), tokens, random[i])...)
	})
	defer func() {
		for _, o := range slices.Concat(of...) {
			o.MustFinalizeAll()
		}
	}()
	if err != nil {
		return 0, err
	}
	var gradients []*tensors.Tensor
	for _, o := range of {
		nats += float64(tensors.ToScalar[float32](o[0]))
		gradients = append(gradients, o[1:]...)
	}
	if math.IsNaN(nats) || math.IsInf(nats, 0) {
		return nats, fmt.Errorf("the loss has %w", errNotFinite)
	}
	out, err := m.step.Call(anys(gradients)...)
	if err != nil {
		return nats, err
	}
	size := tensors.ToScalar[float32](out[0])
	out[0].MustFinalizeAll()
	if !allFinite([]float32{size}) {
		return nats, fmt.Errorf("the gradient of a loss of %.3g has %w", nats/float64(b.Tokens()), errNotFinite)
	}
	return nats, nil
}

// sumOfParts are the gradients of a batch, of those of all its parts, one part after another.
func sumOfParts(gradients []*graph.Node) []*graph.Node {
	sums := slices.Clone(gradients[:len(gradients)/parts])
	for i, part := range gradients[len(sums):] {
		sums[i%len(sums)] = graph.Add(sums[i%len(sums)], part)
	}
	return sums
}

// sumOf is the sum of all values of some nodes. It is finite only where they all are.
func sumOf(nodes []*graph.Node) *graph.Node {
	sum := graph.ReduceAllSum(nodes[0])
	for _, n := range nodes[1:] {
		sum = graph.Add(sum, graph.ReduceAllSum(n))
	}
	return sum
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
