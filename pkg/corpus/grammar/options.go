package grammar

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Options says how many sentences New makes, and how long. The zero value of a field takes the default named with it.
type Options struct {
	// Train, Dev and Test are the numbers of pairs: 60000, 1000 and 1000 where all three are 0.
	Train, Dev, Test int
	// MinLength and MaxLength bound the source length in tokens, the final mark included: 3 and 40. At most 200.
	MinLength, MaxLength int
	// Lengths is how the lengths are drawn: Exponential(9).
	Lengths Lengths
	Seed    uint64
}

// Lengths is a distribution of sentence lengths between the bounds of [Options].
type Lengths struct {
	// Name is "exponential" or "uniform".
	Name string
	// Mean, of an exponential distribution, is how much longer than MinLength sentences would be on average without MaxLength.
	Mean float64
}

// Exponential gives many short sentences and few long ones, as text has them.
func Exponential(mean float64) Lengths { return Lengths{"exponential", mean} }

// Uniform gives every length as often.
func Uniform() Lengths { return Lengths{Name: "uniform"} }

const longest = 200

func (o Options) complete() (Options, error) {
	if o.Train == 0 && o.Dev == 0 && o.Test == 0 {
		o.Train, o.Dev, o.Test = 60000, 1000, 1000
	}
	if o.MinLength == 0 {
		o.MinLength = 3
	}
	if o.MaxLength == 0 {
		o.MaxLength = max(40, o.MinLength)
	}
	if o.Lengths.Name == "" {
		o.Lengths = Exponential(9)
	}
	switch {
	case o.Train < 0 || o.Dev < 0 || o.Test < 0:
		return o, fmt.Errorf("grammar: Options.Train, Dev and Test are %d, %d and %d: give 0 or more", o.Train, o.Dev, o.Test)
	case o.MinLength < 3:
		return o, fmt.Errorf("grammar: Options.MinLength is %d: the shortest sentences have 3 tokens", o.MinLength)
	case o.MaxLength < o.MinLength:
		return o, fmt.Errorf("grammar: Options.MaxLength is %d, less than MinLength %d", o.MaxLength, o.MinLength)
	case o.MaxLength > longest:
		return o, fmt.Errorf("grammar: Options.MaxLength is %d: at most %d", o.MaxLength, longest)
	case o.Lengths.Name != "exponential" && o.Lengths.Name != "uniform":
		return o, fmt.Errorf("grammar: Options.Lengths.Name is %q: use Exponential(mean) or Uniform()", o.Lengths.Name)
	case o.Lengths.Name == "exponential" && !(o.Lengths.Mean > 0):
		return o, fmt.Errorf("grammar: Options.Lengths.Mean is %v: give a positive number of words", o.Lengths.Mean)
	}
	return o, nil
}

// draw is the length of one sentence.
func (o Options) draw(random *rand.Rand) int {
	room := o.MaxLength - o.MinLength + 1
	if o.Lengths.Name == "uniform" {
		return o.MinLength + int(uniform(random)*float64(room))
	}
	// An exponential cut off at the end of the room, by its inverse.
	whole := 1 - math.Exp(-float64(room)/o.Lengths.Mean)
	extra := -o.Lengths.Mean * math.Log(1-uniform(random)*whole)
	return o.MinLength + min(int(extra), room-1)
}
