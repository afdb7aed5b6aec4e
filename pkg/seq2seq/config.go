package seq2seq

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"seq2attn/pkg/attention"
	"seq2attn/pkg/corpus"
)

// Wiring says how the decoder reads the source; each is named after the paper whose equations it follows.
type Wiring string

const (
	// Sutskever hands the encoder's final states to the decoder as its first states, and nothing else
	// (Sutskever, Vinyals and Le 2014, section 2).
	WiringSutskever Wiring = "sutskever"
	// Cho feeds a summary c of the source to every decoder step and to the readout (Cho et al. 2014, section 2.2 and appendix A).
	WiringCho Wiring = "cho"
	// Bahdanau scores every encoder state with the previous decoder state, and feeds the weighted sum c_i to the
	// cell and to the readout (Bahdanau, Cho and Bengio 2015, section 3 and appendix A).
	WiringBahdanau Wiring = "bahdanau"
	// Luong scores every encoder state with the current decoder state, and makes of it and of the weighted sum the attentional state s̃_i,
	// which is all that the readout reads. It starts as Sutskever does (Luong, Pham and Manning 2015, section 3).
	WiringLuong Wiring = "luong"
	// LuongFeeding is Luong with input feeding: the next decoder step reads s̃_i beside its word (section 3.3).
	WiringLuongFeeding Wiring = "luong-feeding"
	// Vaswani has no recurrence: encoder and decoder are stacks of attention over the source, over the target so far, and from one to the
	// other (Vaswani et al. 2017, section 3). See package transformer.
	WiringVaswani Wiring = "vaswani"
)

// The score functions of a wiring that attends, e_ij of a decoder state s and an encoder state h_j (see [attention.NewScore]).
const (
	// ScoreAdditive is v·tanh(W s + U h_j) (Bahdanau, Cho and Bengio 2015, appendix A.1.2).
	ScoreAdditive = "additive"
	// ScoreDot is s·h_j, ScoreGeneral s·W_a h_j, ScoreConcat v_a·tanh(W_a [s; h_j]) (Luong, Pham and Manning 2015, section 3.1).
	ScoreDot     = "dot"
	ScoreGeneral = "general"
	ScoreConcat  = "concat"
	// ScoreScaledDot is s·h_j / √Hidden (Vaswani et al. 2017, equation 1).
	ScoreScaledDot = "scaled-dot"
	// ScoreLocation is row j of W_a s: it does not look at h_j (Luong, Pham and Manning 2015, equation 8).
	ScoreLocation = "location"
)

// Window says which part of the source a decoder step attends to.
type Window string

const (
	// WindowGlobal is all of it. The empty Window means the same.
	WindowGlobal Window = "global"
	// WindowLocalM is what is at most WindowSize words from the i-th for the i-th target word, as if both languages had the same
	// order (Luong, Pham and Manning 2015, section 3.2: local-m). Targets longer than the source stay at its last word.
	WindowLocalM Window = "local-m"
	// WindowLocalP is what is at most WindowSize positions from one that the decoder state predicts, weighted by a Gaussian of
	// deviation WindowSize/2 (Luong, Pham and Manning 2015, section 3.2: local-p).
	WindowLocalP Window = "local-p"
)

// IsZero leaves a global window out of the JSON: configurations from before there were windows mean the same.
func (w Window) IsZero() bool { return w == "" || w == WindowGlobal }

// Readout says how a decoder state becomes the logits over the target vocabulary.
type Readout string

const (
	// ReadoutPlain is one linear map of what the wiring's output depends on: s_i for Sutskever; s_i, y_{i-1} and c_i for Cho and Bahdanau;
	// s̃_i for Luong.
	ReadoutPlain Readout = "plain"
	// ReadoutMaxout puts one hidden layer of pairs in between and keeps the larger of each pair (Bahdanau et al. 2015, appendix A.2.2).
	ReadoutMaxout Readout = "maxout"
)

// Schedule says how the learning rate goes on from [Config.LearningRate].
type Schedule string

const (
	// ScheduleConstant keeps it.
	ScheduleConstant Schedule = "constant"
	// ScheduleLinear keeps it for the first half of the updates, then lowers it in a straight line towards 0.
	ScheduleLinear Schedule = "linear"
	// ScheduleHalving keeps it for two thirds of the updates, then halves it five times at equal distances
	// (Sutskever et al. 2014, section 3.4: 5 of 7.5 epochs, then every half epoch).
	ScheduleHalving Schedule = "halving"
	// ScheduleInverseRoot warms up in a straight line over the first WarmUp updates, then falls as 1/√update
	// (Vaswani et al. 2017, section 5.3).
	ScheduleInverseRoot Schedule = "inverse-root"
)

// Config is everything that a trained model depends on besides its data. Start from a preset and change fields: the
// zero value is not valid. [Train] keeps every different Config's run in a folder of its own.
type Config struct {
	// Name labels the model in figures and begins the name of its run folder. Letters, digits, "-", "_" and ".".
	Name string

	// Wiring says how the decoder reads the source.
	Wiring Wiring
	// Attention is the score function of a wiring that attends: "additive", "dot", "general", "concat", "scaled-dot" or "location".
	// Empty for the others. Any score goes with any wiring and any window, but for the dot products between states of two sizes.
	Attention string
	// AttentionSize is the width n' of the hidden layer of the scores additive and concat, where 0 takes Hidden; for location the number of
	// source positions that have a score, where 0 takes MaxLength and one for EOS. The other scores have no size.
	AttentionSize int
	// Window says which part of the source a step attends to: "global", "local-m" or "local-p".
	Window Window `json:",omitzero"`
	// WindowSize is D, the number of positions on each side of a local window's centre; 0 takes the 10 of Luong, Pham and Manning (2015).
	WindowSize int `json:",omitempty"`
	// AttentionDropout is the chance that an attention weight is zeroed in training, as in the Transformer's code; the others are
	// scaled up.
	AttentionDropout float64 `json:",omitempty"`
	// CoverageLoss is λ in the training's loss −log p + λ Σ_i Σ_j min(α_ij, Σ_{k<i} α_kj), which is against attending to a word again
	// (See, Liu and Manning 2017, equations 12 and 13, where it is 1). The losses in a report are without it.
	CoverageLoss float64 `json:",omitempty"`
	// Heads is the number h of heads that every attention of the wiring vaswani has; it divides Hidden. 0 with the others, which have one.
	Heads int `json:",omitempty"`
	// FeedForward is the width of the hidden layer of the wiring vaswani's position-wise networks. 0 with the others.
	FeedForward int `json:",omitempty"`
	// PreNorm normalises what the sublayers of the wiring vaswani read, instead of what they give out (Xiong et al. 2020).
	PreNorm bool `json:",omitempty"`
	// Cell is the recurrent unit of encoder and decoder: "rnn", "gru" or "lstm"; empty with the wiring vaswani.
	Cell string
	// Layers is the depth of the encoder, and of the decoder.
	Layers int
	// Bidirectional reads the source from both ends and joins both states at every word.
	Bidirectional bool
	// ReverseSource feeds the encoder the source's words in reverse order (Sutskever et al. 2014, section 3.3). Attention comes
	// back in the original order all the same.
	ReverseSource bool
	// SourceEOS ends every source with EOS. Attention then has one more column, the last, for it.
	SourceEOS bool
	// Embedding is the width E of a word's vector; with the wiring vaswani that of Hidden.
	Embedding int
	// EmbeddingDeviation is the standard deviation that the words' vectors start with.
	EmbeddingDeviation float64
	// Hidden is the width H of a state, of one direction and layer; with the wiring vaswani that of all vectors, d_model.
	Hidden int
	// Readout says how a state becomes logits.
	Readout Readout
	// Maxout is the number of units that ReadoutMaxout keeps, half of those it computes. Unused otherwise.
	Maxout int

	// MinCount drops words seen fewer times in the training part from the vocabularies: they become UNK.
	MinCount int
	// MaxVocabulary is the largest size of each vocabulary, the four reserved ids included; 0 is no limit.
	MaxVocabulary int
	// MaxLength leaves out training and development pairs with more words on either side; 0 is no limit.
	MaxLength int

	// Updates is the number of updates of the weights.
	Updates int
	// BatchSize is the number of pairs an update is computed from. As many as the training part has, or more, is full batch.
	BatchSize int
	// Optimizer is "adam" (Kingma and Ba 2015, β 0.9 and 0.999) or "sgd".
	Optimizer string
	// LearningRate is the optimizer's largest step size, from which Schedule goes on.
	LearningRate float64
	// Schedule says how the learning rate goes on.
	Schedule Schedule
	// WarmUp is the number of updates in which the learning rate rises from 0 in a straight line, under any schedule. 0 is none, and with the
	// schedule inverse-root a tenth of Updates.
	WarmUp int `json:",omitempty"`
	// ClipNorm scales the gradients of an update down where their joint Euclidean norm is larger (Pascanu et al. 2013); 0 never.
	ClipNorm float64
	// Dropout is the chance that a value is zeroed in training: of embeddings, between layers, and of what the readout reads; with the
	// wiring vaswani of embeddings and of what every sublayer gives out.
	Dropout float64
	// TeacherForcing is the chance that a decoder step of the training reads the reference's previous word; otherwise it reads
	// the word that the model itself finds most likely (Bengio et al. 2015). 1 is plain teacher forcing, and all that the wiring vaswani has.
	TeacherForcing float64
	// EvaluateEvery is the number of updates from one development loss to the next; 0 is never.
	EvaluateEvery int
	// DevPairs is the number of development pairs, the first ones, that the development loss is measured on; 0 is all.
	DevPairs int
	// Patience ends the training after so many development losses in a row that were no better than the best; the run then keeps the
	// weights of the best one. 0 never ends it, and keeps the last.
	Patience int

	// Seed starts every random choice: weights, order of batches, dropout.
	Seed uint64
}

// Sutskever is the bottleneck of Sutskever, Vinyals and Le (2014) at teaching size: an LSTM of one layer that reads the source
// backwards and hands on its final states. The paper's: Layers 4, Embedding 1000, Hidden 1000, MaxVocabulary 160,000 and 80,000,
// BatchSize 128, SGD 0.7 with halving, ClipNorm 5.
func Sutskever() Config {
	c := teaching("sutskever", 2000)
	c.Wiring = WiringSutskever
	c.Cell = "lstm"
	c.ReverseSource = true
	return c
}

// Cho is the RNN encoder-decoder of Cho et al. (2014) at teaching size: a GRU whose summary c of the source reaches every
// decoder step and the readout. The paper's: Embedding 100 (of rank), Hidden 1000, Maxout 500, MaxVocabulary 15,000, BatchSize 64, Adadelta.
func Cho() Config {
	c := teaching("cho", 2000)
	c.Wiring = WiringCho
	c.Cell = "gru"
	c.Readout = ReadoutMaxout
	c.Maxout = 64
	return c
}

// Bahdanau is the attention model of Bahdanau, Cho and Bengio (2015) at teaching size: a bidirectional GRU encoder and the additive
// score. The paper's (RNNsearch): Embedding 620, Hidden 1000, AttentionSize 1000, Maxout 500, MaxVocabulary 30,000, BatchSize 80,
// ClipNorm 1, Adadelta.
func Bahdanau() Config {
	c := teaching("bahdanau", 1000)
	c.Wiring = WiringBahdanau
	c.Attention = "additive"
	c.Cell = "gru"
	c.EmbeddingDeviation = 0.3 // with 1 it ends at a higher loss, and attends further from alignment
	c.Bidirectional = true
	c.Readout = ReadoutMaxout
	c.Maxout = 64
	return c
}

// Luong is the attention model of Luong, Pham and Manning (2015) at teaching size: an LSTM that reads the source backwards, the general
// score, input feeding. The paper's best single model: Window local-p with WindowSize 10, Layers 4, Embedding 1000, Hidden 1000,
// MaxVocabulary 50,000, MaxLength 50, BatchSize 128, SGD 1 for 8 epochs and then halved after each of 4 more, ClipNorm 5, Dropout 0.2, weights
// started within ±0.1, and unknown words replaced as [ReplaceUnknown] does.
func Luong() Config {
	c := teaching("luong", 1000)
	c.Wiring = WiringLuongFeeding
	c.Attention = ScoreGeneral
	c.Cell = "lstm"
	c.ReverseSource = true
	return c
}

// Vaswani is the Transformer of Vaswani et al. (2017) at teaching size: one layer, as the other presets have, normalised in front of its
// sublayers, which learns faster with so few updates. The paper's base model: Layers 6, Hidden 512, Heads 8, FeedForward 2048, Dropout 0.1, normalised behind, 37,000 word pieces, about 25,000
// tokens a batch, 100,000 updates by the schedule inverse-root with a WarmUp of 4,000, β₂ of Adam at 0.98, and labels smoothed by 0.1, which is not
// here: it would make losses no longer comparable. docs/transformer.md has the trials behind these numbers.
func Vaswani() Config {
	c := teaching("vaswani", 1000)
	c.Wiring = WiringVaswani
	c.Attention = ScoreScaledDot
	c.Heads, c.FeedForward = 4, 256
	c.Embedding, c.Hidden = 64, 64
	c.EmbeddingDeviation = 0.125 // times √Hidden it is 1
	c.PreNorm = true
	c.WarmUp = 100
	return c
}

// teaching holds what the presets share: sizes and steps that show the effects in under a minute on a laptop.
func teaching(name string, updates int) Config {
	return Config{
		Name:               name,
		Layers:             1,
		SourceEOS:          true,
		Embedding:          64,
		EmbeddingDeviation: 1,
		Hidden:             128,
		Readout:            ReadoutPlain,
		MinCount:           1,
		MaxLength:          50,
		Updates:            updates,
		BatchSize:          32,
		Optimizer:          "adam",
		LearningRate:       5e-3,
		Schedule:           ScheduleLinear,
		ClipNorm:           1,
		TeacherForcing:     1,
		EvaluateEvery:      updates / 10,
		DevPairs:           256,
		Seed:               1,
	}
}

// Preset is the configuration named "sutskever", "cho", "bahdanau", "luong" or "vaswani".
func Preset(name string) (Config, error) {
	for _, preset := range []func() Config{Sutskever, Cho, Bahdanau, Luong, Vaswani} {
		if c := preset(); c.Name == strings.ToLower(name) {
			return c, nil
		}
	}
	return Config{}, fmt.Errorf("seq2seq: no preset named %q: take sutskever, cho, bahdanau, luong or vaswani", name)
}

// Validate tells the first field that does not fit, and what to do.
func (c Config) Validate() error {
	noAttention := fmt.Sprintf("leave it empty: the wiring %q has no attention; %s, %s, %s and %s have", c.Wiring, WiringBahdanau, WiringLuong, WiringLuongFeeding, WiringVaswani)
	parallel := c.Wiring == WiringVaswani
	recurrent := fmt.Sprintf("leave it out: it is the Transformer's, and the wiring %q is recurrent", c.Wiring)
	noRecurrence := "leave it out: the wiring vaswani has no recurrence"
	checks := []struct {
		wrong        bool
		field, value string
		advice       string
	}{
		{!validName(c.Name), "Name", fmt.Sprintf("%q", c.Name), `begin with a letter or digit and use letters, digits, "-", "_" and "." only: it names a folder`},
		{!oneOf(c.Wiring, WiringSutskever, WiringCho, WiringBahdanau, WiringLuong, WiringLuongFeeding, WiringVaswani), "Wiring", fmt.Sprintf("%q", c.Wiring), "take sutskever, cho, bahdanau, luong, luong-feeding or vaswani"},
		{parallel && c.Attention != ScoreScaledDot, "Attention", fmt.Sprintf("%q", c.Attention), "take scaled-dot: it is what the wiring vaswani is made of"},
		{parallel && c.AttentionSize != 0, "AttentionSize", fmt.Sprint(c.AttentionSize), "leave it out: scaled-dot has no size"},
		{parallel && !c.Window.IsZero(), "Window", fmt.Sprintf("%q", c.Window), "take global: every position of the wiring vaswani looks at all"},
		{parallel && c.Heads < 1, "Heads", fmt.Sprint(c.Heads), "take 1 or more"},
		{parallel && c.Heads > 0 && c.Hidden%c.Heads != 0, "Heads", fmt.Sprint(c.Heads), fmt.Sprintf("take a number that divides Hidden, %d: each head is as wide as the others", c.Hidden)},
		{!parallel && c.Heads != 0, "Heads", fmt.Sprint(c.Heads), recurrent},
		{parallel && c.FeedForward < 1, "FeedForward", fmt.Sprint(c.FeedForward), "take 1 or more, such as four times Hidden"},
		{!parallel && c.FeedForward != 0, "FeedForward", fmt.Sprint(c.FeedForward), recurrent},
		{!parallel && c.PreNorm, "PreNorm", "true", recurrent},
		{parallel && c.Hidden > 0 && c.Embedding != c.Hidden, "Embedding", fmt.Sprint(c.Embedding), fmt.Sprintf("take that of Hidden, %d: what a layer finds is added to the words' vectors", c.Hidden)},
		{parallel && c.Bidirectional, "Bidirectional", "true", noRecurrence},
		{parallel && c.Readout != ReadoutPlain, "Readout", fmt.Sprintf("%q", c.Readout), "take plain with the wiring vaswani"},
		{parallel && c.TeacherForcing != 1, "TeacherForcing", fmt.Sprint(c.TeacherForcing), "take 1: the wiring vaswani trains on all words of a target at once, and has none of its own to read"},
		{c.attends() && !slices.Contains(attention.ScoreNames(), c.Attention), "Attention", fmt.Sprintf("%q", c.Attention), "take one of " + strings.Join(attention.ScoreNames(), ", ") + " with this wiring"},
		{!c.attends() && c.Attention != "", "Attention", fmt.Sprintf("%q", c.Attention), noAttention},
		{c.AttentionSize < 0, "AttentionSize", fmt.Sprint(c.AttentionSize), "take 0 for the size of Hidden, or more"},
		{c.Attention == ScoreLocation && c.attentionSize() == 0, "AttentionSize", "0", "take the number of source positions that the location score is to have, or set MaxLength"},
		{!oneOf(c.Window, "", WindowGlobal, WindowLocalM, WindowLocalP), "Window", fmt.Sprintf("%q", c.Window), "take global, local-m or local-p"},
		{!c.attends() && !c.Window.IsZero(), "Window", fmt.Sprintf("%q", c.Window), noAttention},
		{c.WindowSize < 0, "WindowSize", fmt.Sprint(c.WindowSize), "take 0 for 10 positions on each side, or more"},
		{!(c.AttentionDropout >= 0 && c.AttentionDropout < 1), "AttentionDropout", fmt.Sprint(c.AttentionDropout), "take 0 or more and less than 1"},
		{!c.attends() && c.AttentionDropout > 0, "AttentionDropout", fmt.Sprint(c.AttentionDropout), noAttention},
		{!(c.CoverageLoss >= 0) || math.IsInf(c.CoverageLoss, 0), "CoverageLoss", fmt.Sprint(c.CoverageLoss), "take 0 for none, or more"},
		{!c.attends() && c.CoverageLoss > 0, "CoverageLoss", fmt.Sprint(c.CoverageLoss), noAttention},
		{parallel && c.Cell != "", "Cell", fmt.Sprintf("%q", c.Cell), noRecurrence},
		{!parallel && !oneOf(c.Cell, "rnn", "gru", "lstm"), "Cell", fmt.Sprintf("%q", c.Cell), "take rnn, gru or lstm"},
		{c.Layers < 1, "Layers", fmt.Sprint(c.Layers), "take 1 or more"},
		{c.Embedding < 1, "Embedding", fmt.Sprint(c.Embedding), "take 1 or more"},
		{!(c.EmbeddingDeviation > 0) || math.IsInf(c.EmbeddingDeviation, 0), "EmbeddingDeviation", fmt.Sprint(c.EmbeddingDeviation), "take a number above 0, such as 0.3"},
		{c.Hidden < 1, "Hidden", fmt.Sprint(c.Hidden), "take 1 or more"},
		{!oneOf(c.Readout, ReadoutPlain, ReadoutMaxout), "Readout", fmt.Sprintf("%q", c.Readout), "take plain or maxout"},
		{c.Readout == ReadoutMaxout && c.Maxout < 1, "Maxout", fmt.Sprint(c.Maxout), "take 1 or more with the maxout readout"},
		{c.MinCount < 1, "MinCount", fmt.Sprint(c.MinCount), "take 1 to keep every word, or more"},
		{c.MaxVocabulary < 0 || c.MaxVocabulary > 0 && c.MaxVocabulary <= reservedIDs, "MaxVocabulary", fmt.Sprint(c.MaxVocabulary), "take 0 for no limit, or more than the four reserved ids"},
		{c.MaxLength < 0, "MaxLength", fmt.Sprint(c.MaxLength), "take 0 for no limit, or more"},
		{c.Updates < 1, "Updates", fmt.Sprint(c.Updates), "take 1 or more"},
		{c.BatchSize < 1, "BatchSize", fmt.Sprint(c.BatchSize), "take 1 or more"},
		{!oneOf(c.Optimizer, "adam", "sgd"), "Optimizer", fmt.Sprintf("%q", c.Optimizer), "take adam or sgd"},
		{!(c.LearningRate > 0) || math.IsInf(c.LearningRate, 0), "LearningRate", fmt.Sprint(c.LearningRate), "take a number above 0, such as 0.003 for adam"},
		{!oneOf(c.Schedule, ScheduleConstant, ScheduleLinear, ScheduleHalving, ScheduleInverseRoot), "Schedule", fmt.Sprintf("%q", c.Schedule), "take constant, linear, halving or inverse-root"},
		{c.WarmUp < 0, "WarmUp", fmt.Sprint(c.WarmUp), "take 0 for none, or more"},
		{!(c.ClipNorm >= 0), "ClipNorm", fmt.Sprint(c.ClipNorm), "take 0 for no clipping, or more"},
		{!(c.Dropout >= 0 && c.Dropout < 1), "Dropout", fmt.Sprint(c.Dropout), "take 0 or more and less than 1"},
		{!(c.TeacherForcing >= 0 && c.TeacherForcing <= 1), "TeacherForcing", fmt.Sprint(c.TeacherForcing), "take 0 to 1"},
		{c.EvaluateEvery < 0, "EvaluateEvery", fmt.Sprint(c.EvaluateEvery), "take 0 for never, or more"},
		{c.DevPairs < 0, "DevPairs", fmt.Sprint(c.DevPairs), "take 0 for all, or more"},
		{c.Patience < 0, "Patience", fmt.Sprint(c.Patience), "take 0 for never, or more"},
		{c.Patience > 0 && c.EvaluateEvery == 0, "Patience", fmt.Sprint(c.Patience), "set EvaluateEvery too: patience counts development losses"},
	}
	for _, check := range checks {
		if check.wrong {
			return fmt.Errorf("seq2seq: Config.%s is %s: %s", check.field, check.value, check.advice)
		}
	}
	if c.attends() {
		if err := c.score().Fits(c.Hidden, c.annotation()); err != nil {
			return fmt.Errorf("seq2seq: Config.Attention is %q: %w; or set Bidirectional to false", c.Attention, err)
		}
	}
	return nil
}

// reservedIDs counts PAD, BOS, EOS and UNK.
const reservedIDs = corpus.UNK + 1

// attends tells whether the wiring has attention.
func (c Config) attends() bool {
	return oneOf(c.Wiring, WiringBahdanau, WiringVaswani) || c.attentional()
}

// attentional tells whether the wiring has an attentional state s̃_i.
func (c Config) attentional() bool { return oneOf(c.Wiring, WiringLuong, WiringLuongFeeding) }

// attentionSize is AttentionSize with its default filled in.
func (c Config) attentionSize() int {
	switch {
	case c.AttentionSize > 0:
		return c.AttentionSize
	case c.Attention != ScoreLocation:
		return c.Hidden
	case c.MaxLength > 0:
		return c.MaxLength + 1
	}
	return 0
}

// windowSize is D with its default filled in.
func (c Config) windowSize() int {
	if c.WindowSize == 0 {
		return 10
	}
	return c.WindowSize
}

// annotation is the width A of an encoder state h_j: both directions side by side where there are two.
func (c Config) annotation() int {
	if c.Bidirectional {
		return 2 * c.Hidden
	}
	return c.Hidden
}

// score is the score function of a configuration that attends. It panics where Validate names the field.
func (c Config) score() attention.Score {
	score, err := attention.NewScore(c.Attention, c.attentionSize())
	if err != nil {
		panic(err)
	}
	return score
}

// window is the window of a configuration. It panics where Validate names the field.
func (c Config) window() attention.Window {
	name := string(c.Window)
	if c.Window.IsZero() {
		name = string(WindowGlobal)
	}
	window, err := attention.NewWindow(name, c.windowSize())
	if err != nil {
		panic(err)
	}
	return window
}

// String is the configuration as indented JSON, field by field in the order of the struct.
func (c Config) String() string {
	b, err := json.MarshalIndent(c, "", "  ")
	if err != nil { // NaN or infinity, which Validate refuses
		return fmt.Sprintf("%#v", c)
	}
	return string(b)
}

func oneOf[T comparable](value T, choices ...T) bool {
	for _, choice := range choices {
		if value == choice {
			return true
		}
	}
	return false
}

func validName(name string) bool {
	for i, r := range name {
		alphanumeric := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !alphanumeric && (i == 0 || !strings.ContainsRune("-_.", r)) {
			return false
		}
	}
	return name != "" && len(name) <= 64
}
