package metrics

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// MaxOrder is the longest n-gram that BLEU counts.
const MaxOrder = 4

// Smoothing says what BLEU does with an n-gram order that has no match, after Chen and Cherry (2014), "A Systematic Comparison
// of Smoothing Techniques for Sentence-Level BLEU". All four are defined as in sacreBLEU. None of them saves a text without a
// single right word: that scores 0.
type Smoothing string

const (
	// Exp gives the first order without a match the precision 1/(2·total), the next 1/(4·total), and so on (method 3, the one of
	// NIST's mteval-v13a). It is sacreBLEU's default and ours, for corpora and for sentences.
	Exp Smoothing = "exp"
	// None leaves the order at 0, and with it the whole score.
	None Smoothing = "none"
	// Floor counts a small number of matches, 0.1 unless said otherwise, in place of 0 (method 1).
	Floor Smoothing = "floor"
	// AddK adds a number, 1 unless said otherwise, to the matches and the totals of all orders above 1, whether they have matches
	// or not (method 2; Lin and Och 2004).
	AddK Smoothing = "add-k"
)

// BLEUOption changes how BLEU is computed.
type BLEUOption func(*scoring)

// scoring is how BLEU is computed.
type scoring struct {
	smoothing      Smoothing
	value          float64 // of Floor and AddK
	effectiveOrder bool
	err            error
}

// Smooth takes a smoothing other than [Exp]. [Floor] and [AddK] take an optional value: above 0, and for Floor at most 1.
func Smooth(s Smoothing, value ...float64) BLEUOption {
	return func(c *scoring) {
		defaults := map[Smoothing]float64{Exp: 0, None: 0, Floor: 0.1, AddK: 1}
		standard, known := defaults[s]
		c.smoothing, c.value = s, standard
		switch {
		case !known:
			c.err = fmt.Errorf("metrics: unknown smoothing %q: it is %q, %q, %q or %q", s, Exp, None, Floor, AddK)
		case len(value) == 0:
		case len(value) > 1 || standard == 0:
			c.err = fmt.Errorf("metrics: too many values for smoothing %q: %v", s, value)
		case !(value[0] > 0) || math.IsInf(value[0], 1) || s == Floor && value[0] > 1:
			c.err = fmt.Errorf("metrics: value %g for smoothing %q: it is above 0, and for %q at most 1", value[0], s, Floor)
		default:
			c.value = value[0]
		}
	}
}

// EffectiveOrder, where on, leaves out the orders for which the hypotheses are too short to have any n-gram, so that
// "the red boat" scores 100 against itself and not 0. It is off for corpora and on for sentences unless said otherwise.
func EffectiveOrder(on bool) BLEUOption {
	return func(c *scoring) { c.effectiveOrder = on }
}

func newScoring(effectiveOrder bool, options []BLEUOption) (scoring, error) {
	c := scoring{smoothing: Exp, effectiveOrder: effectiveOrder}
	for _, option := range options {
		option(&c)
		if c.err != nil {
			return c, c.err
		}
	}
	return c, nil
}

// String is the scoring in the words of a sacreBLEU signature.
func (c scoring) String() string {
	smooth := string(c.smoothing)
	if c.smoothing == Floor || c.smoothing == AddK {
		smooth += fmt.Sprintf("[%.2f]", c.value)
	}
	effective := "no"
	if c.effectiveOrder {
		effective = "yes"
	}
	return fmt.Sprintf("case:mixed|eff:%s|tok:none|smooth:%s", effective, smooth)
}

// BLEU is a score with all that it was computed from (Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine
// Translation"):
//
//	BLEU = BP · exp(Σ_n log p_n / 4),  BP = min(1, exp(1 − r/h))
//
// with h hypothesis tokens, r reference tokens and the precision p_n of the n-grams.
type BLEU struct {
	// Score is BLEU in percent, 0 to 100. It is NaN in an empty length bin, and nowhere else.
	Score float64
	// Precisions are those of 1- to 4-grams in percent, after smoothing.
	Precisions [MaxOrder]float64
	// Counts are the n-grams found in a reference, each at most as often as the reference that has it most often; Totals are all
	// n-grams of the hypotheses. Both are before smoothing.
	Counts, Totals [MaxOrder]int
	// BrevityPenalty is BP, 0 to 1.
	BrevityPenalty float64
	// HypothesisLength and ReferenceLength are in tokens. Among several references the one closest in length counts, the
	// shorter of two equally close.
	HypothesisLength, ReferenceLength int
	// Scoring states the case, the effective order, the tokenization and the smoothing as a sacreBLEU signature does:
	// "case:mixed|eff:no|tok:none|smooth:exp".
	Scoring string

	decomposed bool // some token was not in NFC
	long       bool // some reference has MaxOrder tokens
}

// String is the score as sacreBLEU prints it: "BLEU = 71.65 100.0/100.0/100.0/100.0 (BP = 0.717 ratio = 0.750 hyp_len = 6
// ref_len = 8)", and after it what there is of [BLEU.Warnings].
func (b BLEU) String() string {
	return strings.Join(append([]string{b.line()}, b.Warnings()...), "; warning: ")
}

// line is the score exactly as sacreBLEU prints it.
func (b BLEU) line() string {
	precisions := make([]string, MaxOrder)
	for n, p := range b.Precisions {
		precisions[n] = fmt.Sprintf("%.1f", p)
	}
	ratio := 0.0
	if b.ReferenceLength > 0 {
		ratio = float64(b.HypothesisLength) / float64(b.ReferenceLength)
	}
	return fmt.Sprintf("BLEU = %.2f %s (BP = %.3f ratio = %.3f hyp_len = %d ref_len = %d)",
		b.Score, strings.Join(precisions, "/"), b.BrevityPenalty, ratio, b.HypothesisLength, b.ReferenceLength)
}

// Defined tells whether a perfect translation would score 100 without effective order: whether a reference has as many tokens as the longest n-grams.
func (b BLEU) Defined() bool { return b.long }

// Warnings are the reasons, if any, why the score says less than it seems to: references too short for the longest n-grams, as
// unspaced Chinese in one token a sentence is, and letters with decomposed accents, which match no composed ones.
func (b BLEU) Warnings() []string {
	var warnings []string
	if b.HypothesisLength > 0 && !b.Defined() {
		warnings = append(warnings, fmt.Sprintf("no reference has %d tokens, so that BLEU without effective order is 0 even for a "+
			"perfect translation: cut text without spaces into characters, and take EffectiveOrder for short sentences", MaxOrder))
	}
	if b.decomposed {
		warnings = append(warnings, "some tokens are not in Unicode's composed form NFC, and a decomposed accent matches no composed "+
			"one: normalize hypotheses and references")
	}
	return warnings
}

// CorpusBLEU scores a whole text: references[i] are the right translations of hypotheses[i], at least one. The n-grams of all
// sentences are counted before any precision is computed, so it is no mean of sentence scores. Smoothing is [Exp] and the
// effective order is off unless options say otherwise, as in sacreBLEU, whose score it equals on the same tokens.
//
// A token is compared byte by byte. An empty hypothesis counts, with its references' length; where all are empty, BLEU is 0.
func CorpusBLEU(hypotheses [][]string, references [][][]string, options ...BLEUOption) (BLEU, error) {
	c, err := newScoring(false, options)
	if err != nil {
		return BLEU{}, err
	}
	sentences, err := count(hypotheses, references)
	if err != nil {
		return BLEU{}, err
	}
	var total statistics
	for _, s := range sentences {
		total.add(s)
	}
	return total.bleu(c), nil
}

// SentenceBLEU scores one sentence. Smoothing is [Exp] and the effective order is on unless options say otherwise.
func SentenceBLEU(hypothesis []string, references [][]string, options ...BLEUOption) (BLEU, error) {
	c, err := newScoring(true, options)
	if err != nil {
		return BLEU{}, err
	}
	if len(references) == 0 {
		return BLEU{}, errors.New("metrics: the sentence has no reference")
	}
	return countSentence(hypothesis, references).bleu(c), nil
}

// OneReference gives every sentence its only reference, in the form that [CorpusBLEU] takes.
func OneReference(targets [][]string) [][][]string {
	references := make([][][]string, len(targets))
	for i, target := range targets {
		references[i] = [][]string{target}
	}
	return references
}

// statistics are what BLEU is computed from; those of a text are the sums over its sentences.
type statistics struct {
	hypothesis, reference int // tokens
	counts, totals        [MaxOrder]int
	decomposed, long      bool // as in BLEU
}

func (s *statistics) add(other statistics) {
	s.hypothesis += other.hypothesis
	s.reference += other.reference
	for n := range MaxOrder {
		s.counts[n] += other.counts[n]
		s.totals[n] += other.totals[n]
	}
	s.decomposed = s.decomposed || other.decomposed
	s.long = s.long || other.long
}

// count gives the statistics of every sentence.
func count(hypotheses [][]string, references [][][]string) ([]statistics, error) {
	if err := sameLength("hypotheses", len(hypotheses), "lists of references", len(references)); err != nil {
		if len(references) > 0 && len(references[0]) == len(hypotheses) {
			err = fmt.Errorf("%w; references[i] must hold the references of hypotheses[i], these look transposed", err)
		}
		return nil, err
	}
	sentences := make([]statistics, len(hypotheses))
	for i, hypothesis := range hypotheses {
		if len(references[i]) == 0 {
			return nil, fmt.Errorf("metrics: sentence %d has no reference", i)
		}
		sentences[i] = countSentence(hypothesis, references[i])
	}
	return sentences, nil
}

// sameLength reports lists that are empty or do not belong together.
func sameLength(what string, n int, other string, m int) error {
	if n != m {
		return fmt.Errorf("metrics: %d %s but %d %s: one for each sentence is needed", n, what, m, other)
	}
	if n == 0 {
		return fmt.Errorf("metrics: no sentence to score: %s and %s are empty", what, other)
	}
	return nil
}

// ngram is up to four tokens; unused places are empty.
type ngram [MaxOrder]string

func ngrams(tokens []string, n int) map[ngram]int {
	counts := make(map[ngram]int, len(tokens))
	for i := range len(tokens) - n + 1 {
		var g ngram
		copy(g[:], tokens[i:i+n])
		counts[g]++
	}
	return counts
}

func countSentence(hypothesis []string, references [][]string) statistics {
	s := statistics{hypothesis: len(hypothesis), reference: len(references[0]), decomposed: decomposed(hypothesis)}
	for _, r := range references {
		near, nearest := distance(len(r), len(hypothesis)), distance(s.reference, len(hypothesis))
		if near < nearest || near == nearest && len(r) < s.reference {
			s.reference = len(r)
		}
		s.decomposed = s.decomposed || decomposed(r)
		s.long = s.long || len(r) >= MaxOrder
	}
	for n := range MaxOrder {
		most := map[ngram]int{}
		for _, r := range references {
			for g, c := range ngrams(r, n+1) {
				most[g] = max(most[g], c)
			}
		}
		for g, c := range ngrams(hypothesis, n+1) {
			s.totals[n] += c
			s.counts[n] += min(c, most[g])
		}
	}
	return s
}

func distance(a, b int) int { return max(a-b, b-a) }

func decomposed(tokens []string) bool {
	for _, token := range tokens {
		if !norm.NFC.IsNormalString(token) {
			return true
		}
	}
	return false
}

// bleu is the score of the statistics, in the order of steps that sacreBLEU takes.
func (s statistics) bleu(c scoring) BLEU {
	b := BLEU{
		Counts: s.counts, Totals: s.totals,
		BrevityPenalty:   1,
		HypothesisLength: s.hypothesis, ReferenceLength: s.reference,
		Scoring:    c.String(),
		decomposed: s.decomposed, long: s.long,
	}
	switch {
	case s.hypothesis == 0 && s.reference > 0:
		b.BrevityPenalty = 0
	case s.hypothesis < s.reference:
		b.BrevityPenalty = math.Exp(1 - float64(s.reference)/float64(s.hypothesis))
	}
	if s.counts[0] == 0 { // no right word, so no right n-gram either
		return b
	}
	orders, unmatched := MaxOrder, 1.0
	for n := range MaxOrder {
		count, total := float64(s.counts[n]), float64(s.totals[n])
		if c.smoothing == AddK && n > 0 {
			count += c.value
			total += c.value
		}
		if total == 0 {
			break
		}
		if c.effectiveOrder {
			orders = n + 1
		}
		if count == 0 {
			switch c.smoothing {
			case Exp:
				unmatched *= 2
				count = 1 / unmatched
			case Floor:
				count = c.value
			}
		}
		b.Precisions[n] = 100 * count / total
	}
	sum := 0.0
	for _, p := range b.Precisions[:orders] {
		sum += math.Log(p) // -Inf where an order has no precision, which makes the score exactly 0
	}
	// Rounding may lift a perfect score by an ulp.
	b.Score = min(b.BrevityPenalty*math.Exp(sum/float64(orders)), 100)
	return b
}
