package seq2seq

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/recurrent"
)

// Workbench is an engine with what has been compiled on it: a second training, or another run's translations, of the same model and the
// same shapes compile nothing. Seeds, learning rates, numbers of updates and data may differ. Without the option [On] every training
// has a workbench of its own.
type Workbench struct {
	mu       sync.Mutex
	engine   *engine.Engine
	free     map[string][]*machine // not at work
	decoding map[string]*decoding
}

// NewWorkbench is a workbench on an engine, or on the one that [engine.Open] chooses, when it is first needed, where e is nil.
func NewWorkbench(e *engine.Engine) *Workbench {
	return &Workbench{engine: e, free: map[string][]*machine{}, decoding: map[string]*decoding{}}
}

// Engine is the workbench's engine, opened if it was not yet.
func (w *Workbench) Engine() (*engine.Engine, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open()
}

func (w *Workbench) open() (e *engine.Engine, err error) {
	if w.engine == nil {
		w.engine, err = engine.Open()
	}
	return w.engine, err
}

// machine trains models of one structure, one at a time.
type machine struct {
	n       *network
	key     string
	engine  *engine.Engine
	state   *model.Store // the weights, the optimizer's variables, the random state
	trainer *train.Trainer
	rate    *model.Variable // the learning rate
	devLoss *model.Exec     // the nats of a batch
	fresh   bool            // not started yet: the weights are those of the configuration it was built with
}

// take is a machine for a configuration, ready to start. It panics where GoMLX does.
func (w *Workbench) take(c Config, source, target int) (*machine, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, err := w.open()
	if err != nil {
		return nil, err
	}
	key := c.trainingGraph(source, target)
	if free := w.free[key]; len(free) > 0 {
		w.free[key] = free[1:]
		return free[0], nil
	}
	return newMachine(e, c, key, source, target), nil
}

// giveBack makes a machine free for the next training.
func (w *Workbench) giveBack(m *machine) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free[m.key] = append(w.free[m.key], m)
}

// trainingGraph tells apart configurations whose training needs another graph.
func (c Config) trainingGraph(source, target int) string {
	c.Name, c.Seed, c.EmbeddingDeviation, c.ReverseSource, c.SourceEOS = "", 0, 0, false, false
	c.MinCount, c.MaxVocabulary, c.MaxLength = 0, 0, 0
	c.Updates, c.BatchSize, c.LearningRate, c.Schedule, c.EvaluateEvery, c.DevPairs, c.Patience = 0, 0, 0, "", 0, 0, 0
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // a valid Config has no value that JSON lacks
	}
	return fmt.Sprintf("%s %d %d", text, source, target)
}

// decodingGraph tells apart configurations whose translations need other graphs.
func (c Config) decodingGraph(source, target int) string {
	c.Optimizer, c.ClipNorm, c.Dropout, c.TeacherForcing = "", 0, 0, 0
	return c.trainingGraph(source, target)
}

func newMachine(e *engine.Engine, c Config, key string, source, target int) *machine {
	n := newNetwork(c, source, target)
	m := &machine{n: n, key: key, engine: e, state: firstWeights(e, n), fresh: true}
	var o optimizer.Interface
	if c.Optimizer == "adam" {
		declareAdam(m.state)
		o = optimizer.Adam().LearningRate(c.LearningRate).Done()
	} else {
		o = optimizer.StochasticGradientDescent().WithLearningRate(c.LearningRate).WithDecay(false).Done()
	}
	if c.ClipNorm > 0 {
		o = recurrent.Clipped(o, c.ClipNorm)
	}
	forward := func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		x, xLengths, y, yLengths := inputs[0], inputs[1], inputs[2], inputs[3]
		store, g := scope.Store(), x.Graph()
		logits, _ := n.forward(n.newWeights(scope, g), x, xLengths, y, yLengths, n.dropout(store, g), false)
		real := reals(yLengths, y.Shape().Dim(0))
		return []*graph.Node{graph.Reshape(logits, -1, n.target), graph.Reshape(y, -1), graph.Reshape(real, -1)}
	}
	loss := func(_, p []*graph.Node) *graph.Node {
		tokens := graph.ReduceAllSum(graph.ConvertDType(p[2], dtypes.Float32))
		return graph.Div(graph.ReduceAllSum(nats(p[0], p[1], p[2])), graph.MaxScalar(tokens, 1))
	}
	m.trainer = train.NewTrainer(e.Backend, m.state, forward, loss, o, nil, nil)
	m.trainer.OnExecCreation(func(exec *model.Exec, _ train.GraphType) { exec.SetMaxCache(-1) }) // batches come in few shapes
	m.rate = optimizer.LearningRateVar(m.state.RootScope(), dtypes.Float32, c.LearningRate)
	m.devLoss = model.MustNewExec(e.Backend, m.state, func(scope *model.Scope, inputs []*graph.Node) *graph.Node {
		p := forward(scope, inputs)
		return graph.ReduceAllSum(nats(p[0], p[1], p[2]))
	}).SetMaxCache(-1)
	return m
}

// firstWeights is a store with the weights as a training begins with them.
func firstWeights(e *engine.Engine, n *network) *model.Store {
	store := model.NewStore()
	g := graph.NewGraph(e.Backend, "weights")
	defer g.Finalize()
	n.newWeights(store.RootScope(), g)
	return store
}

// declareAdam declares the moments of GoMLX's Adam and its count of updates. Left to itself GoMLX starts them by a graph, which takes longer to
// compile than the training's.
func declareAdam(state *model.Store) {
	var weights []*model.Variable
	for v := range state.Scope(weightScope).IterVariables() {
		weights = append(weights, v)
	}
	for _, v := range weights {
		for _, moment := range []string{"_1st_moment", "_2nd_moment"} {
			state.VariableWithValue(adamScope+v.Path()+moment, tensors.FromShape(v.Shape())).SetTrainable(false)
		}
	}
	state.VariableWithValue(adamScope+"/step", float32(0)).SetTrainable(false)
}

const adamScope = "/" + optimizer.AdamDefaultScope

// start puts everything as it is before the first update of a training with the configuration that the machine was taken for, and
// counters as after so many updates.
func (m *machine) start(c Config, updates int) error {
	var first *model.Store
	if !m.fresh {
		first = firstWeights(m.engine, newNetwork(c, m.n.source, m.n.target))
	}
	m.fresh = false
	if err := m.state.SetRNGStateFromSeed(int64(c.Seed)); err != nil {
		return err
	}
	for v := range m.state.IterVariables() {
		var value *tensors.Tensor
		switch {
		case isWeight(v) && first == nil:
			continue
		case isWeight(v):
			value = first.GetVariable(v.Path()).MustValue()
		case v.Path() == "/"+model.RNGStateVariableName:
			continue
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
