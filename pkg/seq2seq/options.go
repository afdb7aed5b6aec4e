package seq2seq

import (
	"io"
	"os"
	"time"

	"github.com/gomlx/gomlx/ui/notebooks"
	"golang.org/x/term"

	"seq2attn/pkg/engine"
)

// Option changes how [Train] works, never what it trains: no option is part of what names a run.
type Option func(*options)

type options struct {
	folder     string
	bench      *Workbench
	output     io.Writer // of the progress line; nil is silent
	onProgress func(Progress)
	every      time.Duration // between calls of onProgress
	saveEvery  time.Duration
}

func newOptions(list []Option) options {
	o := options{bench: NewWorkbench(nil), every: time.Second, saveEvery: 20 * time.Second}
	if notebooks.IsNotebook() || term.IsTerminal(int(os.Stdout.Fd())) {
		o.output = os.Stdout
	}
	for _, option := range list {
		option(&o)
	}
	return o
}

// Folder keeps the run's folder in this one instead of the project's folder of runs.
func Folder(parent string) Option { return func(o *options) { o.folder = parent } }

// Engine computes on this engine instead of the one that [engine.Open] chooses.
func Engine(e *engine.Engine) Option { return On(NewWorkbench(e)) }

// On computes on a workbench, which remembers what it compiled for other trainings.
func On(w *Workbench) Option { return func(o *options) { o.bench = w } }

// Quiet shows no progress line. It is the default where the output is neither a notebook nor a terminal.
func Quiet() Option { return Output(nil) }

// Output shows the progress line on w.
func Output(w io.Writer) Option { return func(o *options) { o.output = w } }

// OnProgress calls f now and then while training, at most once a second, and when it has ended and is saved: to draw the curve as it grows. It
// is called between two updates, and the training waits for it.
func OnProgress(f func(Progress)) Option { return func(o *options) { o.onProgress = f } }

// SaveEvery stores the state of the training so often, 20 seconds by default: what a crash can lose. 0 stores after every update.
func SaveEvery(d time.Duration) Option { return func(o *options) { o.saveEvery = d } }
