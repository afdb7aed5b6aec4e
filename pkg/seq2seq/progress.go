package seq2seq

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Progress is how far a training is.
type Progress struct {
	// Name is that of the configuration.
	Name string
	// Update of Updates are done.
	Update, Updates int
	// Loss is the training loss in nats a target token and TokensPerSecond the pace, both of this sitting's latest updates, some twenty; 0
	// before the first. Left is the time to go.
	Loss            float64
	TokensPerSecond float64
	Left            time.Duration
	// Train and Dev are the learning curves so far. They must not be changed.
	Train, Dev []Point
	// Done tells that this is the last call: the training has finished or was stopped.
	Done bool
}

// progressLine is one line that rewrites itself, in a notebook as on a terminal.
type progressLine struct {
	output io.Writer
	bar    *progressbar.ProgressBar
}

func newProgressLine(output io.Writer, updates int) *progressLine {
	if output == nil {
		return &progressLine{}
	}
	return &progressLine{output, progressbar.NewOptions(updates,
		progressbar.OptionSetWriter(output),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false), // our own: the bar's forgets that the first update compiles
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionThrottle(250*time.Millisecond),
	)}
}

func (l *progressLine) show(p Progress) {
	if l.bar == nil {
		return
	}
	description := "compiling"
	if p.Update > 0 {
		description = fmt.Sprintf("loss %.3f, %.0f tokens/s, %s left", p.Loss, p.TokensPerSecond, p.Left.Round(time.Second))
	}
	l.bar.Describe(description)
	_ = l.bar.Set(p.Update) // a closed output must not end a training
}

// end leaves the line as it is and says how the training ended on the next.
func (l *progressLine) end(format string, args ...any) {
	if l.output == nil {
		return
	}
	if l.bar != nil {
		fmt.Fprintln(l.output)
	}
	fmt.Fprintf(l.output, format+"\n", args...)
}
