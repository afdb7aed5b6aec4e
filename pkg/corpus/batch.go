package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// Encoded is a pair as ids, without BOS and EOS.
type Encoded struct{ Source, Target []int32 }

// EncodePairs turns the words of pairs into ids.
func EncodePairs(pairs []Pair, source, target *Vocabulary) []Encoded {
	encoded := make([]Encoded, len(pairs))
	for i, p := range pairs {
		encoded[i] = Encoded{source.Encode(p.Source), target.Encode(p.Target)}
	}
	return encoded
}

// Batch is a few pairs side by side, time-major: row t of an array holds word t of every sentence.
type Batch struct {
	// Source is [S,B] row-major: word s of column b is Source[s*B+b]. Each column ends in EOS, unless the options say
	// otherwise, then in PAD.
	Source []int32
	// Target is [T,B] row-major. Each column ends in EOS, then in PAD; BOS is not in it.
	Target []int32
	// SourceLengths and TargetLengths, [B], count the ids of each column, its EOS included; 0 in a filler column.
	SourceLengths, TargetLengths []int32
	S, T, B                      int
	// Index tells which pair each column is, as a position in the slice given to NewBatches; -1 for a filler column.
	Index []int
}

// newBatch is a batch of filler columns.
func newBatch(s, t, b int) *Batch {
	return &Batch{
		Source: make([]int32, s*b), Target: make([]int32, t*b),
		SourceLengths: make([]int32, b), TargetLengths: make([]int32, b),
		S: s, T: t, B: b, Index: slices.Repeat([]int{-1}, b),
	}
}

// Tokens is the number of target ids that count in the loss: all but padding, EOS included.
func (b *Batch) Tokens() int {
	n := 0
	for _, length := range b.TargetLengths {
		n += int(length)
	}
	return n
}

// Split cuts a batch into n of the same shape, the first with the first columns. Where B is no multiple of n the last ones are filled up with filler columns.
func (b *Batch) Split(n int) []*Batch {
	width := (b.B + n - 1) / n
	parts := make([]*Batch, n)
	for i := range parts {
		part := newBatch(b.S, b.T, width)
		from, to := min(i*width, b.B), min((i+1)*width, b.B)
		for s := range b.S {
			copy(part.Source[s*width:], b.Source[s*b.B+from:s*b.B+to])
		}
		for t := range b.T {
			copy(part.Target[t*width:], b.Target[t*b.B+from:t*b.B+to])
		}
		copy(part.SourceLengths, b.SourceLengths[from:to])
		copy(part.TargetLengths, b.TargetLengths[from:to])
		copy(part.Index, b.Index[from:to])
		parts[i] = part
	}
	return parts
}

// Bucket is a shape that batches may have: so many source and target ids at most, EOS included.
type Bucket struct{ S, T int }

// BatchOptions lays out batches. Only Size must be set.
type BatchOptions struct {
	// Size is the number of columns B of every batch.
	Size int
	// Seed orders the pairs: the order of epoch n depends on nothing but Seed and n.
	Seed uint64
	// Buckets are the shapes to use, each at least as large as the one before in both directions; nil chooses with
	// [ChooseBuckets]. Give those of the training part to another part to compile no further shapes.
	Buckets []Bucket
	// NoSourceEOS leaves EOS off the source. It is on by default, as in Sutskever et al. (2014) and Bahdanau et al. (2015).
	NoSourceEOS bool
}

// Batches deals out a corpus in batches of few shapes, each pair exactly once an epoch.
//
// A pair goes into the first bucket that holds it. Within a bucket an epoch shuffles the pairs, sorts runs of sortedBatches
// batches by length so that the longest sentence of a batch is seldom much longer than its others (a loop that stops there
// gains by it), and cuts them into batches; then the batches of all buckets are shuffled. The last batch of a bucket is filled
// up with empty columns.
type Batches struct {
	pairs   []Encoded
	o       BatchOptions
	eos     int     // ids added to a source
	buckets [][]int // pairs in each bucket
}

// sortedBatches is how many batches are sorted by length together: enough to find similar lengths, few enough for the
// composition of batches to differ from epoch to epoch.
const sortedBatches = 16

// NewBatches makes ready to deal out pairs. It fails where there are none, where an option makes no sense, and where a pair
// fits no given bucket, naming the pair.
func NewBatches(pairs []Encoded, o BatchOptions) (*Batches, error) {
	if len(pairs) == 0 {
		return nil, errors.New("corpus: no pairs to make batches of: the corpus is empty")
	}
	if o.Size <= 0 {
		return nil, fmt.Errorf("corpus: BatchOptions.Size is %d: give the number of pairs a batch, 1 or more", o.Size)
	}
	b := &Batches{pairs: pairs, o: o, eos: 1}
	if o.NoSourceEOS {
		b.eos = 0
		if i := slices.IndexFunc(pairs, func(p Encoded) bool { return len(p.Source) == 0 }); i >= 0 {
			return nil, fmt.Errorf("corpus: pair %d has an empty source, which without EOS cannot be told from a filler column", i)
		}
	}
	if o.Buckets == nil {
		b.o.Buckets = ChooseBuckets(pairs, o)
	} else {
		for i, k := range o.Buckets {
			if k.S < 1 || k.T < 1 || i > 0 && (k.S < o.Buckets[i-1].S || k.T < o.Buckets[i-1].T) {
				return nil, fmt.Errorf("corpus: BatchOptions.Buckets[%d] is %d×%d: give sizes of 1 or more, each at least the one before", i, k.S, k.T)
			}
		}
	}
	b.buckets = make([][]int, len(b.o.Buckets))
	for i, p := range pairs {
		k := slices.IndexFunc(b.o.Buckets, func(k Bucket) bool { return len(p.Source)+b.eos <= k.S && len(p.Target)+1 <= k.T })
		if k < 0 {
			return nil, fmt.Errorf("corpus: pair %d has %d source and %d target ids with EOS and fits no bucket of %v: add a larger one or filter by length",
				i, len(p.Source)+b.eos, len(p.Target)+1, o.Buckets)
		}
		b.buckets[k] = append(b.buckets[k], i)
	}
	return b, nil
}

// Len is the number of batches in every epoch.
func (b *Batches) Len() int {
	n := 0
	for _, in := range b.buckets {
		n += (len(in) + b.o.Size - 1) / b.o.Size
	}
	return n
}

// Buckets are the shapes in use, smallest first.
func (b *Batches) Buckets() []Bucket { return slices.Clone(b.o.Buckets) }

// Epoch yields the batches of epoch n, counted from 0, in an order that depends on nothing but the seed and n.
func (b *Batches) Epoch(n int) iter.Seq[*Batch] {
	return func(yield func(*Batch) bool) {
		for _, p := range b.plan(n) {
			if !yield(b.lay(p)) {
				return
			}
		}
	}
}

// From yields batches without end, epoch after epoch, from number k (0-based) on, each with its number: a training that
// stopped after k updates goes on with From(k) as if it had not stopped.
func (b *Batches) From(k int) iter.Seq2[int, *Batch] {
	return func(yield func(int, *Batch) bool) {
		n := b.Len()
		for epoch, first := k/n, k%n; ; epoch, first = epoch+1, 0 {
			for i, p := range b.plan(epoch)[first:] {
				if !yield(epoch*n+first+i, b.lay(p)) {
					return
				}
			}
		}
	}
}

// planned is a batch before it is laid out: which pairs, in which bucket.
type planned struct {
	bucket int
	pairs  []int
}

// plan is the order of epoch n.
func (b *Batches) plan(n int) []planned {
	random := rand.New(rand.NewPCG(b.o.Seed, uint64(n)))
	plan := make([]planned, 0, b.Len())
	for k, in := range b.buckets {
		order := slices.Clone(in)
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for pool := range slices.Chunk(order, sortedBatches*b.o.Size) {
			slices.SortStableFunc(pool, func(i, j int) int {
				p, q := b.pairs[i], b.pairs[j]
				return cmp.Or(cmp.Compare(len(p.Target), len(q.Target)), cmp.Compare(len(p.Source), len(q.Source)))
			})
			for pairs := range slices.Chunk(pool, b.o.Size) {
				plan = append(plan, planned{k, pairs})
			}
		}
	}
	random.Shuffle(len(plan), func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
	return plan
}

// lay writes the pairs of a planned batch side by side.
func (b *Batches) lay(p planned) *Batch {
	shape, size := b.o.Buckets[p.bucket], b.o.Size
	batch := newBatch(shape.S, shape.T, size)
	for column, i := range p.pairs {
		batch.Index[column] = i
		batch.SourceLengths[column] = down(batch.Source, size, column, b.pairs[i].Source, b.eos == 1)
		batch.TargetLengths[column] = down(batch.Target, size, column, b.pairs[i].Target, true)
	}
	return batch
}

// down writes ids into one column of a row-major array, with EOS behind them if wanted, and returns how many it wrote.
func down(array []int32, columns, column int, ids []int32, eos bool) int32 {
	for t, id := range ids {
		array[t*columns+column] = id
	}
	n := len(ids)
	if eos {
		array[n*columns+column] = EOS
		n++
	}
	return int32(n)
}

// maxBuckets and worthABucket keep shapes few: each is a graph to compile.
const (
	maxBuckets   = 5
	worthABucket = 0.9 // a further bucket must bring the steps of an epoch down to this part
)

// ChooseBuckets picks at most five shapes for pairs in batches of o.Size: those with the fewest steps an epoch, that is,
// batches times their longest side, found by dynamic programming over that side. A further shape has to save a tenth of the
// steps. Each shape is as tight as the pairs in it allow. Empty where there are no pairs or o.Size is not positive.
func ChooseBuckets(pairs []Encoded, o BatchOptions) []Bucket {
	if len(pairs) == 0 || o.Size <= 0 {
		return nil
	}
	eos := 1
	if o.NoSourceEOS {
		eos = 0
	}
	side := func(p Encoded) int { return max(len(p.Source)+eos, len(p.Target)+1) }
	count := map[int]int{}
	for _, p := range pairs {
		count[side(p)]++
	}
	lengths := make([]int, 0, len(count))
	for length := range count {
		lengths = append(lengths, length)
	}
	slices.Sort(lengths)
	before := make([]int, len(lengths)+1) // before[i] pairs are shorter than lengths[i]
	for i, length := range lengths {
		before[i+1] = before[i] + count[length]
	}
	// steps[j] is the least number of steps for lengths[:j] in k buckets, cut[k][j] where the last of these begins.
	steps := slices.Repeat([]int{math.MaxInt}, len(lengths)+1)
	steps[0] = 0
	var cut [][]int
	least := math.MaxInt
	for k := range maxBuckets {
		next, from := slices.Repeat([]int{math.MaxInt}, len(lengths)+1), make([]int, len(lengths)+1)
		for j := 1; j <= len(lengths); j++ {
			for i := range j {
				if steps[i] == math.MaxInt {
					continue
				}
				batches := (before[j] - before[i] + o.Size - 1) / o.Size
				if s := steps[i] + batches*lengths[j-1]; s < next[j] {
					next[j], from[j] = s, i
				}
			}
		}
		all := next[len(lengths)]
		if k > 0 && float64(all) > worthABucket*float64(least) {
			break
		}
		steps, least, cut = next, all, append(cut, from)
	}
	buckets := make([]Bucket, len(cut))
	edges := make([]int, len(cut))
	for k, j := len(cut)-1, len(lengths); k >= 0; k-- {
		edges[k] = lengths[j-1]
		j = cut[k][j]
	}
	for _, p := range pairs {
		k, _ := slices.BinarySearch(edges, side(p))
		buckets[k] = Bucket{max(buckets[k].S, len(p.Source)+eos), max(buckets[k].T, len(p.Target)+1)}
	}
	for k := 1; k < len(buckets); k++ {
		buckets[k] = Bucket{max(buckets[k].S, buckets[k-1].S), max(buckets[k].T, buckets[k-1].T)}
	}
	return buckets
}
