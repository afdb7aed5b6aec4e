package metrics

import (
	"fmt"
	"math"
)

// Perplexity is exp(nats/tokens): nats is the total negative log-likelihood of a text, tokens the number of real tokens in it, EOS
// included and padding not. Sum both over all batches before; a mean of the batches' means is another number. A perplexity
// too large for a float64 is +Inf.
func Perplexity(nats float64, tokens int) (float64, error) {
	switch {
	case tokens <= 0:
		return 0, fmt.Errorf("metrics: perplexity of %d tokens: at least 1", tokens)
	case math.IsNaN(nats):
		return 0, fmt.Errorf("metrics: perplexity of %d tokens with a negative log-likelihood that is not a number", tokens)
	case nats < -1e-5*float64(tokens): // more than float32 rounding of a perfect model
		return 0, fmt.Errorf("metrics: perplexity of a negative log-likelihood of %g nats: below 0, as no probability above 1 can be; was its sign lost?", nats)
	}
	return math.Exp(max(nats, 0) / float64(tokens)), nil
}
