package seq2seq

import (
	"math"
	"runtime"
	"runtime/debug"

	"seq2attn/pkg/metrics"
)

// Report is what a training did and cost. It is stored with the run, and fit to be put beside other results as JSON.
type Report struct {
	// Parameters is the number of weights that were trained.
	Parameters int `json:"parameters"`
	// Pairs is the number of training pairs, TooLong the number left out of the training part by Config.MaxLength.
	Pairs   int `json:"pairs"`
	TooLong int `json:"tooLong"`
	// Updates is the number of updates done.
	Updates int `json:"updates"`
	// KeptUpdate is the update whose weights the run holds: the last, or with Config.Patience the one of the best development loss.
	KeptUpdate int `json:"keptUpdate"`
	// Tokens is the number of target tokens trained on, EOS included.
	Tokens int64 `json:"tokens"`
	// Seconds is the time of the training: compilation and development losses included, interruptions not.
	Seconds float64 `json:"seconds"`
	// FirstUpdate is the time from the call of Train to the end of the first update, in seconds.
	FirstUpdate float64 `json:"firstUpdate"`
	// Engine says what computed: "xla" or "go".
	Engine string `json:"engine"`
	// Versions are those of Go and of the modules that compute.
	Versions map[string]string `json:"versions"`
	// Finished is false for a run that was interrupted; StoppedEarly tells that Config.Patience ended it.
	Finished     bool `json:"finished"`
	StoppedEarly bool `json:"stoppedEarly"`
	// Train is the loss on the batches since the point before, Dev that of the development part; Dev is empty where none was measured.
	Train []Point `json:"train"`
	Dev   []Point `json:"dev"`
}

// Pace is the median over the training curve of target tokens a second, which the first updates, that compile, change little; NaN before
// the first point.
func (r Report) Pace() float64 {
	if len(r.Train) == 0 {
		return math.NaN()
	}
	paces := make([]float64, len(r.Train))
	for i, p := range r.Train {
		paces[i] = p.TokensPerSecond
	}
	return metrics.Median(paces)
}

// Point is one point of a learning curve.
type Point struct {
	// Update is the number of updates done.
	Update int `json:"update"`
	// Loss is in nats a target token, EOS included, with the reference's words as input. Perplexity is its exponential.
	Loss float64 `json:"loss"`
	// TokensPerSecond and LearningRate are only known of training points.
	TokensPerSecond float64 `json:"tokensPerSecond,omitempty"`
	LearningRate    float64 `json:"learningRate,omitempty"`
}

// versions are those of Go, of the system and of the modules that compute, as far as the build knows them.
func versions() map[string]string {
	found := map[string]string{"go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	for _, module := range info.Deps {
		switch module.Path {
		case "github.com/gomlx/gomlx", "github.com/gomlx/compute", "github.com/gomlx/go-xla":
			found[module.Path] = module.Version
		}
	}
	return found
}
