package corpus

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// checkLinked verifies that each target word is the source word that its link names, and that no source occurs twice.
func checkLinked(t *testing.T, d Data) {
	t.Helper()
	seen := map[string]bool{}
	for _, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
		for _, p := range pairs {
			key := strings.Join(p.Source, " ")
			if seen[key] {
				t.Fatalf("source %q occurs twice", key)
			}
			seen[key] = true
			if len(p.Source) != len(p.Target) || len(p.Links) != len(p.Target) {
				t.Fatalf("%v", p)
			}
			for i, l := range p.Links {
				if l.Target != i || l.Possible || p.Source[l.Source] != p.Target[l.Target] {
					t.Fatalf("link %v of %v", l, p)
				}
			}
		}
	}
}

func TestDigitTasks(t *testing.T) {
	reversed := func(s []string) []string { s = slices.Clone(s); slices.Reverse(s); return s }
	sorted := func(s []string) []string { s = slices.Clone(s); slices.Sort(s); return s }
	for _, c := range []struct {
		name string
		make func(DigitOptions) (Data, error)
		want func([]string) []string
	}{{"reverse", ReverseDigits, reversed}, {"copy", CopyDigits, slices.Clone[[]string]}, {"sort", SortDigits, sorted}} {
		t.Run(c.name, func(t *testing.T) {
			d, err := c.make(DigitOptions{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if d.Name != c.name || d.Source != "digits" || len(d.Train) != 2000 || len(d.Dev) != 200 || len(d.Test) != 200 {
				t.Errorf("%s, %d, %d, %d pairs", d.Name, len(d.Train), len(d.Dev), len(d.Test))
			}
			checkLinked(t, d)
			for _, p := range d.Train {
				if len(p.Source) != 6 || !slices.Equal(p.Target, c.want(p.Source)) {
					t.Fatalf("%v", p)
				}
			}
			again, _ := c.make(DigitOptions{Seed: 1})
			other, _ := c.make(DigitOptions{Seed: 2})
			if !reflect.DeepEqual(d, again) || reflect.DeepEqual(d, other) {
				t.Error("the seed does not fix the data, or changes nothing")
			}
		})
	}
}

func TestSortLinksAreStable(t *testing.T) {
	d, err := SortDigits(DigitOptions{Digits: 2, MinLength: 6, Train: 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Train {
		for i := 1; i < len(p.Links); i++ {
			if p.Target[i] == p.Target[i-1] && p.Links[i].Source < p.Links[i-1].Source {
				t.Fatalf("equal digits change places in %v", p)
			}
		}
	}
}

func TestDigitLengths(t *testing.T) {
	// All 10 sequences of length 1 and all 100 of length 2 are wanted, and each part gets its share of every length.
	d, err := CopyDigits(DigitOptions{MinLength: 1, MaxLength: 3, Train: 555, Dev: 300, Test: 255})
	if err != nil {
		t.Fatal(err)
	}
	checkLinked(t, d)
	all := map[int]int{}
	for _, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
		here := map[int]int{}
		for _, p := range pairs {
			here[len(p.Source)]++
			all[len(p.Source)]++
		}
		if here[2] < 10 {
			t.Errorf("lengths %v in a part", here)
		}
	}
	if !reflect.DeepEqual(all, map[int]int{1: 10, 2: 100, 3: 1000}) {
		t.Errorf("lengths %v", all)
	}
	many, err := SortDigits(DigitOptions{Digits: 50, MinLength: 3, Train: 500})
	if err != nil || !slices.ContainsFunc(many.Train, func(p Pair) bool { return len(p.Source[0]) == 2 }) {
		t.Errorf("50 digits: %v", err)
	}
}

func TestDigitErrors(t *testing.T) {
	for _, c := range []struct {
		o    DigitOptions
		want string
	}{
		{DigitOptions{Digits: -1}, "Digits"},
		{DigitOptions{MinLength: -1}, "MinLength"},
		{DigitOptions{MinLength: 5, MaxLength: 4}, "MaxLength"},
		{DigitOptions{Train: -1}, "Train"},
		{DigitOptions{Train: 1, Dev: -1}, "Dev"},
		{DigitOptions{Train: 1, Test: -1}, "Test"},
		{DigitOptions{MaxLength: 2, MinLength: 1, Train: 111}, "only 110 sequences"},
		{DigitOptions{Digits: 1, Train: 2}, "only 1 sequences"},
	} {
		if _, err := ReverseDigits(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
}
