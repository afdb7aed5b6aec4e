package corpus

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// numbered makes pairs of the given source and target lengths, every id in them different.
func numbered(lengths ...[2]int) []Encoded {
	next := int32(firstWord)
	ids := func(n int) []int32 {
		var s []int32
		for range n {
			s = append(s, next)
			next++
		}
		return s
	}
	var pairs []Encoded
	for _, l := range lengths {
		pairs = append(pairs, Encoded{ids(l[0]), ids(l[1])})
	}
	return pairs
}

// someLengths are n lengths such as a corpus has them: many short, few long.
func someLengths(n int) [][2]int {
	random := rand.New(rand.NewPCG(7, 0))
	var lengths [][2]int
	for range n {
		s := 3 + int(random.ExpFloat64()*9)
		lengths = append(lengths, [2]int{s, max(1, s+random.IntN(5)-2)})
	}
	return lengths
}

// column is one column of a row-major array with b columns.
func column(array []int32, b, k int) []int32 {
	var ids []int32
	for i := k; i < len(array); i += b {
		ids = append(ids, array[i])
	}
	return ids
}

// checkBatch verifies a batch against the pairs that it was made of and counts each pair in seen.
func checkBatch(t *testing.T, b *Batch, pairs []Encoded, eos bool, seen map[int]int) {
	t.Helper()
	if len(b.Source) != b.S*b.B || len(b.Target) != b.T*b.B || len(b.SourceLengths) != b.B || len(b.TargetLengths) != b.B || len(b.Index) != b.B {
		t.Fatalf("sizes of arrays do not fit S %d, T %d, B %d", b.S, b.T, b.B)
	}
	padded := func(ids []int32, eos bool, n int) []int32 {
		ids = slices.Clone(ids)
		if eos {
			ids = append(ids, EOS)
		}
		return append(ids, make([]int32, n-len(ids))...)
	}
	for k, i := range b.Index {
		source, target := column(b.Source, b.B, k), column(b.Target, b.B, k)
		var want Encoded
		var s, l int
		if i < 0 {
			want = Encoded{make([]int32, b.S), make([]int32, b.T)}
		} else {
			seen[i]++
			p := pairs[i]
			want = Encoded{padded(p.Source, eos, b.S), padded(p.Target, true, b.T)}
			s, l = len(p.Source), len(p.Target)+1
			if eos {
				s++
			}
		}
		if !slices.Equal(source, want.Source) || !slices.Equal(target, want.Target) {
			t.Errorf("column %d, pair %d: %v → %v, want %v → %v", k, i, source, target, want.Source, want.Target)
		}
		if int(b.SourceLengths[k]) != s || int(b.TargetLengths[k]) != l {
			t.Errorf("column %d, pair %d: lengths %d and %d, want %d and %d", k, i, b.SourceLengths[k], b.TargetLengths[k], s, l)
		}
	}
}

func TestEpochHoldsEachPairOnce(t *testing.T) {
	for _, c := range []struct {
		name  string
		pairs []Encoded
		o     BatchOptions
	}{
		{"5 pairs, batch 4", numbered(someLengths(5)...), BatchOptions{Size: 4}},
		{"3 pairs, batch 8", numbered(someLengths(3)...), BatchOptions{Size: 8}},
		{"1 pair", numbered([2]int{3, 2}), BatchOptions{Size: 4}},
		{"batch 1", numbered(someLengths(9)...), BatchOptions{Size: 1}},
		{"many", numbered(someLengths(1000)...), BatchOptions{Size: 32, Seed: 3}},
		{"no source EOS", numbered(someLengths(50)...), BatchOptions{Size: 8, NoSourceEOS: true}},
		{"empty sentences", numbered([2]int{0, 3}, [2]int{2, 0}, [2]int{0, 0}), BatchOptions{Size: 2}},
		{"given buckets", numbered([2]int{2, 2}, [2]int{2, 9}, [2]int{9, 2}), BatchOptions{Size: 2, Buckets: []Bucket{{3, 3}, {3, 10}, {12, 10}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := NewBatches(c.pairs, c.o)
			if err != nil {
				t.Fatal(err)
			}
			for epoch := range 3 {
				seen, n, tokens := map[int]int{}, 0, 0
				for batch := range b.Epoch(epoch) {
					n++
					tokens += batch.Tokens()
					if batch.B != c.o.Size || !slices.Contains(b.Buckets(), Bucket{batch.S, batch.T}) {
						t.Errorf("batch of shape %d×%d×%d, buckets %v", batch.S, batch.T, batch.B, b.Buckets())
					}
					checkBatch(t, batch, c.pairs, !c.o.NoSourceEOS, seen)
				}
				want := 0
				for i, p := range c.pairs {
					want += len(p.Target) + 1
					if seen[i] != 1 {
						t.Errorf("epoch %d holds pair %d %d times", epoch, i, seen[i])
					}
				}
				if n != b.Len() || tokens != want {
					t.Errorf("%d batches with %d tokens, want %d with %d", n, tokens, b.Len(), want)
				}
			}
		})
	}
}

func order(b *Batches, epoch int) string {
	var s []string
	for batch := range b.Epoch(epoch) {
		s = append(s, fmt.Sprint(batch.Index))
	}
	return strings.Join(s, "")
}

// The parts of a batch are batches, of one shape, and hold its columns in their order.
func TestSplitBatch(t *testing.T) {
	for _, c := range []struct{ size, parts, width int }{{8, 2, 4}, {5, 2, 3}, {5, 1, 5}, {5, 3, 2}, {1, 2, 1}, {4, 3, 2}} {
		pairs := numbered(someLengths(c.size)...)
		batches, err := NewBatches(pairs, BatchOptions{Size: c.size, Buckets: []Bucket{{99, 99}}})
		if err != nil {
			t.Fatal(err)
		}
		for batch := range batches.Epoch(0) {
			seen := map[int]int{}
			var order []int
			parts, tokens := batch.Split(c.parts), 0
			for _, part := range parts {
				if part.B != c.width || part.S != batch.S || part.T != batch.T {
					t.Errorf("%+v: a part has B %d, S %d, T %d", c, part.B, part.S, part.T)
				}
				checkBatch(t, part, pairs, true, seen)
				order = append(order, slices.DeleteFunc(slices.Clone(part.Index), func(i int) bool { return i < 0 })...)
				tokens += part.Tokens()
			}
			if len(parts) != c.parts || !slices.Equal(order, batch.Index) || tokens != batch.Tokens() {
				t.Errorf("%+v: %d parts with pairs %v and %d tokens, of a batch with %v and %d", c, len(parts), order, tokens, batch.Index, batch.Tokens())
			}
		}
	}
}

func TestOrderDependsOnSeedAndEpoch(t *testing.T) {
	pairs := numbered(someLengths(200)...)
	make := func(seed uint64) *Batches {
		b, err := NewBatches(pairs, BatchOptions{Size: 8, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b, c := make(1), make(1), make(2)
	later := order(b, 5)
	if order(a, 0) != order(b, 0) || order(a, 5) != later {
		t.Error("the same seed and epoch gave two orders")
	}
	if order(a, 0) == order(a, 1) || order(a, 0) == order(c, 0) {
		t.Error("another epoch or seed gave the same order")
	}
}

// A training that stops after any number of updates goes on as if it had not.
func TestFromResumes(t *testing.T) {
	b, err := NewBatches(numbered(someLengths(60)...), BatchOptions{Size: 8, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	total := 2*b.Len() + 3
	var all []*Batch
	for k, batch := range b.From(0) {
		if k != len(all) {
			t.Fatalf("batch %d has number %d", len(all), k)
		}
		if all = append(all, batch); len(all) == total {
			break
		}
	}
	var epochs []*Batch
	for epoch := range 3 {
		epochs = slices.AppendSeq(epochs, b.Epoch(epoch))
	}
	if !reflect.DeepEqual(all, epochs[:total]) {
		t.Error("From(0) is not epoch after epoch")
	}
	for start := range total {
		for k, batch := range b.From(start) {
			if k == total {
				break
			}
			if !reflect.DeepEqual(batch, all[k]) {
				t.Fatalf("batch %d differs when resumed at %d", k, start)
			}
		}
	}
}

func TestNewBatchesErrors(t *testing.T) {
	one := numbered([2]int{3, 5})
	for _, c := range []struct {
		name  string
		pairs []Encoded
		o     BatchOptions
		want  string
	}{
		{"no pairs", nil, BatchOptions{Size: 4}, "empty"},
		{"no size", one, BatchOptions{}, "Size"},
		{"negative size", one, BatchOptions{Size: -2}, "Size"},
		{"too long a target", one, BatchOptions{Size: 4, Buckets: []Bucket{{4, 5}}}, "pair 0 has 4 source and 6 target"},
		{"no bucket", one, BatchOptions{Size: 4, Buckets: []Bucket{}}, "fits no bucket"},
		{"bucket of 0", one, BatchOptions{Size: 4, Buckets: []Bucket{{0, 5}}}, "Buckets[0]"},
		{"falling buckets", one, BatchOptions{Size: 4, Buckets: []Bucket{{9, 9}, {10, 8}}}, "Buckets[1]"},
		{"empty source without EOS", numbered([2]int{0, 1}), BatchOptions{Size: 4, NoSourceEOS: true}, "pair 0"},
	} {
		if _, err := NewBatches(c.pairs, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestChooseBuckets(t *testing.T) {
	var fixed [][2]int
	for range 100 {
		fixed = append(fixed, [2]int{6, 6})
	}
	if got := ChooseBuckets(numbered(fixed...), BatchOptions{Size: 10}); !reflect.DeepEqual(got, []Bucket{{7, 7}}) {
		t.Errorf("one length: buckets %v", got)
	}
	two := slices.Clone(fixed)
	for range 100 {
		two = append(two, [2]int{30, 33})
	}
	if got := ChooseBuckets(numbered(two...), BatchOptions{Size: 10}); !reflect.DeepEqual(got, []Bucket{{7, 7}, {31, 34}}) {
		t.Errorf("two lengths: buckets %v", got)
	}
	if got := ChooseBuckets(numbered(two...), BatchOptions{Size: 1000}); !reflect.DeepEqual(got, []Bucket{{31, 34}}) {
		t.Errorf("less than a batch: buckets %v", got)
	}
	if got := ChooseBuckets(nil, BatchOptions{Size: 10}); len(got) != 0 {
		t.Errorf("no pairs: buckets %v", got)
	}
	var forty [][2]int
	for n := range 40 {
		forty = append(forty, [2]int{n + 1, n + 1})
	}
	if got := ChooseBuckets(numbered(forty...), BatchOptions{Size: 4}); len(got) > maxBuckets || got[len(got)-1] != (Bucket{41, 41}) {
		t.Errorf("40 lengths: buckets %v", got)
	}
	// Lengths as in a corpus: few shapes, yet little padding, and next to none up to the longest sentence of each batch.
	pairs := numbered(someLengths(5000)...)
	buckets := ChooseBuckets(pairs, BatchOptions{Size: 32})
	if len(buckets) < 3 || len(buckets) > maxBuckets {
		t.Errorf("buckets %v", buckets)
	}
	b, err := NewBatches(pairs, BatchOptions{Size: 32})
	if err != nil {
		t.Fatal(err)
	}
	var padded, longest, needed int
	for batch := range b.Epoch(0) {
		padded += batch.T * batch.B
		longest += int(slices.Max(batch.TargetLengths)) * batch.B
		needed += batch.Tokens()
	}
	if all := float64(padded) / float64(needed); all > 1.6 {
		t.Errorf("%d target places for %d ids: %.2f", padded, needed, all)
	}
	if used := float64(longest) / float64(needed); used > 1.1 {
		t.Errorf("%d target places up to the longest of each batch for %d ids: %.2f", longest, needed, used)
	}
}

func ExampleNewBatches() {
	pairs := []Pair{
		{Source: []string{"a", "dog"}, Target: []string{"un", "chien"}},
		{Source: []string{"dogs"}, Target: []string{"des", "chiens"}},
	}
	source, _ := NewVocabulary(Sources(pairs), VocabularyOptions{})
	target, _ := NewVocabulary(Targets(pairs), VocabularyOptions{})
	batches, err := NewBatches(EncodePairs(pairs, source, target), BatchOptions{Size: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	for batch := range batches.Epoch(0) {
		fmt.Println("pairs", batch.Index, "lengths", batch.SourceLengths)
		for s := range batch.S { // one row a source step, one column a sentence
			var row []string
			for _, id := range batch.Source[s*batch.B : (s+1)*batch.B] {
				row = append(row, source.Word(id))
			}
			fmt.Println(strings.Join(row, " "))
		}
	}
	// Output:
	// pairs [1 0 -1] lengths [2 3 0]
	// dogs a <pad>
	// </s> dog <pad>
	// <pad> </s> <pad>
}

func BenchmarkEpoch(b *testing.B) {
	batches, err := NewBatches(numbered(someLengths(60000)...), BatchOptions{Size: 64})
	if err != nil {
		b.Fatal(err)
	}
	for epoch := 0; b.Loop(); epoch++ {
		for range batches.Epoch(epoch) {
		}
	}
}
