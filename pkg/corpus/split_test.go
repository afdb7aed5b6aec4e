package corpus

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// bitext makes pairs of "source=target" words.
func bitext(pairs ...string) []Pair {
	var all []Pair
	for _, p := range pairs {
		source, target, _ := strings.Cut(p, "=")
		all = append(all, Pair{Source: strings.Fields(source), Target: strings.Fields(target)})
	}
	return all
}

// checkApart verifies that no source stands in two parts and that none in dev and test is a twin.
func checkApart(t *testing.T, d Data) {
	t.Helper()
	where := map[string]int{}
	for part, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
		seen := map[string]bool{}
		for _, p := range pairs {
			source := sentenceKey(p.Source)
			if before, ok := where[source]; ok && before != part {
				t.Errorf("source %q stands in parts %d and %d", source, before, part)
			}
			where[source] = part
			pair := source + "=" + sentenceKey(p.Target)
			if part > 0 && seen[pair] {
				t.Errorf("%q stands twice in part %d", pair, part)
			}
			seen[pair] = true
		}
	}
}

func TestSplit(t *testing.T) {
	// 700 different sources, 30% of all pairs are duplicates, one source has three targets.
	var pairs []Pair
	random := rand.New(rand.NewPCG(1, 0))
	for i := range 700 {
		pairs = append(pairs, bitext(fmt.Sprintf("Source %d=target %d", i, i))...)
	}
	for range 300 {
		twin := pairs[random.IntN(700)]
		if random.IntN(2) == 0 {
			twin = Pair{Source: strings.Fields(strings.ToUpper(strings.Join(twin.Source, " "))), Target: twin.Target}
		}
		pairs = append(pairs, twin)
	}
	pairs = append(pairs, bitext("many=one", "many=two", "Many=three")...)
	random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	inTest := 0
	for seed := range uint64(20) {
		d, err := Split(pairs, 100, 100, seed)
		if err != nil {
			t.Fatal(err)
		}
		checkApart(t, d)
		if len(d.Dev) != 100 || len(d.Test) != 100 || len(d.Train) < 500 {
			t.Errorf("parts of %d, %d and %d", len(d.Train), len(d.Dev), len(d.Test))
		}
		if n := strings.Count(fmt.Sprint(d.Test), "any]"); n > 0 {
			if inTest++; n != 3 {
				t.Errorf("%d of 3 targets of one source in the test part", n)
			}
		}
		again, _ := Split(pairs, 100, 100, seed)
		if !reflect.DeepEqual(d, again) {
			t.Error("the seed does not fix the split")
		}
	}
	if inTest == 0 || inTest == 20 {
		t.Errorf("the source with three targets was in the test part %d times in 20", inTest)
	}
}

func TestSplitErrors(t *testing.T) {
	three := bitext("a=1", "b=2", "c=3")
	for _, c := range []struct {
		pairs     []Pair
		dev, test int
		ok        bool
	}{
		{three, 1, 1, true}, {three, 0, 2, true}, {three, 0, 0, true},
		{three, 1, 2, false}, {three, 3, 0, false}, {three, -1, 1, false}, {three, 1, -1, false}, {nil, 0, 0, false}, {nil, 1, 1, false},
		{bitext("a=1", "a=2", "a=3", "b=1", "b=2", "b=3"), 0, 2, false}, // no source fits
	} {
		if d, err := Split(c.pairs, c.dev, c.test, 1); (err == nil) != c.ok {
			t.Errorf("%d pairs into %d and %d: %v, %v", len(c.pairs), c.dev, c.test, d, err)
		}
	}
}

func TestSplitKeepsOrder(t *testing.T) {
	var pairs []Pair
	for i := range 50 {
		pairs = append(pairs, bitext(fmt.Sprintf("%02d=x", i))...)
	}
	d, err := Split(pairs, 10, 10, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]Pair{d.Train, d.Dev, d.Test} {
		if !slices.IsSortedFunc(part, func(a, b Pair) int { return strings.Compare(a.Source[0], b.Source[0]) }) {
			t.Errorf("order of %v", part)
		}
	}
}

func TestSeparate(t *testing.T) {
	d := Data{Train: bitext("a=1", "B=2", "c=3", "d=4", "e\u0301=7"), Dev: bitext("b=2", "e=5", "C=6", "\u00e9=7"), Test: bitext("c=3", "f=1", "f=1")}
	if n := separate(&d); n != 4 {
		t.Errorf("%d pairs left", n)
	}
	if want := (Data{Train: bitext("a=1", "d=4"), Dev: bitext("b=2", "e=5", "\u00e9=7"), Test: bitext("c=3", "f=1", "f=1")}); !reflect.DeepEqual(d, want) {
		t.Errorf("%v", d)
	}
}
