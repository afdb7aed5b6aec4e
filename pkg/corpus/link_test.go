package corpus

import (
	"reflect"
	"slices"
	"testing"
)

func TestReversed(t *testing.T) {
	p := Pair{Source: []string{"european", "area"}, Target: []string{"zone", "européenne", "."},
		Links: []Link{{Source: 1, Target: 0}, {Source: 0, Target: 1, Possible: true}}}
	want := Pair{Source: p.Target, Target: p.Source, Links: []Link{{Source: 1, Target: 0, Possible: true}, {Source: 0, Target: 1}}}
	if got := p.Reversed(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	twice := ReversePairs(ReversePairs([]Pair{p}))[0]
	if SortLinks(p.Links); !reflect.DeepEqual(twice, p) {
		t.Errorf("reversed twice: %+v, want %+v", twice, p)
	}
	if got := (Pair{}).Reversed(); got.Links != nil {
		t.Error("an unknown alignment became an empty one")
	}
}

func TestSortLinks(t *testing.T) {
	links := []Link{{2, 1, false}, {0, 1, true}, {0, 1, false}, {3, 0, false}}
	SortLinks(links)
	if want := []Link{{3, 0, false}, {0, 1, false}, {0, 1, true}, {2, 1, false}}; !slices.Equal(links, want) {
		t.Errorf("%v, want %v", links, want)
	}
}
