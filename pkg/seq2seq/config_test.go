package seq2seq

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"seq2attn/pkg/attention"
)

func TestPresetsAreValid(t *testing.T) {
	for _, name := range []string{"sutskever", "cho", "bahdanau", "luong", "vaswani", "Bahdanau"} {
		c, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		if c.Name != strings.ToLower(name) {
			t.Errorf("preset %q is named %q", name, c.Name)
		}
	}
	_, err := Preset("bahdanu")
	wantError(t, err, `"bahdanu"`, "sutskever", "cho", "bahdanau", "luong")
}

// Score, window and wiring are changed in one line each: from either preset every combination is valid, but for dot products with states
// of two sizes.
func TestOneLineChanges(t *testing.T) {
	for _, preset := range []func() Config{Bahdanau, Luong} {
		for _, score := range attention.ScoreNames() {
			for _, window := range []Window{"", WindowGlobal, WindowLocalM, WindowLocalP} {
				for _, wiring := range []Wiring{WiringBahdanau, WiringLuong, WiringLuongFeeding} {
					c := preset()
					c.Wiring, c.Attention, c.Window = wiring, score, window
					err := c.Validate()
					if refused := c.Bidirectional && strings.Contains(score, "dot"); !refused && err != nil {
						t.Error(err)
					} else if refused {
						wantError(t, err, "Config.Attention", score, "128", "256", "general", "Bidirectional")
					}
				}
			}
		}
	}
}

func TestConfigString(t *testing.T) {
	c := Cho()
	var back Config
	if err := json.Unmarshal([]byte(c.String()), &back); err != nil || !reflect.DeepEqual(back, c) {
		t.Errorf("String is not the configuration as JSON: %v\n%s", err, c)
	}
}

// Every field that does not fit is named.
func TestValidateNamesTheField(t *testing.T) {
	for _, test := range []struct {
		field  string
		change func(*Config)
		says   string
	}{
		{"Name", func(c *Config) { c.Name = "" }, "folder"},
		{"Name", func(c *Config) { c.Name = "../x" }, "folder"},
		{"Name", func(c *Config) { c.Name = ".hidden" }, "folder"},
		{"Wiring", func(c *Config) { c.Wiring = "loung" }, "sutskever, cho, bahdanau, luong, luong-feeding or vaswani"},
		{"Attention", func(c *Config) { c.Attention = "" }, "additive"},
		{"Attention", func(c *Config) { c.Wiring = WiringCho }, "no attention"},
		{"Attention", func(c *Config) { c.Attention = "scaled dot" }, "scaled-dot"},
		{"Attention", func(c *Config) { c.Attention = ScoreDot }, "Bidirectional"},
		{"AttentionSize", func(c *Config) { c.AttentionSize = -1 }, "0"},
		{"AttentionSize", func(c *Config) { c.Attention, c.MaxLength = ScoreLocation, 0 }, "MaxLength"},
		{"Window", func(c *Config) { c.Window = "local" }, "local-m or local-p"},
		{"Window", func(c *Config) { c.Wiring, c.Attention, c.Window = WiringCho, "", WindowLocalM }, "no attention"},
		{"WindowSize", func(c *Config) { c.WindowSize = -1 }, "10"},
		{"AttentionDropout", func(c *Config) { c.AttentionDropout = 1 }, "less than 1"},
		{"AttentionDropout", func(c *Config) { c.Wiring, c.Attention, c.AttentionDropout = WiringCho, "", 0.1 }, "no attention"},
		{"CoverageLoss", func(c *Config) { c.CoverageLoss = math.NaN() }, "0"},
		{"CoverageLoss", func(c *Config) { c.Wiring, c.Attention, c.CoverageLoss = WiringCho, "", 1 }, "no attention"},
		{"Cell", func(c *Config) { c.Cell = "GRU" }, "rnn, gru or lstm"},
		{"Layers", func(c *Config) { c.Layers = 0 }, "1"},
		{"Embedding", func(c *Config) { c.Embedding = 0 }, "1"},
		{"EmbeddingDeviation", func(c *Config) { c.EmbeddingDeviation = 0 }, "above 0"},
		{"Hidden", func(c *Config) { c.Hidden = -3 }, "-3"},
		{"Readout", func(c *Config) { c.Readout = "tanh" }, "maxout"},
		{"Maxout", func(c *Config) { c.Maxout = 0 }, "1"},
		{"MinCount", func(c *Config) { c.MinCount = 0 }, "1"},
		{"MaxVocabulary", func(c *Config) { c.MaxVocabulary = 4 }, "reserved"},
		{"MaxLength", func(c *Config) { c.MaxLength = -1 }, "0"},
		{"Updates", func(c *Config) { c.Updates = 0 }, "1"},
		{"BatchSize", func(c *Config) { c.BatchSize = 0 }, "1"},
		{"Optimizer", func(c *Config) { c.Optimizer = "adamw" }, "adam or sgd"},
		{"LearningRate", func(c *Config) { c.LearningRate = 0 }, "above 0"},
		{"LearningRate", func(c *Config) { c.LearningRate = math.NaN() }, "above 0"},
		{"Schedule", func(c *Config) { c.Schedule = "cosine" }, "linear"},
		{"ClipNorm", func(c *Config) { c.ClipNorm = -1 }, "0"},
		{"Dropout", func(c *Config) { c.Dropout = 1 }, "less than 1"},
		{"TeacherForcing", func(c *Config) { c.TeacherForcing = 1.5 }, "0 to 1"},
		{"EvaluateEvery", func(c *Config) { c.EvaluateEvery = -1 }, "0"},
		{"DevPairs", func(c *Config) { c.DevPairs = -1 }, "0"},
		{"Patience", func(c *Config) { c.Patience, c.EvaluateEvery = 3, 0 }, "EvaluateEvery"},
		{"WarmUp", func(c *Config) { c.WarmUp = -1 }, "0 for none"},
		{"Heads", func(c *Config) { c.Heads = 4 }, "recurrent"},
		{"FeedForward", func(c *Config) { c.FeedForward = 4 }, "recurrent"},
		{"PreNorm", func(c *Config) { c.PreNorm = true }, "recurrent"},
		{"Wiring", func(c *Config) { *c = Vaswani(); c.Wiring = "transformer" }, "vaswani"},
		{"Attention", func(c *Config) { *c = Vaswani(); c.Attention = ScoreDot }, "scaled-dot"},
		{"AttentionSize", func(c *Config) { *c = Vaswani(); c.AttentionSize = 3 }, "no size"},
		{"Window", func(c *Config) { *c = Vaswani(); c.Window = WindowLocalP }, "global"},
		{"Heads", func(c *Config) { *c = Vaswani(); c.Heads = 0 }, "1"},
		{"Heads", func(c *Config) { *c = Vaswani(); c.Heads = 5 }, "divides Hidden, 64"},
		{"FeedForward", func(c *Config) { *c = Vaswani(); c.FeedForward = 0 }, "four times Hidden"},
		{"Embedding", func(c *Config) { *c = Vaswani(); c.Embedding = 32 }, "64"},
		{"Cell", func(c *Config) { *c = Vaswani(); c.Cell = "gru" }, "no recurrence"},
		{"Bidirectional", func(c *Config) { *c = Vaswani(); c.Bidirectional = true }, "no recurrence"},
		{"Readout", func(c *Config) { *c = Vaswani(); c.Readout, c.Maxout = ReadoutMaxout, 4 }, "plain"},
		{"TeacherForcing", func(c *Config) { *c = Vaswani(); c.TeacherForcing = 0.5 }, "at once"},
		{"Hidden", func(c *Config) { *c = Vaswani(); c.Hidden = 0 }, "1"},
	} {
		c := Bahdanau()
		test.change(&c)
		wantError(t, c.Validate(), "Config."+test.field+" ", test.says)
	}
}
