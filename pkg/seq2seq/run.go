package seq2seq

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gofrs/flock"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/kept"
	"seq2attn/pkg/project"
)

// formatVersion counts the changes after which stored runs no longer mean the same: of the files, of what a Config says, and
// of the model's equations.
const formatVersion = 1

// Names of the files in a run folder that do not carry their update's number.
const (
	manifestName = "run.json"
	sourceName   = "source.vocabulary"
	targetName   = "target.vocabulary"
	lockName     = "lock"
)

// A run from elsewhere is not to be trusted with memory: these are the most bytes of its run.json and of any other file that are read.
const (
	maxManifest = 64 << 20
	maxStored   = 4 << 30
)

// Run is a trained model in its folder. Its methods may be called from several goroutines.
type Run struct {
	Config Config
	// Folder is where the run is stored.
	Folder string
	// Data names the corpus it was trained on.
	Data string
	// Source and Target are the vocabularies, made from the training part.
	Source, Target *corpus.Vocabulary
	Report

	manifest manifest
	store    *model.Store
	bench    *Workbench
}

// manifest is run.json: replacing it is the one step that makes a new state of the run the current one.
type manifest struct {
	Format      int      `json:"format"`
	Key         string   `json:"key"`
	Config      Config   `json:"config"`
	Data        string   `json:"data"`
	Fingerprint string   `json:"fingerprint"`
	Source      stored   `json:"source"`
	Target      stored   `json:"target"`
	Weights     stored   `json:"weights"`
	State       stored   `json:"state,omitzero"` // what resuming needs, while unfinished
	Progress    progress `json:"progress"`
	Report      Report   `json:"report"`
}

// progress is what has gone into the next point of the training curve.
type progress struct {
	Nats    float64 `json:"nats"`
	Tokens  int     `json:"tokens"`
	Seconds float64 `json:"seconds"`
}

// key is the hash that names a run: of the code's format version, the configuration and the data.
func key(c Config, fingerprint string) string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // a valid Config has no value that JSON lacks
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "seq2seq format %d\n%s\n%s\n", formatVersion, text, fingerprint))
	return hex.EncodeToString(sum[:])
}

// runFolder is the folder of the run with this key, in parent, or in the project's folder of runs where that is empty.
func runFolder(parent, name, key string) (string, error) {
	if parent == "" {
		var err error
		if parent, err = project.Runs(); err != nil {
			return "", err
		}
	}
	return filepath.Join(parent, name+"-"+key[:12]), nil
}

// Open loads a run from its folder, finished or not. The engine is only opened when something is computed. Of the options, [On] and
// [Engine] count.
func Open(folder string, list ...Option) (*Run, error) {
	for {
		m, err := readManifest(folder)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("seq2seq: %s holds no run: %s is missing", folder, manifestName)
		}
		if err != nil {
			return nil, err
		}
		r, err := openManifest(folder, m)
		if err == nil {
			r.bench = newOptions(list).bench
			return r, nil
		}
		// A training at work replaces the files that a manifest names: then there is another by now.
		if now, again := readManifest(folder); again != nil || now.Weights == m.Weights {
			return nil, err
		}
	}
}

// Runs lists the runs stored in parent, or in the project's folder of runs where that is empty, by the names of their folders.
// Folders that hold no run, or a damaged one, are left out.
func Runs(parent string) ([]*Run, error) {
	if parent == "" {
		var err error
		if parent, err = project.Runs(); err != nil {
			return nil, err
		}
	}
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("seq2seq: %w", err)
	}
	var runs []*Run
	for _, entry := range entries {
		if r, err := Open(filepath.Join(parent, entry.Name())); err == nil {
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// readManifest reads run.json. The error wraps fs.ErrNotExist where there is none.
func readManifest(folder string) (m manifest, err error) {
	path := filepath.Join(folder, manifestName)
	text, err := kept.ReadFile(path, maxManifest)
	if err != nil {
		return m, fmt.Errorf("seq2seq: %w", err)
	}
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err != nil {
		return m, damaged(path, err)
	}
	if version.Format != formatVersion {
		return m, fmt.Errorf("seq2seq: %s was written in format %d, this code reads format %d; nothing was changed: delete the folder to train anew, or name another with the option Folder",
			path, version.Format, formatVersion)
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&m); err != nil {
		return m, damaged(path, err)
	}
	if err := m.Config.Validate(); err != nil {
		return m, damaged(path, err)
	}
	if m.Key != key(m.Config, m.Fingerprint) {
		return m, damaged(path, errors.New("its key does not fit its configuration and data"))
	}
	return m, nil
}

// openManifest loads what a manifest names.
func openManifest(folder string, m manifest) (*Run, error) {
	source, err := readVocabulary(folder, m.Source)
	if err != nil {
		return nil, err
	}
	target, err := readVocabulary(folder, m.Target)
	if err != nil {
		return nil, err
	}
	r := &Run{Config: m.Config, Folder: folder, Data: m.Data, Source: source, Target: target, Report: m.Report, manifest: m, store: model.NewStore()}
	weights, err := m.Weights.load(folder)
	if err != nil {
		return nil, err
	}
	if err := readVariables(weights, r.store); err != nil {
		return nil, damaged(filepath.Join(folder, m.Weights.Name), err)
	}
	if err := r.enough(); err != nil {
		return nil, damaged(filepath.Join(folder, m.Weights.Name), err)
	}
	return r, nil
}

// enough is an error where there are fewer weights than a model of this configuration has in its embeddings and in its recurrent matrix, before
// a model is built that no memory holds.
func (r *Run) enough() error {
	values := 0.0
	for v := range r.store.IterVariables() {
		values += float64(v.Shape().Size())
	}
	hidden, embedding := float64(r.Config.Hidden), float64(r.Config.Embedding)
	if words := float64(max(r.Source.Size(), r.Target.Size())); hidden*hidden > values || embedding*words > values {
		return fmt.Errorf("it has %.0f weights, too few for Hidden %d, Embedding %d and %.0f words", values, r.Config.Hidden, r.Config.Embedding, words)
	}
	return nil
}

func readVocabulary(folder string, file stored) (*corpus.Vocabulary, error) {
	text, err := file.load(folder)
	if err != nil {
		return nil, err
	}
	v, err := corpus.ReadVocabulary(bytes.NewReader(text))
	if err != nil {
		return nil, damaged(filepath.Join(folder, file.Name), err)
	}
	return v, nil
}

// save makes the run's present state the stored one: new files first, then the manifest, then the files no longer named go.
func (r *Run) save(state *model.Store) error {
	m := &r.manifest
	m.Report = r.Report
	var err error
	if m.Source.Name == "" {
		if m.Source, err = store(r.Folder, sourceName, r.Source.Write); err != nil {
			return err
		}
		if m.Target, err = store(r.Folder, targetName, r.Target.Write); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("weights-%08d.safetensors", r.KeptUpdate)
	if m.Weights.Name != name {
		write := func(w io.Writer) error { return writeVariables(w, r.store, isWeight) }
		if m.Weights, err = store(r.Folder, name, write); err != nil {
			return err
		}
	}
	m.State = stored{}
	if !r.Finished {
		write := func(w io.Writer) error {
			return writeVariables(w, state, func(*model.Variable) bool { return true })
		}
		if m.State, err = store(r.Folder, fmt.Sprintf("state-%08d.safetensors", r.Updates), write); err != nil {
			return err
		}
	}
	if _, err = store(r.Folder, manifestName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(m)
	}); err != nil {
		return err
	}
	r.sweep()
	return nil
}

// ours matches the names of what save writes, and of what it leaves when it is killed.
var ours = regexp.MustCompile(`^\.?(weights-\d+\.safetensors|state-\d+\.safetensors|source\.vocabulary|target\.vocabulary|run\.json)\d*$`)

// sweep removes the weights and states that the manifest does not name, and what a killed process left half written. What is not ours stays, such as
// the checkpoints that JupyterLab puts beside a file. What cannot be removed is left for the next time: the run is stored all the same.
func (r *Run) sweep() {
	entries, _ := os.ReadDir(r.Folder)
	for _, entry := range entries {
		name := entry.Name()
		half := strings.HasPrefix(name, ".")
		old := strings.HasSuffix(name, ".safetensors") && name != r.manifest.Weights.Name && name != r.manifest.State.Name
		if (half || old) && ours.MatchString(name) && !entry.IsDir() {
			_ = os.Remove(filepath.Join(r.Folder, name))
		}
	}
}

// elsewhere is what to do where a folder takes nothing.
const elsewhere = "make room there, or keep runs elsewhere with the option Folder or the variable SEQ2ATTN_RUNS"

// lock keeps a second training out of the folder until release is called or the process ends.
func lock(folder string) (release func(), err error) {
	l := flock.New(filepath.Join(folder, lockName))
	free, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("seq2seq: cannot lock %s: %w; %s", folder, err, elsewhere)
	}
	if !free {
		return nil, fmt.Errorf("seq2seq: %s is being trained by another process: wait for it and call again, or stop it", folder)
	}
	return func() { _ = l.Close() }, nil
}
