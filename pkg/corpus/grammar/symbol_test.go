package grammar

import "testing"

// TestExpansions: every category that a sentence can lead to has its productions, and they are well made.
func TestExpansions(t *testing.T) {
	r := newRules()
	categories := 0
	r.each(r.category(symbol{kind: sentence}), func(p *production) {
		categories++
		if len(p.parts) > maxParts {
			t.Errorf("a production has %d parts, more than a node holds", len(p.parts))
		}
		for _, row := range [][]item{p.english, p.french} {
			seen := make([]int, len(p.parts)+1)
			for _, it := range row {
				if it.part > len(p.parts) {
					t.Errorf("part %d of %d", it.part, len(p.parts))
				}
				if it.part > 0 && !it.fronted {
					seen[it.part]++
				}
				if it.part == 0 && len(it.forms) != 1 && len(it.forms) != 3 && len(it.forms) != 4 && len(it.forms) != 5 {
					t.Errorf("%v: %d forms", it.forms, len(it.forms))
				}
			}
			for part, n := range seen[1:] {
				if n != 1 {
					t.Errorf("part %d of %v is written %d times", part+1, row, n)
				}
			}
		}
	})
	t.Logf("%d productions in %d categories", categories, len(r.categories))
}
