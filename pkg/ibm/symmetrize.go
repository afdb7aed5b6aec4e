package ibm

import (
	"fmt"

	"seq2attn/pkg/corpus"
)

// Heuristic is a way to make one alignment of two, one in each direction.
type Heuristic string

const (
	// Intersection keeps the links that both have: few, and mostly right.
	Intersection Heuristic = "intersection"
	// Union keeps the links that either has: many, and most of the right ones.
	Union Heuristic = "union"
	// GrowDiag begins with the intersection and adds links of the union that touch one, sideways or at a corner, and whose source or target
	// word has no link yet, as long as there are any (Koehn, Och and Marcu 2003).
	GrowDiag Heuristic = "grow-diag"
	// GrowDiagFinalAnd adds to that the links of either alignment of which both words have no link yet (Koehn et al. 2005).
	GrowDiagFinalAnd Heuristic = "grow-diag-final-and"
)

// Heuristics are all of them.
func Heuristics() []Heuristic { return []Heuristic{Intersection, Union, GrowDiag, GrowDiagFinalAnd} }

// Directions are two models of one text: Forward of its pairs, Backward of the same pairs reversed ([corpus.ReversePairs]).
type Directions struct{ Forward, Backward *Model }

// AlignAll aligns every pair both ways. All links are from source to target, as [SymmetrizeAll] takes them.
func (d Directions) AlignAll(pairs []corpus.Pair) (forward, backward [][]corpus.Link, err error) {
	if forward, err = d.Forward.AlignAll(pairs); err != nil {
		return nil, nil, err
	}
	if backward, err = d.Backward.AlignAll(corpus.ReversePairs(pairs)); err != nil {
		return nil, nil, fmt.Errorf("reversed, %w", err)
	}
	for n, links := range backward {
		backward[n] = corpus.ReverseLinks(links)
	}
	return forward, backward, nil
}

// Symmetrize joins the links of one sentence pair found from source to target, forward, with those found from target to source. Both have links as
// the forward model's pairs do: turn the others by [corpus.ReverseLinks]. Marks of possible links are not looked at. The result is in the order
// of target and source words, and every link is sure.
func Symmetrize(h Heuristic, forward, backward []corpus.Link) ([]corpus.Link, error) {
	f, b := linkSet(forward), linkSet(backward)
	union := make(map[corpus.Link]bool, len(f)+len(b))
	chosen := make(map[corpus.Link]bool, len(f))
	for l := range f {
		union[l] = true
		if b[l] {
			chosen[l] = true
		}
	}
	for l := range b {
		union[l] = true
	}
	switch h {
	case Intersection:
	case Union:
		chosen = union
	case GrowDiag, GrowDiagFinalAnd:
		g := growth{union: union, chosen: chosen, source: map[int]bool{}, target: map[int]bool{}}
		for l := range chosen {
			g.source[l.Source], g.target[l.Target] = true, true
		}
		g.grow()
		if h == GrowDiagFinalAnd {
			g.finish(f)
			g.finish(b)
		}
	default:
		return nil, fmt.Errorf("ibm: there is no heuristic %q: use one of %q", h, Heuristics())
	}
	return inOrder(chosen), nil
}

// SymmetrizeAll joins the alignments of all pairs.
func SymmetrizeAll(h Heuristic, forward, backward [][]corpus.Link) ([][]corpus.Link, error) {
	if len(forward) != len(backward) {
		return nil, fmt.Errorf("ibm: %d alignments forward and %d backward: they must be of the same pairs", len(forward), len(backward))
	}
	all := make([][]corpus.Link, len(forward))
	for n := range all {
		var err error
		if all[n], err = Symmetrize(h, forward[n], backward[n]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func linkSet(links []corpus.Link) map[corpus.Link]bool {
	set := make(map[corpus.Link]bool, len(links))
	for _, l := range links {
		set[corpus.Link{Source: l.Source, Target: l.Target}] = true
	}
	return set
}

func inOrder(set map[corpus.Link]bool) []corpus.Link {
	links := make([]corpus.Link, 0, len(set))
	for l := range set {
		links = append(links, l)
	}
	corpus.SortLinks(links)
	return links
}

// growth is an alignment that grows within the union.
type growth struct {
	union, chosen  map[corpus.Link]bool
	source, target map[int]bool // the words that have a link
}

func (g *growth) add(l corpus.Link) {
	g.chosen[l] = true
	g.source[l.Source], g.target[l.Target] = true, true
}

// grow looks around all links in their order, again and again until nothing is added. A link that was added is looked around in the next
// round.
func (g *growth) grow() {
	neighbours := [][2]int{{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	for round, before := inOrder(g.chosen), 0; len(round) > before; round, before = inOrder(g.chosen), len(round) {
		for _, l := range round {
			for _, d := range neighbours {
				n := corpus.Link{Source: l.Source + d[0], Target: l.Target + d[1]}
				if g.union[n] && !g.chosen[n] && (!g.source[n.Source] || !g.target[n.Target]) {
					g.add(n)
				}
			}
		}
	}
}

// finish adds links of which both words are free, in their order.
func (g *growth) finish(from map[corpus.Link]bool) {
	for _, l := range inOrder(from) {
		if !g.source[l.Source] && !g.target[l.Target] {
			g.add(l)
		}
	}
}
