package ibm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seq2attn/pkg/corpus"
)

// Span is words From to before To, counted from 0.
type Span struct{ From, To int }

// PhrasePair is a run of source words and the run of target words that translates it.
type PhrasePair struct{ Source, Target Span }

// PhrasePairs are all pairs of runs of at most longest words each that agree with an alignment: no word in one is linked to a word outside the
// other, and at least one link is in them (Koehn, Och and Marcu 2003). Words without a link may stand at the edges. They are in the
// order of the source spans, then of the target spans.
func PhrasePairs(p corpus.Pair, links []corpus.Link, longest int) ([]PhrasePair, error) {
	if longest < 1 {
		return nil, fmt.Errorf("ibm: the longest phrase is %d: give 1 word or more", longest)
	}
	// The places that each target word is linked to, from the first to the last.
	linked := make([]bool, len(p.Target))
	back := make([]Span, len(p.Target))
	forth := make([]Span, len(p.Source)) // empty where a word has no link
	for _, l := range links {
		if err := l.Within(p); err != nil {
			return nil, fmt.Errorf("ibm: link from %w", err)
		}
		back[l.Target] = back[l.Target].with(l.Source)
		forth[l.Source] = forth[l.Source].with(l.Target)
		linked[l.Target] = true
	}
	var all []PhrasePair
	for from := range p.Source {
		var target Span // what the source span is linked to
		for to := from + 1; to <= min(from+longest, len(p.Source)); to++ {
			if w := forth[to-1]; w.To > w.From {
				target = target.with(w.From).with(w.To - 1)
			}
			if target.To == target.From || target.To-target.From > longest {
				continue
			}
			agrees := true
			for _, b := range back[target.From:target.To] {
				if b.To > b.From && (b.From < from || b.To > to) {
					agrees = false
					break
				}
			}
			if !agrees {
				continue
			}
			for first := target.From; ; first-- {
				for last := target.To; last-first <= longest; last++ {
					all = append(all, PhrasePair{Span{from, to}, Span{first, last}})
					if last == len(p.Target) || linked[last] {
						break
					}
				}
				if first == 0 || linked[first-1] || target.To-first >= longest {
					break
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b PhrasePair) int {
		return cmp.Or(a.Source.From-b.Source.From, a.Source.To-b.Source.To, a.Target.From-b.Target.From, a.Target.To-b.Target.To)
	})
	return all, nil
}

// with is the smallest span that holds a word too.
func (s Span) with(word int) Span {
	if s.To == s.From {
		return Span{word, word + 1}
	}
	return Span{min(s.From, word), max(s.To, word+1)}
}

// PhraseTranslation is what a source phrase translates to.
type PhraseTranslation struct {
	Target []string
	// Forward is φ(target|source), Backward φ(source|target): relative frequencies among all phrase pairs of the text.
	Forward, Backward float64
	Count             int
}

// PhraseTable has the translations of source phrases.
type PhraseTable struct {
	entries map[string][]PhraseTranslation // by the phrase's words, joined by spaces
	longest int
}

// NewPhraseTable counts the phrase pairs of a text, of at most longest words, and keeps for each source phrase its best translations, by
// Forward, then in byte order; all where best is 0. Tokens must have no spaces in them.
func NewPhraseTable(pairs []corpus.Pair, alignments [][]corpus.Link, longest, best int) (*PhraseTable, error) {
	if len(pairs) != len(alignments) {
		return nil, fmt.Errorf("ibm: %d sentence pairs with %d alignments", len(pairs), len(alignments))
	}
	if best < 0 {
		return nil, fmt.Errorf("ibm: the %d best translations: give 1 or more, or 0 for all", best)
	}
	counts := map[string]map[string]int{}
	sources, targets := map[string]int{}, map[string]int{}
	for n, p := range pairs {
		for _, w := range slices.Concat(p.Source, p.Target) {
			if w == "" || strings.Contains(w, " ") {
				return nil, fmt.Errorf("ibm: pair %d: token %q is empty or has a space in it", n, w)
			}
		}
		phrases, err := PhrasePairs(p, alignments[n], longest)
		if err != nil {
			return nil, fmt.Errorf("pair %d: %w", n, err)
		}
		for _, ph := range phrases {
			s := strings.Join(p.Source[ph.Source.From:ph.Source.To], " ")
			t := strings.Join(p.Target[ph.Target.From:ph.Target.To], " ")
			if counts[s] == nil {
				counts[s] = map[string]int{}
			}
			counts[s][t]++
			sources[s]++
			targets[t]++
		}
	}
	table := &PhraseTable{entries: make(map[string][]PhraseTranslation, len(counts)), longest: longest}
	for s, row := range counts {
		all := make([]PhraseTranslation, 0, len(row))
		for t, c := range row {
			all = append(all, PhraseTranslation{strings.Split(t, " "), float64(c) / float64(sources[s]), float64(c) / float64(targets[t]), c})
		}
		slices.SortFunc(all, func(a, b PhraseTranslation) int {
			return cmp.Or(cmp.Compare(b.Forward, a.Forward), slices.Compare(a.Target, b.Target))
		})
		if best > 0 && best < len(all) {
			all = slices.Clone(all[:best])
		}
		table.entries[s] = all
	}
	return table, nil
}

// Len is the number of phrase pairs.
func (t *PhraseTable) Len() (n int) {
	for _, row := range t.entries {
		n += len(row)
	}
	return n
}

// Translations are those of a source phrase, the most probable first; nil where it is unknown. The caller must not change them.
func (t *PhraseTable) Translations(source []string) []PhraseTranslation {
	return t.entries[strings.Join(source, " ")]
}
