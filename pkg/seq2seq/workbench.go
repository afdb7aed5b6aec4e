package seq2seq

import (
	"encoding/json"
	"fmt"
	"sync"

	"seq2attn/pkg/engine"
)

// Workbench is an engine with what has been compiled on it: a second training, or another run's translations, of the same model and the
// same shapes compile nothing. Seeds, learning rates, clipping, numbers of updates and data may differ. Without the option [On] every training
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

// trainingGraph tells apart configurations whose training needs another graph or optimizer.
func (c Config) trainingGraph(source, target int) string {
	c.AttentionSize = c.attentionSize() // which may depend on MaxLength
	c.Name, c.Seed, c.EmbeddingDeviation = "", 0, 0
	if c.Window != WindowLocalM { // which follows the order of the source
		c.ReverseSource, c.SourceEOS = false, false
	}
	c.MinCount, c.MaxVocabulary, c.MaxLength = 0, 0, 0
	c.Updates, c.BatchSize, c.LearningRate, c.Schedule, c.WarmUp, c.ClipNorm, c.EvaluateEvery, c.DevPairs, c.Patience = 0, 0, 0, "", 0, 0, 0, 0, 0
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // a valid Config has no value that JSON lacks
	}
	return fmt.Sprintf("%s %d %d", text, source, target)
}

// decodingGraph tells apart configurations whose translations need other graphs.
func (c Config) decodingGraph(source, target int) string {
	c.Optimizer, c.Dropout, c.TeacherForcing, c.AttentionDropout, c.CoverageLoss = "", 0, 0, 0, 0
	return c.trainingGraph(source, target)
}
