package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// Parser finds the French sentence and the links of an English one. It is not safe for use from several goroutines.
type Parser struct {
	rules  *rules
	root   *category
	writer writer

	words []string // "an" is "a"
	found map[span][]*node
}

// span is a stretch of the sentence read as a category.
type span struct {
	category *category
	from, n  int
}

// readings bounds how many trees are kept of a span. They differ in what belongs to what ("the man in the garden"), not in
// their French.
const readings = 8

// NewParser makes a parser.
func NewParser() *Parser {
	p := &Parser{rules: newRules()}
	p.root = p.rules.category(symbol{kind: sentence})
	return p
}

// Parse is the sentence with this source, in lower case and with its final mark. The error of one that the grammar does not
// make names its unknown words, where there are any.
func (p *Parser) Parse(source []string) (Sentence, error) {
	all := p.parse(source)
	if len(all) == 0 {
		return Sentence{}, p.reason(source)
	}
	return p.write(all[0]), nil
}

func (p *Parser) write(root *node) Sentence { return p.writer.sentence(root, p.writer.english(root)) }

// parse is all readings of a source, at most as many as are kept.
func (p *Parser) parse(source []string) (roots []*node) {
	if len(source) > longest {
		return nil
	}
	p.rules.forget()
	p.found = map[span][]*node{}
	p.words = slices.Clone(source)
	for i, w := range p.words {
		if w == "an" {
			p.words[i] = "a"
		}
	}
	for _, root := range p.phrases(p.root, 0, len(source)) {
		if slices.Equal(p.writer.english(root), source) {
			roots = append(roots, root)
		}
	}
	return roots
}

func (p *Parser) reason(source []string) error {
	known := map[string]bool{"an": true}
	p.rules.each(p.root, func(pr *production) {
		row := pr.english
		if pr.front != nil {
			row = append([]item{*pr.front}, row...)
		}
		for _, it := range row {
			for _, w := range it.forms {
				known[w] = true
			}
		}
	})
	var unknown []string
	for _, w := range source {
		if !known[w] && !slices.Contains(unknown, w) {
			unknown = append(unknown, w)
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("grammar: %q is no sentence of the grammar: it does not know %s", joined(source), strings.Join(unknown, ", "))
	}
	return fmt.Errorf("grammar: %q is no sentence of the grammar, though its words are: see the constructions in docs/grammar.md", joined(source))
}

// phrases are the readings of words [from, from+n) as a category.
func (p *Parser) phrases(c *category, from, n int) []*node {
	if p.rules.weight(c, n) == 0 {
		return nil
	}
	key := span{c, from, n}
	nodes, done := p.found[key]
	if done {
		return nodes
	}
	for i := range c.productions {
		pr := &c.productions[i]
		if len(nodes) == readings {
			break
		}
		if first := &pr.english[0]; first.part == 0 && !slices.Contains(first.forms, p.words[from]) ||
			p.rules.rest(pr, 0, n-pr.words) == 0 {
			continue
		}
		this := node{production: pr}
		p.match(&this, 0, from, n, func() bool {
			if this.agrees().person != 0 {
				// What agrees with this phrase is inside it, so that its English is final.
				words := this.write(p.writer.source[:0], english, context{})
				p.writer.source = words
				for j, w := range words {
					if w.text != p.words[from+j] {
						return true
					}
				}
			}
			kept := p.rules.node(pr)
			kept.parts = this.parts
			nodes = append(nodes, kept)
			return len(nodes) < readings
		})
	}
	p.found[key] = nodes
	return nodes
}

// match fits the items of a production from the k-th on to n words, and calls found for every way; it ends early, false, where
// found does.
func (p *Parser) match(this *node, k, from, n int, found func() bool) bool {
	if k == len(this.english) {
		return n > 0 || found()
	}
	it := &this.english[k]
	if it.part == 0 || it.fronted {
		if n == 0 || it.part == 0 && !slices.Contains(it.forms, p.words[from]) {
			return true
		}
		return p.match(this, k+1, from+1, n-1, found)
	}
	after := len(this.english) - k - 1 // every item has a word at least
	least := 1
	if after == 0 {
		least = n
	}
	for m := least; m <= n-after; m++ {
		for _, part := range p.phrases(this.production.parts[it.part-1], from, m) {
			this.parts[it.part-1] = part
			if !p.match(this, k+1, from+m, n-m, found) {
				return false
			}
		}
	}
	return true
}
