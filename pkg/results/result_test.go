package results

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"seq2attn/pkg/metrics"
)

// example is a result of two models over two seeds, with made-up numbers.
func example() Result {
	seed := func(n uint64, bleu float64) Seed {
		bins := []Bin{
			{Bin: metrics.Bin{Low: 1, High: 10}, N: 80, Measures: Measures{BLEU: bleu, FirstWords(1): 0.75}},
			{Bin: metrics.Bin{Low: 11, High: 20}, N: 0},
			{Bin: metrics.Bin{Low: 21, High: 30}, N: 40, Measures: Measures{BLEU: bleu / 2, FirstWords(1): 0.5}},
		}
		return Seed{
			Seed: n, Updates: 200, Seconds: 4.25, Measures: Measures{BLEU: bleu, Perplexity: 3.5}, Bins: bins,
			Curve: []Point{
				{Update: 0, Measures: Measures{DevLoss: 5}},
				{Update: 100, Seconds: 2, Measures: Measures{TrainLoss: 1 / bleu, DevLoss: 2}, Bins: slices.Clone(bins[:1])},
				{Update: 200, Seconds: 4.25, Measures: Measures{TrainLoss: 0.5 / bleu}, Bins: slices.Clone(bins[:1])},
			},
		}
	}
	return Result{
		Format: Format, Name: "attention-by-length", Command: "make results", Date: time.Date(2030, 2, 3, 4, 5, 6, 0, time.UTC),
		Machine:  Machine{OS: "linux", Architecture: "amd64", CPU: "A processor", Cores: 2},
		Versions: map[string]string{"go": "go1.26", "plugin": "0.0.1"},
		Data:     Data{Name: "grammar", Fingerprint: "abc", Train: 1000, Test: 120},
		Models: []Model{
			{Name: "Bahdanau", Config: json.RawMessage(`{"name":"x","Hidden":128}`), Parameters: 500_000, Seeds: []Seed{seed(1, 90), seed(2, 94)}},
			{Name: "Cho", Config: json.RawMessage(`{"Hidden":128,"Note":"a < b"}`), Parameters: 400_000, Seeds: []Seed{seed(1, 40), seed(2, 48)}},
		},
	}
}

// faulty are changes that make a result invalid, with a part of the error.
func faulty() map[string]func(r *Result) {
	first := func(change func(s *Seed)) func(*Result) {
		return func(r *Result) { change(&r.Models[1].Seeds[1]) }
	}
	return map[string]func(r *Result){
		"format 0":                           func(r *Result) { r.Format = 0 },
		`"../secret"`:                        func(r *Result) { r.Name = "../secret" },
		"command":                            func(r *Result) { r.Command = "" },
		"date":                               func(r *Result) { r.Date = time.Time{} },
		"go is missing":                      func(r *Result) { r.Versions = nil },
		"fingerprint":                        func(r *Result) { r.Data.Fingerprint = "" },
		"models: none":                       func(r *Result) { r.Models = nil },
		`model "Bahdanau": its name`:         func(r *Result) { r.Models[1].Name = "Bahdanau" },
		"config":                             func(r *Result) { r.Models[0].Config = nil },
		"not a JSON object":                  func(r *Result) { r.Models[0].Config = json.RawMessage(`[1]`) },
		"0 parameters":                       func(r *Result) { r.Models[0].Parameters = 0 },
		`model "Bahdanau": seeds: none`:      func(r *Result) { r.Models[0].Seeds = nil },
		"seed 1 is there twice":              first(func(s *Seed) { s.Seed = 1 }),
		"0 updates":                          first(func(s *Seed) { s.Updates = 0 }),
		"NaN seconds":                        first(func(s *Seed) { s.Seconds = math.NaN() }),
		`model "Cho": seed 2: measure "aer"`: first(func(s *Seed) { s.Measures[AER] = math.NaN() }),
		`measure "perplexity" is +Inf`:       first(func(s *Seed) { s.Measures[Perplexity] = math.Inf(1) }),
		`measure ""`:                         first(func(s *Seed) { s.Measures[""] = 1 }),
		"length 11-20: 0 sentences with":     first(func(s *Seed) { s.Bins[1].Measures = Measures{BLEU: 0} }),
		"length 1-10: measure":               first(func(s *Seed) { s.Bins[0].Measures[BLEU] = math.NaN() }),
		"length 21-30: -1 sentences":         first(func(s *Seed) { s.Bins[2].N = -1 }),
		"overlap":                            first(func(s *Seed) { s.Bins[1].Low = 10 }),
		"follows update 100":                 first(func(s *Seed) { s.Curve[2].Update = 100 }),
		"update 201":                         first(func(s *Seed) { s.Curve[2].Update = 201 }),
		"curve, update 100: measure":         first(func(s *Seed) { s.Curve[1].Measures[TrainLoss] = math.NaN() }),
		"curve, update 100: length":          first(func(s *Seed) { s.Curve[1].Bins[0].N = -1 }),
	}
}

func TestValid(t *testing.T) {
	if err := example().valid(); err != nil {
		t.Fatal(err)
	}
	for part, change := range faulty() {
		r := example()
		change(&r)
		if err := r.valid(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one with %q", err, part)
		}
	}
}

func TestNew(t *testing.T) {
	r := New("speed", "make results", Data{Name: "grammar", Fingerprint: "abc"})
	if age := time.Since(r.Date); r.Format != Format || r.Machine != ThisMachine() || r.Versions["go"] == "" || age < 0 || age > time.Minute {
		t.Errorf("%+v", r)
	}
	r.Models = example().Models
	if err := r.valid(); err != nil {
		t.Error(err)
	}
}

func TestModel(t *testing.T) {
	r := example()
	if m, err := r.Model("Cho"); err != nil || m.Parameters != 400_000 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := r.Model("Luong"); err == nil || !strings.Contains(err.Error(), "Bahdanau") {
		t.Errorf("%v, want an error that names the models", err)
	}
}

func TestByLength(t *testing.T) {
	short, long := []string{"le", "chat", "dort", "."}, []string{"la", "b", "c", "d", "e", "f"}
	hypotheses, references := [][]string{short, long}, [][]string{short, short}
	bins, lengths := []metrics.Bin{{Low: 1, High: 4}, {Low: 5, High: 8}, {Low: 9, High: 12}}, []int{4, 6}
	scores, _, err := metrics.BLEUByLength(bins, lengths, hypotheses, metrics.OneReference(references))
	if err != nil {
		t.Fatal(err)
	}
	var survivals [][]metrics.Survival
	for _, k := range []int{1, 3} {
		s, _, err := metrics.FirstWordSurvival(k, bins, lengths, hypotheses, references)
		if err != nil {
			t.Fatal(err)
		}
		survivals = append(survivals, s)
	}
	got, err := ByLength(scores, survivals...)
	want := []Bin{
		{bins[0], 1, Measures{BLEU: 100, "first_words_1": 1, "first_words_3": 1}},
		{bins[1], 1, Measures{BLEU: 0, "first_words_1": 0, "first_words_3": 0}},
		{bins[2], 0, nil},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := ByLength(scores, survivals[0][:2]); err == nil {
		t.Error("survival of fewer bins: want an error")
	}
	survivals[0][0].Sentences.N++
	if _, err := ByLength(scores, survivals[0]); err == nil {
		t.Error("survival of other sentences: want an error")
	}
}

// Sentences too short for BLEU have none; a 0 would be read as bad.
func TestByLengthLeavesOutUndefinedBLEU(t *testing.T) {
	text := [][]string{{"a", "b"}, {"a", "b", "c", "d", "e"}}
	scores, _, err := metrics.BLEUByLength([]metrics.Bin{{Low: 1, High: 3}, {Low: 4, High: 9}}, metrics.Lengths(text), text, metrics.OneReference(text))
	if err != nil {
		t.Fatal(err)
	}
	bins, err := ByLength(scores)
	if err != nil {
		t.Fatal(err)
	}
	if score, ok := bins[0].Measures[BLEU]; ok {
		t.Errorf("sentences of two words have a BLEU of %v", score)
	}
	if score := bins[1].Measures[BLEU]; score < 99.999 {
		t.Errorf("a perfect translation has a BLEU of %v", score)
	}
	bands, err := Model{Name: "m", Seeds: []Seed{{Seed: 1, Bins: bins}, {Seed: 2, Bins: bins}}}.Bands(BLEU)
	if err != nil || bands[0].Spread.N != 0 || bands[1].Spread.N != 2 {
		t.Errorf("bands %v, %v", bands, err)
	}
}
