package grammar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// category is all the productions of a symbol. Their weights sum to 1.
type category struct {
	symbol      symbol
	productions []production
	expanded    bool
	// inside[n] is the weight of all phrases of n English words; NaN where it is not computed yet.
	inside []float64
	// choices[n] are the sums of the productions' weights for n words, from the first to each; nil where it is not computed yet.
	choices [][]float64
}

// rules holds the grammar as far as it has been needed. It is not safe for use from several goroutines.
type rules struct {
	categories map[symbol]*category
	nodes      []node // of the sentence at hand
	count      int32  // of those, with the ones in arenas before
}

func newRules() *rules { return &rules{categories: map[symbol]*category{}} }

func (r *rules) category(s symbol) *category {
	c := r.categories[s]
	if c == nil {
		c = &category{symbol: s}
		r.categories[s] = c
	}
	return c
}

// expand writes out the productions of a category when they are first asked for.
func (r *rules) expand(c *category) {
	if c.expanded {
		return
	}
	c.expanded = true
	drafts := c.symbol.productions()
	sum := 0.0
	for _, d := range drafts {
		sum += d.weight
	}
	c.productions = make([]production, len(drafts))
	for i, d := range drafts {
		p := &c.productions[i]
		*p = d.production
		p.weight /= sum
		p.words = ownWords(p.english)
		for _, s := range d.parts {
			p.parts = append(p.parts, r.category(s))
		}
		p.inside = make([][]float64, len(p.parts)+1)
	}
}

// each visits every production that a category can lead to.
func (r *rules) each(from *category, visit func(*production)) {
	seen := map[*category]bool{from: true}
	for queue := []*category{from}; len(queue) > 0; queue = queue[1:] {
		r.expand(queue[0])
		for i := range queue[0].productions {
			p := &queue[0].productions[i]
			visit(p)
			for _, part := range p.parts {
				if !seen[part] {
					seen[part] = true
					queue = append(queue, part)
				}
			}
		}
	}
}

// weight is the weight of all phrases of the category with n words: the probability that a phrase grown freely comes out n
// words long. Some of it is lost where a noun has no adjective for a production that wants one.
func (r *rules) weight(c *category, n int) float64 {
	for len(c.inside) <= n {
		c.inside = append(c.inside, math.NaN())
	}
	if w := c.inside[n]; !math.IsNaN(w) {
		return w
	}
	r.expand(c)
	sum := 0.0
	for i := range c.productions {
		p := &c.productions[i]
		sum += p.weight * r.rest(p, 0, n-p.words)
	}
	c.inside[n] = sum
	return sum
}

// rest is the weight of all ways for the parts of p from k on to write n words together.
func (r *rules) rest(p *production, k, n int) float64 {
	last := len(p.parts) - 1
	switch {
	case n < len(p.parts)-k:
		return 0
	case k > last:
		if n == 0 {
			return 1
		}
		return 0
	case k == last:
		return r.weight(p.parts[k], n)
	}
	for len(p.inside[k]) <= n {
		p.inside[k] = append(p.inside[k], math.NaN())
	}
	if w := p.inside[k][n]; !math.IsNaN(w) {
		return w
	}
	sum := 0.0
	for m := 1; m <= n-(last-k); m++ {
		if w := r.weight(p.parts[k], m); w > 0 {
			sum += w * r.rest(p, k+1, n-m)
		}
	}
	p.inside[k][n] = sum
	return sum
}

// choices are the running sums of what each production gives for n words. A production that gives nothing repeats the sum
// before it, so that no number falls to it.
func (r *rules) choices(c *category, n int) []float64 {
	if len(c.choices) <= n {
		c.choices = append(c.choices, make([][]float64, n+1-len(c.choices))...)
	}
	if c.choices[n] == nil {
		if r.weight(c, n) <= 0 {
			panic(fmt.Sprintf("grammar: %+v has no phrase of %d words", c.symbol, n))
		}
		sums, sum := make([]float64, len(c.productions)), 0.0
		for i := range c.productions {
			p := &c.productions[i]
			sum += p.weight * r.rest(p, 0, n-p.words)
			sums[i] = sum
		}
		c.choices[n] = sums
	}
	return c.choices[n]
}

// node is a phrase of a sampled sentence.
type node struct {
	*production
	parts [maxParts]*node
	id    int32 // from 1, for anchors
}

const maxParts = 4

// sample draws a phrase of exactly n words, with the probability that the grammar's weights give it among those. The nodes
// are good until the next sentence.
func (r *rules) sample(c *category, n int, random *rand.Rand) *node {
	choices := r.choices(c, n)
	total := choices[len(choices)-1]
	chosen, _ := slices.BinarySearchFunc(choices, uniform(random)*total, func(sum, u float64) int {
		if sum <= u && sum < total { // rounding may make u the total
			return -1
		}
		return 1
	})
	p := &c.productions[chosen]
	this := r.node(p)
	for try := 0; ; try++ {
		r.fill(this, n-p.words, random)
		if !p.distinct || try == tries || !this.repeats() {
			return this
		}
	}
}

// tries is how often a clause is drawn anew because it says something twice.
const tries = 20

// fill draws the parts of a phrase, which are n words long together.
func (r *rules) fill(this *node, n int, random *rand.Rand) {
	p := this.production
	last := len(p.parts) - 1
	for k, part := range p.parts {
		m := n
		if k < last {
			u := uniform(random) * r.rest(p, k, n)
			for try := 1; try <= n-(last-k); try++ {
				w := r.weight(part, try)
				if w > 0 {
					w *= r.rest(p, k+1, n-try)
				}
				if w <= 0 {
					continue
				}
				m = try
				if u -= w; u < 0 {
					break
				}
			}
		}
		this.parts[k] = r.sample(part, m, random)
		n -= m
	}
}

func (r *rules) node(p *production) *node {
	if len(r.nodes) == cap(r.nodes) {
		r.nodes = make([]node, 0, 4096) // the full one lives on as long as its sentence
	}
	r.nodes = append(r.nodes, node{production: p})
	n := &r.nodes[len(r.nodes)-1]
	r.count++
	n.id = r.count
	return n
}

// forget frees the nodes for the next sentence.
func (r *rules) forget() { r.nodes, r.count = r.nodes[:0], 0 }

// repeats tells whether a clause names a thing twice, or says of it what its own adjective has said already: "the cat sees the
// cat", "the old house is new", "she sings and sings".
func (n *node) repeats() bool {
	var words [32]content
	said := n.contents(words[:0])
	for i, a := range said {
		for _, b := range said[:i] {
			if a.word == b.word && (a.role == naming || a.role == doing || a.role != b.role) {
				return true
			}
		}
	}
	return false
}

func (n *node) contents(words []content) []content {
	if n.content.role != 0 {
		words = append(words, n.content)
	}
	for _, part := range n.parts[:len(n.production.parts)] {
		words = part.contents(words)
	}
	return words
}

// uniform is a number in [0, 1), from the generator's bits alone: what is drawn for a seed must not change with Go.
func uniform(random *rand.Rand) float64 { return float64(random.Uint64()>>11) / (1 << 53) }
