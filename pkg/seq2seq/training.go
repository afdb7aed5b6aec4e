package seq2seq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"seq2attn/pkg/corpus"
)

// training is a run in the making.
type training struct {
	*Run
	o       options
	batches *corpus.Batches
	dev     *corpus.Batches // nil where there is no development loss
	*machine

	begin        time.Time // of this sitting
	before       float64   // seconds of the sittings before
	warm         time.Time // when this sitting's first update was done, and which one
	warmUpdate   int
	saved, shown time.Time
	recent       recent
	line         *progressLine
}

// recent is what the latest updates amount to, the older ones ever less: batches are of one length each, and differ.
type recent struct{ nats, tokens, seconds float64 }

func (r *recent) add(nats float64, tokens int, seconds float64) {
	const fade = 0.95
	*r = recent{fade*r.nats + nats, fade*r.tokens + float64(tokens), fade*r.seconds + seconds}
}

// newTraining makes everything ready for the first update, or for the next one where a training was interrupted.
func newTraining(folder string, m manifest, d corpus.Data, o options, begin time.Time) (*training, error) {
	t := &training{o: o, begin: begin, saved: begin}
	found, err := readManifest(folder)
	resumed := err == nil
	if resumed {
		if t.Run, err = openManifest(folder, found); err != nil {
			return nil, err
		}
		t.before = t.Seconds
	} else {
		t.Run = &Run{Config: m.Config, Folder: folder, Data: m.Data, manifest: m}
		if t.Source, t.Target, err = vocabularies(m.Config, d); err != nil {
			return nil, err
		}
	}
	if err := t.makeBatches(d); err != nil {
		return nil, err
	}
	t.bench = o.bench
	if err := t.takeMachine(); err != nil {
		return nil, err
	}
	if resumed {
		state, err := t.manifest.State.load(folder)
		if err != nil {
			return nil, err
		}
		if err := readVariables(state, t.state); err != nil {
			return nil, damaged(filepath.Join(folder, t.manifest.State.Name), err)
		}
	} else {
		t.Engine, t.Versions = string(t.machine.engine.Kind), versions()
	}
	switch {
	case t.Config.Patience == 0:
		t.store = t.state
	case !resumed: // the weights to keep are not always the latest
		t.store = model.NewStore()
	}
	return t, nil
}

// takeMachine has the model built, or one that was built before started anew.
func (t *training) takeMachine() error {
	err := exceptions.TryCatch[error](func() {
		var err error
		if t.machine, err = t.bench.take(t.Config, t.Source.Size(), t.Target.Size()); err != nil {
			panic(err)
		}
		if err := t.machine.start(t.Config); err != nil {
			panic(err)
		}
		t.Parameters = 0
		for _, v := range t.machine.weights() {
			t.Parameters += v.Shape().Size()
		}
	})
	if err != nil {
		return fmt.Errorf("seq2seq: cannot build the model: %w", err)
	}
	return nil
}

// run trains to the end, or until ctx ends.
func (t *training) run(ctx context.Context) (*Run, error) {
	defer t.cleanUp()
	c := t.Config
	t.line = newProgressLine(t.o.output, c.Updates)
	t.show(false)
	for number, batch := range t.batches.From(t.Updates) {
		if t.Updates >= c.Updates || t.StoppedEarly {
			break
		}
		if err := ctx.Err(); err != nil {
			return t.interrupted(err)
		}
		if err := t.update(number, batch); err != nil {
			return nil, err
		}
		if t.dev != nil && (t.Updates%c.EvaluateEvery == 0 || t.Updates == c.Updates) {
			if err := t.evaluate(); err != nil {
				return nil, err
			}
		}
		if time.Since(t.saved) >= t.o.saveEvery {
			if err := t.save(); err != nil {
				return t.unsaved(err)
			}
		}
		t.show(false)
	}
	t.Finished = true
	if err := t.save(); err != nil {
		return t.unsaved(err)
	}
	t.show(true)
	early := ""
	if t.StoppedEarly {
		early = fmt.Sprintf(" (no better development loss for %d evaluations; kept update %d)", c.Patience, t.KeptUpdate)
	}
	t.line.end("%s: %d updates in %.0f s%s; saved in %s", c.Name, t.Updates, t.Seconds, early, filepath.Base(t.Folder))
	return t.Run, nil
}

// update makes one update from a batch.
func (t *training) update(number int, batch *corpus.Batch) error {
	begin := time.Now()
	var nats float64
	var err error
	failed := exceptions.TryCatch[error](func() { nats, err = t.machine.update(batch, t.Config, t.Updates+1) })
	if errors.Is(err, errNotFinite) {
		return t.lost(fmt.Errorf("update %d, from batch %d of epoch %d with %d source and %d target steps: %w",
			t.Updates+1, number%t.batches.Len()+1, number/t.batches.Len()+1, batch.S, batch.T, err))
	}
	if err = errors.Join(failed, err); err != nil {
		return fmt.Errorf("seq2seq: update %d: %w", t.Updates+1, err)
	}
	tokens, seconds := batch.Tokens(), time.Since(begin).Seconds()
	t.Updates++
	t.recent.add(nats, tokens, seconds)
	if t.Config.Patience == 0 {
		t.KeptUpdate = t.Updates
	}
	if t.warm.IsZero() {
		t.warm, t.warmUpdate = time.Now(), t.Updates
		if t.Updates == 1 {
			t.FirstUpdate = time.Since(t.begin).Seconds()
		}
	}
	p := &t.manifest.Progress
	t.Tokens += int64(tokens)
	p.Nats, p.Tokens, p.Seconds = p.Nats+nats, p.Tokens+tokens, p.Seconds+seconds
	if t.Updates%max(1, t.Config.Updates/200) == 0 || t.Updates == t.Config.Updates {
		t.Train = append(t.Train, Point{t.Updates, p.Nats / float64(p.Tokens), float64(p.Tokens) / p.Seconds, t.Config.learningRate(t.Updates)})
		*p = progress{}
	}
	return nil
}

// lost is the error for a training whose loss, gradient or weights are no longer numbers.
func (t *training) lost(why error) error {
	kept := "nothing had been saved"
	if t.manifest.Weights.Name != "" {
		kept = fmt.Sprintf("%s still holds update %d", t.Folder, t.manifest.Report.Updates)
	}
	return fmt.Errorf("seq2seq: %w: the training of %s stops; %s. Try a lower Config.LearningRate than %g, or a ClipNorm", why, t.Config.Name, kept, t.Config.LearningRate)
}

// evaluate measures the development loss, and keeps the weights where Patience asks for the best.
func (t *training) evaluate() error {
	sum, tokens := 0.0, 0
	for batch := range t.dev.Epoch(0) {
		nats, err := t.machine.nats(batch)
		if err != nil {
			return fmt.Errorf("seq2seq: development loss: %w", err)
		}
		sum += nats
		tokens += batch.Tokens()
	}
	loss := sum / float64(tokens)
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return t.lost(fmt.Errorf("the development loss after update %d is %v", t.Updates, loss))
	}
	t.Dev = append(t.Dev, Point{Update: t.Updates, Loss: loss})
	if t.Config.Patience == 0 {
		return nil
	}
	best := 0
	for i, p := range t.Dev {
		if p.Loss < t.Dev[best].Loss {
			best = i
		}
	}
	if best == len(t.Dev)-1 {
		if err := copyWeights(t.store, t.state); err != nil {
			return fmt.Errorf("seq2seq: keeping the best weights: %w", err)
		}
		t.KeptUpdate = t.Updates
	}
	t.StoppedEarly = len(t.Dev)-1-best >= t.Config.Patience
	return nil
}

// save stores the training as it is.
func (t *training) save() error {
	if t.Config.Patience > 0 && t.KeptUpdate == 0 { // nothing to keep before the first development loss
		if err := copyWeights(t.store, t.state); err != nil {
			return fmt.Errorf("seq2seq: %w", err)
		}
	}
	t.Seconds = t.before + time.Since(t.begin).Seconds()
	err := t.Run.save(t.state)
	if errors.Is(err, errNotFinite) {
		return t.lost(fmt.Errorf("the weights after update %d are not all finite: %w", t.Updates, err))
	}
	t.saved = time.Now()
	return err
}

// unsaved returns the run, which can translate, beside the error that kept it from being stored; nothing where its weights are lost.
func (t *training) unsaved(why error) (*Run, error) {
	if errors.Is(why, errNotFinite) {
		return nil, why
	}
	t.Finished = false
	t.line.end("%s: stopped after update %d of %d: it cannot be saved", t.Config.Name, t.Updates, t.Config.Updates)
	return t.Run, fmt.Errorf("%w; %s", why, elsewhere)
}

// interrupted saves what there is, says so, and returns it beside the error.
func (t *training) interrupted(why error) (*Run, error) {
	if t.Updates > 0 {
		if err := t.save(); err != nil {
			return t.unsaved(errors.Join(err, why))
		}
	}
	t.show(true)
	t.line.end("%s: interrupted after update %d of %d; saved in %s: the same call goes on from there", t.Config.Name, t.Updates, t.Config.Updates, filepath.Base(t.Folder))
	return t.Run, fmt.Errorf("seq2seq: training of %s interrupted after update %d of %d, saved in %s: the same call goes on from there: %w",
		t.Config.Name, t.Updates, t.Config.Updates, t.Folder, why)
}

// show brings the progress line and the caller up to date.
func (t *training) show(done bool) {
	p := Progress{Name: t.Config.Name, Update: t.Updates, Updates: t.Config.Updates, Train: t.Train, Dev: t.Dev, Done: done}
	if r := t.recent; r.tokens > 0 {
		p.Loss, p.TokensPerSecond = r.nats/r.tokens, r.tokens/r.seconds
	}
	if made := t.Updates - t.warmUpdate; !t.warm.IsZero() && made > 0 {
		p.Left = time.Since(t.warm) / time.Duration(made) * time.Duration(p.Updates-p.Update)
	}
	t.line.show(p)
	if t.o.onProgress != nil && (done || t.Updates > 0 && time.Since(t.shown) >= t.o.every) {
		t.o.onProgress(p)
		t.shown = time.Now()
	}
}

// cleanUp leaves the run with weights of its own and gives the machine back.
func (t *training) cleanUp() {
	if t.store == t.state {
		t.store = model.NewStore()
		if err := copyWeights(t.store, t.state); err != nil { // the backend is broken: nothing can be computed with it
			t.store = nil
		}
	}
	t.bench.giveBack(t.machine)
}
