package grammar

import (
	"reflect"
	"testing"
)

func TestItems(t *testing.T) {
	row, head := items("the/5 *2 ^1/4 ne?/1 looks/v $1 , bon|bonne|bons|bonnes @ce .")
	want := []item{
		{forms: []string{"the"}, slot: 5},
		{part: 2, slot: ownSlot},
		{part: 1, fronted: true, slot: 4},
		{forms: []string{"ne"}, slot: 1, possible: true},
		{forms: []string{"looks"}, slot: verbSlot},
		{part: 1, slot: ownSlot},
		{forms: []string{","}, slot: markSlot},
		{forms: []string{"bon", "bonne", "bons", "bonnes"}, slot: ownSlot},
		{forms: []string{"ce", "cette", "ces", "ces"}, slot: ownSlot},
		{forms: []string{"."}, slot: markSlot + 1},
	}
	if !reflect.DeepEqual(row, want) || head != 2 {
		t.Errorf("items: %+v with head %d, want %+v with head 2", row, head, want)
	}
	if n := ownWords(row); n != 8 {
		t.Errorf("the row writes %d words itself, want 8", n)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown paradigm must panic")
		}
	}()
	items("@nothing")
}

func TestDraftHolds(t *testing.T) {
	d := phrase(1, "a", "b").holding(Negation, Question)
	if !d.holds.Has(Negation, Question) || d.holds.Has(Negation, Clitic) || d.holds.Has(Clitic) {
		t.Errorf("holding Negation and Question gives %b", d.holds)
	}
}
