package seq2seq

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"seq2attn/pkg/corpus"
)

// Train is the run of this configuration on this data: loaded if it was trained before, resumed if a training of it was interrupted,
// else trained. It is stored in a folder named by Config.Name and a hash of the configuration, the data and the code's format.
//
// The training stops between two updates when ctx ends or the process is interrupted (Ctrl-C, a notebook's stop button): what there
// is is saved and returned beside an error that wraps the context's; the same call later goes on as if nothing had happened.
// A loss, gradient or weight that is not finite is an error that names the update; what was saved before stays.
//
// Configurations and data that do not fit, a folder that is damaged, of another version, or being trained by another process:
// an error that says which and what to do, and nothing is changed. Where the disk takes no more, the run is returned beside the error,
// unstored since its last save.
func Train(ctx context.Context, c Config, d corpus.Data, list ...Option) (*Run, error) {
	begin := time.Now()
	o := newOptions(list)
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if len(d.Train) == 0 {
		return nil, fmt.Errorf("seq2seq: the training part of %q is empty: nothing to train on", d.Name)
	}
	if len(d.Dev) == 0 && c.Patience > 0 {
		return nil, fmt.Errorf("seq2seq: Config.Patience is %d but the development part of %q is empty: set Patience to 0 or give development pairs", c.Patience, d.Name)
	}
	m := manifest{Format: formatVersion, Config: c, Data: d.Name, Fingerprint: corpus.Fingerprint(d)}
	m.Key = key(c, m.Fingerprint)
	folder, err := runFolder(o.folder, c.Name, m.Key)
	if err != nil {
		return nil, err
	}
	if r, err := finished(folder, m.Key); r != nil || err != nil {
		if r != nil {
			r.bench = o.bench
			(&progressLine{output: o.output}).end("%s: trained before, %d updates in %.0f s; loaded from %s", c.Name, r.Updates, r.Seconds, filepath.Base(folder))
		}
		return r, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("seq2seq: cannot make the run's folder: %w; %s", err, elsewhere)
	}
	release, err := lock(folder)
	if err != nil {
		return nil, err
	}
	defer release()
	if r, err := finished(folder, m.Key); r != nil || err != nil { // by another process, just now
		if r != nil {
			r.bench = o.bench
		}
		return r, err
	}
	t, err := newTraining(folder, m, d, o, begin)
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return t.run(ctx)
}

// finished is the finished run in folder; nil where there is none.
func finished(folder, key string) (*Run, error) {
	m, err := readManifest(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case m.Key != key:
		return nil, damaged(filepath.Join(folder, manifestName), errors.New("it belongs to another configuration or other data"))
	case !m.Report.Finished:
		return nil, nil
	}
	return openManifest(folder, m)
}
