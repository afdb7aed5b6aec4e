package ibm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
)

// Decoder translates by phrases: it looks for the cut of the source into phrases, their order and their translations with the highest score, a sum
// of logarithms with Weights (Koehn 2004, "Pharaoh"; Och and Ney 2002). The zero values of the numbers take the defaults named with them.
type Decoder struct {
	Table    *PhraseTable
	Language *LanguageModel
	Weights  Weights
	// Beam is the number of hypotheses kept for each number of translated source words: 100.
	Beam int
	// Distortion is how many words at most a phrase may jump over from the end of the one before, either way; 0 translates from left to right.
	Distortion int
}

// Weights of the parts of a score.
type Weights struct {
	// Forward and Backward weigh log φ(target|source) and log φ(source|target), Language the language model.
	Forward, Backward, Language float64
	// Jump is for each word that is jumped over, Word for each target word, which alone would favour short ones: the first is taken off the score,
	// the second added.
	Jump, Word float64
}

// DefaultWeights are all 1, but that a target word makes up for some of what the language model takes off for it. They are not tuned.
func DefaultWeights() Weights { return Weights{Forward: 1, Backward: 1, Language: 1, Jump: 1, Word: 1} }

// Step is one phrase of a translation, in the order of the target.
type Step struct {
	Source  Span
	Target  []string
	Unknown bool // no phrase has the word; it stands as it is
}

// hypothesis is a translation of some of the source words.
type hypothesis struct {
	previous *hypothesis
	step     Step
	covered  []uint64 // bit for each source word
	count    int      // of them
	end      int      // of the last source phrase
	history  string
	score    float64 // so far
	estimate float64 // score and what the rest is expected to add
}

// option is a translation of a source span.
type option struct {
	Step
	score float64 // of the phrase
	alone float64 // with the language model's, as though nothing stood before
}

// unknownScore is that of a word without translation.
const unknownScore = -20

// Translate gives the best translation found of a source sentence, its steps, and its score. A word that no phrase has is taken over as it is.
func (d Decoder) Translate(source []string) (target []string, steps []Step, score float64, err error) {
	if d.Table == nil || d.Language == nil {
		return nil, nil, 0, errors.New("ibm: Decoder needs a Table and a Language model")
	}
	if d.Beam < 0 || d.Distortion < 0 {
		return nil, nil, 0, fmt.Errorf("ibm: Decoder.Beam is %d and Distortion %d: give 0 or more", d.Beam, d.Distortion)
	}
	if len(source) == 0 {
		return nil, nil, 0, errors.New("ibm: an empty source has no translation")
	}
	beam := cmp.Or(d.Beam, 100)
	n := len(source)
	options := d.options(source)
	rest := futures(options, n)
	begin := &hypothesis{covered: make([]uint64, (n+63)/64), history: d.Language.Begin()}
	stacks := make([]map[string]*hypothesis, n+1)
	for i := range stacks {
		stacks[i] = map[string]*hypothesis{}
	}
	stacks[0][begin.state()] = begin
	for covered := range n {
		for _, h := range best(stacks[covered], beam) {
			gap := h.gap(n)
			for from := gap; from < min(n, h.end+d.Distortion+1); from++ {
				if h.has(from) || from < h.end-d.Distortion {
					continue
				}
				for to := from + 1; to <= n && !h.has(to-1); to++ {
					// The first gap must stay in reach, or nothing could fill it.
					if from > gap && to-gap > d.Distortion {
						break
					}
					for _, o := range options[from][to-from-1] {
						next := d.extend(h, o, n)
						next.estimate = next.score + next.future(rest, n)
						stack := stacks[next.count]
						state := next.state()
						if old := stack[state]; old == nil || next.estimate > old.estimate { // the same future: the better past wins
							stack[state] = next
						}
					}
				}
			}
		}
		stacks[covered] = nil
	}
	final := best(stacks[n], 1)
	if len(final) == 0 {
		return nil, nil, 0, fmt.Errorf("ibm: no translation of %q was found in a beam of %d: widen it", strings.Join(source, " "), beam)
	}
	for h := final[0]; h.previous != nil; h = h.previous {
		steps = append(steps, h.step)
	}
	slices.Reverse(steps)
	for _, s := range steps {
		target = append(target, s.Target...)
	}
	return target, steps, final[0].score, nil
}

// TranslateAll translates every source, as many at once as there are cores. An error names the first source at fault.
func (d Decoder) TranslateAll(sources [][]string) ([][]string, error) {
	targets, failed := make([][]string, len(sources)), make([]error, len(sources))
	parallel(runtime.GOMAXPROCS(0)).do(len(sources), func() func(int) {
		return func(n int) { targets[n], _, _, failed[n] = d.Translate(sources[n]) }
	})
	for n, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("source %d: %w", n, err)
		}
	}
	return targets, nil
}

// options are the translations of all spans: options[from][length-1].
func (d Decoder) options(source []string) [][][]option {
	all := make([][][]option, len(source))
	for from := range source {
		all[from] = make([][]option, len(source)-from)
		for to := from + 1; to <= min(len(source), from+d.Table.longest); to++ {
			for _, t := range d.Table.Translations(source[from:to]) {
				o := option{Step: Step{Source: Span{from, to}, Target: t.Target}}
				o.score = d.Weights.Forward*math.Log(t.Forward) + d.Weights.Backward*math.Log(t.Backward)
				all[from][to-from-1] = append(all[from][to-from-1], o)
			}
		}
		if len(all[from][0]) == 0 {
			all[from][0] = []option{{Step: Step{Span{from, from + 1}, source[from : from+1 : from+1], true}, score: unknownScore}}
		}
		for _, row := range all[from] {
			for i := range row {
				row[i].score += d.Weights.Word * float64(len(row[i].Target))
				history := "" // nothing known
				row[i].alone = row[i].score
				for _, w := range row[i].Target {
					var p float64
					p, history = d.Language.Next(history, w)
					row[i].alone += d.Weights.Language * p
				}
			}
		}
	}
	return all
}

// futures are the best scores of spans, as though there were no jumps and nothing stood before a phrase: futures[from][to].
func futures(options [][][]option, n int) [][]float64 {
	rest := make([][]float64, n)
	for from := n - 1; from >= 0; from-- {
		rest[from] = slices.Repeat([]float64{math.Inf(-1)}, n+1)
		rest[from][from] = 0
		for to := from + 1; to <= n; to++ {
			for _, o := range options[from][to-from-1] {
				rest[from][to] = max(rest[from][to], o.alone)
			}
			for middle := from + 1; middle < to; middle++ {
				rest[from][to] = max(rest[from][to], rest[from][middle]+rest[middle][to])
			}
		}
	}
	return rest
}

func (h *hypothesis) has(i int) bool { return h.covered[i/64]>>(i%64)&1 != 0 }

// gap is the first word that is not translated.
func (h *hypothesis) gap(n int) int {
	i := 0
	for i < n && h.has(i) {
		i++
	}
	return i
}

// future sums what the gaps are expected to add.
func (h *hypothesis) future(rest [][]float64, n int) (sum float64) {
	for from := 0; from < n; from++ {
		if h.has(from) {
			continue
		}
		to := from
		for to < n && !h.has(to) {
			to++
		}
		sum += rest[from][to]
		from = to
	}
	return sum
}

// state is all that what follows depends on.
func (h *hypothesis) state() string {
	key := make([]byte, 0, 64)
	for _, bits := range h.covered {
		key = binary.BigEndian.AppendUint64(key, bits)
	}
	return string(append(binary.BigEndian.AppendUint64(key, uint64(h.end)), h.history...))
}

// extend translates one more phrase, and ends the sentence with the last.
func (d Decoder) extend(h *hypothesis, o option, n int) *hypothesis {
	next := &hypothesis{previous: h, step: o.Step, covered: slices.Clone(h.covered), count: h.count + o.Source.To - o.Source.From, end: o.Source.To,
		history: h.history, score: h.score + o.score}
	for i := o.Source.From; i < o.Source.To; i++ {
		next.covered[i/64] |= 1 << (i % 64)
	}
	jump := o.Source.From - h.end
	next.score -= d.Weights.Jump * float64(max(jump, -jump))
	for _, w := range o.Target {
		var p float64
		p, next.history = d.Language.Next(next.history, w)
		next.score += d.Weights.Language * p
	}
	if next.count == n {
		next.score += d.Weights.Language * d.Language.End(next.history)
	}
	return next
}

// best are the hypotheses with the highest estimates, equal ones in the order of their states.
func best(stack map[string]*hypothesis, most int) []*hypothesis {
	type entry struct {
		state string
		*hypothesis
	}
	entries := make([]entry, 0, len(stack))
	for state, h := range stack {
		entries = append(entries, entry{state, h})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.estimate, a.estimate), cmp.Compare(a.state, b.state))
	})
	all := make([]*hypothesis, min(most, len(entries)))
	for i := range all {
		all[i] = entries[i].hypothesis
	}
	return all
}
