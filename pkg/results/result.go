// Package results keeps what was measured once, over several seeds and at full size, and ships in docs/results: one file
// NAME.json for each experiment. Notebooks draw it as the quiet band behind the reader's own live run.
//
// The files are written by commands only. Each holds the command, the versions and the machine that made it, and a checksum, so that
// [Load] refuses a number changed by hand. Nothing in a file names the host or a path.
package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"time"

	"seq2attn/pkg/metrics"
)

// Format is the version of the files; [Load] refuses others. Raise it when fields change their meaning. A new field that is left out
// where empty needs no new format: the checksums of older files still fit.
const Format = 1

// Result is one experiment: models compared on one data set.
type Result struct {
	Format int    `json:"format"`
	Name   string `json:"name"` // of the file, without .json: lower-case letters, digits and "-"
	// Command is what was run to measure it, without paths of the machine it ran on: "make results".
	Command string `json:"command"`
	// Date is the end of the measurement.
	Date    time.Time `json:"date"`
	Machine Machine   `json:"machine"`
	// Versions are those of Go, under "go", of the libraries, under their module paths, and of what the command adds.
	Versions map[string]string `json:"versions"`
	Data     Data              `json:"data"`
	Models   []Model           `json:"models"`
	// Checksum is that of all the rest; [Write] sets it.
	Checksum string `json:"checksum"`
}

// Data is the corpus that all models of a result were trained and tested on.
type Data struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"` // as of corpus.Fingerprint
	// Train, Dev and Test are the numbers of sentence pairs.
	Train int `json:"train"`
	Dev   int `json:"dev"`
	Test  int `json:"test"`
}

// Model is one model with the runs of its seeds.
type Model struct {
	Name string `json:"name"` // as in legends
	// Config is the model's configuration, but for the seed.
	Config     json.RawMessage `json:"config"`
	Parameters int             `json:"parameters"` // trained numbers
	Seeds      []Seed          `json:"seeds"`
}

// Updates is the number of updates of the seed that made the most.
func (m Model) Updates() (most int) {
	for _, s := range m.Seeds {
		most = max(most, s.Updates)
	}
	return most
}

// Seed is one run of a model.
type Seed struct {
	Seed     uint64   `json:"seed"`
	Updates  int      `json:"updates"`
	Seconds  float64  `json:"seconds"` // of training
	Measures Measures `json:"measures,omitempty"`
	// Bins are the measures by length, at the end of the training.
	Bins []Bin `json:"bins,omitempty"`
	// Curve is how the run went, in the order of its updates.
	Curve []Point `json:"curve,omitempty"`
}

// Point is the state of a run after some updates.
type Point struct {
	Update   int      `json:"update"`
	Seconds  float64  `json:"seconds,omitempty"` // of training so far
	Measures Measures `json:"measures,omitempty"`
	Bins     []Bin    `json:"bins,omitempty"`
}

// Bin holds the measures of the test sentences of some lengths. A bin without sentences has none.
type Bin struct {
	metrics.Bin
	N        int      `json:"n"` // sentences
	Measures Measures `json:"measures,omitempty"`
}

// Measure names what is measured, with its unit.
type Measure string

const (
	BLEU          Measure = "bleu"           // corpus BLEU in percent
	AER           Measure = "aer"            // alignment error rate, 0 to 1
	Perplexity    Measure = "perplexity"     // of the test or development text, per token
	TokenAccuracy Measure = "token_accuracy" // 0 to 1
	ExactMatch    Measure = "exact_match"    // share of sentences, 0 to 1
	TrainLoss     Measure = "train_loss"     // nats per token
	DevLoss       Measure = "dev_loss"       // nats per token
	TokensASecond Measure = "tokens_a_second"
)

// FirstWords is the share of sentences whose first k words are right, 0 to 1: "first_words_1".
func FirstWords(k int) Measure { return Measure(fmt.Sprintf("first_words_%d", k)) }

// Measures are numbers by name, all finite. What was not measured is absent, never 0.
type Measures map[Measure]float64

// New begins a result of today, this machine and this program. The program's modules are those that it was linked with.
func New(name, command string, data Data) Result {
	return Result{
		Format: Format, Name: name, Command: command, Date: time.Now().UTC().Truncate(time.Second),
		Machine: ThisMachine(), Versions: Versions(), Data: data,
	}
}

// Model finds a model by its name.
func (r Result) Model(name string) (Model, error) {
	names := make([]string, len(r.Models))
	for i, m := range r.Models {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	return Model{}, fmt.Errorf("results: %s has no model %q, only %q", r.Name, name, names)
}

// ByLength joins the scores of [metrics.BLEUByLength] with what [metrics.FirstWordSurvival] gives for the same bins, for any
// numbers of words. Other measures are added to the bins' Measures, which empty bins do not have.
func ByLength(scores []metrics.BinScore, survivals ...[]metrics.Survival) ([]Bin, error) {
	bins := make([]Bin, len(scores))
	for i, s := range scores {
		bins[i] = Bin{Bin: s.Bin, N: s.N}
		if !s.Empty() {
			bins[i].Measures = Measures{}
			if s.BLEU.Defined() {
				bins[i].Measures[BLEU] = s.BLEU.Score
			}
		}
	}
	for _, survival := range survivals {
		if len(survival) != len(bins) {
			return nil, fmt.Errorf("results: BLEU of %d length bins, survival of %d", len(bins), len(survival))
		}
		for i, s := range survival {
			if s.Bin != bins[i].Bin || s.Sentences.N != bins[i].N {
				return nil, fmt.Errorf("results: BLEU of %d sentences of length %v, survival of %d of length %v", bins[i].N, bins[i].Bin, s.Sentences.N, s.Bin)
			}
			if !s.Empty() {
				bins[i].Measures[FirstWords(s.K)] = s.Sentences.Share()
			}
		}
	}
	return bins, nil
}

var fileName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// valid reports what no measured result has, with its place.
func (r Result) valid() error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("format %d, this program knows %d", r.Format, Format)
	case !fileName.MatchString(r.Name):
		return fmt.Errorf("name %q: lower-case letters, digits and - between them", r.Name)
	case r.Command == "":
		return errors.New("command is empty")
	case r.Date.IsZero():
		return errors.New("date is missing")
	case r.Versions["go"] == "":
		return errors.New("versions: go is missing")
	case r.Data.Name == "" || r.Data.Fingerprint == "":
		return errors.New("data: name or fingerprint is empty")
	case len(r.Models) == 0:
		return errors.New("models: none")
	}
	names := map[string]bool{}
	for _, m := range r.Models {
		if m.Name == "" || names[m.Name] {
			return fmt.Errorf("model %q: its name is empty or used twice", m.Name)
		}
		names[m.Name] = true
		if err := m.valid(); err != nil {
			return fmt.Errorf("model %q: %w", m.Name, err)
		}
	}
	return nil
}

func (m Model) valid() error {
	var fields map[string]any
	if err := json.Unmarshal(m.Config, &fields); err != nil || fields == nil {
		return errors.New("config is not a JSON object")
	}
	if m.Parameters < 1 {
		return fmt.Errorf("%d parameters", m.Parameters)
	}
	if len(m.Seeds) == 0 {
		return errors.New("seeds: none")
	}
	seen := map[uint64]bool{}
	for _, s := range m.Seeds {
		if seen[s.Seed] {
			return fmt.Errorf("seed %d is there twice", s.Seed)
		}
		seen[s.Seed] = true
		if err := s.valid(); err != nil {
			return fmt.Errorf("seed %d: %w", s.Seed, err)
		}
	}
	return nil
}

func (s Seed) valid() error {
	if s.Updates < 1 || !amount(s.Seconds) {
		return fmt.Errorf("%d updates in %g seconds", s.Updates, s.Seconds)
	}
	if err := s.Measures.valid(); err != nil {
		return err
	}
	if err := validBins(s.Bins); err != nil {
		return err
	}
	before := -1
	for _, p := range s.Curve {
		if p.Update <= before || p.Update > s.Updates || !amount(p.Seconds) {
			return fmt.Errorf("curve: update %d after %g seconds follows update %d, of %d in all", p.Update, p.Seconds, before, s.Updates)
		}
		before = p.Update
		if err := errors.Join(p.Measures.valid(), validBins(p.Bins)); err != nil {
			return fmt.Errorf("curve, update %d: %w", p.Update, err)
		}
	}
	return nil
}

func validBins(bins []Bin) error {
	if len(bins) == 0 {
		return nil
	}
	ranges := make([]metrics.Bin, len(bins))
	for i, b := range bins {
		ranges[i] = b.Bin
		if b.N < 0 || b.N == 0 && len(b.Measures) > 0 {
			return fmt.Errorf("length %v: %d sentences with measures %v", b.Bin, b.N, b.Measures)
		}
		if err := b.Measures.valid(); err != nil {
			return fmt.Errorf("length %v: %w", b.Bin, err)
		}
	}
	_, _, err := metrics.Group(ranges, nil) // reports bins that overlap
	return err
}

func (m Measures) valid() error {
	for name, value := range m {
		if name == "" || math.IsNaN(value) || math.IsInf(value, 0) {
			return fmt.Errorf("measure %q is %g: a name and a finite number are needed; leave out what was not measured", name, value)
		}
	}
	return nil
}

// amount tells whether x is a finite number not below 0.
func amount(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
