package seq2seq

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/corpus"
)

// neverWrittenIDs is the number of ids that are never written, the first ones: PAD and BOS. No reference has them, so a model only writes them
// where it knows nothing.
const neverWrittenIDs = corpus.BOS + 1

// impossible is below all logits.
const impossible = -1e30

// mostLikely are, of each row of logits [N,V], the ids of the count words that are most likely, of all that are ever written, and
// their log-probabilities, both [N,count], the most likely first and among equals the lower id.
//
// All words are looked at once, for the largest of each block of them; the rest looks at the blocks that hold the next word. ArgMax, a sort, or
// a pass for each of count words took as long as the product that makes the logits.
func mostLikely(logits *Node, count int) (ids, logProbs *Node) {
	g, n, v := logits.Graph(), logits.Shape().Dim(0), logits.Shape().Dim(1)
	block := min(64, v)
	whole := v - v%block // what blocks fill; a last one that they leave is looked at by itself, since what is padded is written once more
	in := func(dims ...int) *Node { return Iota(g, shapes.Make(dtypes.Int32, dims...), len(dims)-1) }
	without := func(x, where *Node) *Node { return Where(where, AddScalar(ZerosLike(x), impossible), x) }

	words := without(logits, LessThan(in(n, v), Scalar(g, dtypes.Int32, neverWrittenIDs)))
	left := ReduceMax(Reshape(Slice(words, AxisRange(), AxisRange(0, whole)), n, -1, block), -1) // the largest of each block that is not taken
	if whole < v {
		left = Concatenate([]*Node{left, ReduceAndKeep(Slice(words, AxisRange(), AxisRange(whole, v)), ReduceMax, -1)}, -1)
	}
	row := Iota(g, shapes.Make(dtypes.Int32, n, 1), 0)
	var allIDs, values []*Node
	for range count {
		value := ReduceAndKeep(left, ReduceMax, -1)
		b := firstEqual(left, value)
		first := MulScalar(b, block)
		begin := MinScalar(first, v-block) // of a last block that is not full, within the one before
		here := Reshape(GatherSlices(logits, []int{0, 1}, Concatenate([]*Node{row, begin}, -1), []int{1, block}, false), n, block)
		id := Add(in(n, block), begin)
		here = without(here, LessThan(id, MaxScalar(first, neverWrittenIDs)))
		for _, taken := range allIDs {
			here = without(here, Equal(id, taken))
		}
		at := firstEqual(here, value)
		rest := ReduceAndKeep(without(here, Equal(in(n, block), at)), ReduceMax, -1)
		left = Where(Equal(in(left.Shape().Dimensions...), b), BroadcastToShape(rest, left.Shape()), left)
		allIDs, values = append(allIDs, Add(at, begin)), append(values, value)
	}
	// The probabilities are of all words, those never written too.
	total := Log(ReduceAndKeep(Exp(Sub(logits, values[0])), ReduceSum, -1))
	return Concatenate(allIDs, -1), Sub(Sub(Concatenate(values, -1), values[0]), total)
}

// firstEqual is the first column of each row of x [N,M] that holds the row's value [N,1], [N,1] Int32; the last one where none does.
func firstEqual(x, value *Node) *Node {
	columns := Iota(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions...), 1)
	last := Scalar(x.Graph(), dtypes.Int32, x.Shape().Dim(1)-1)
	return ReduceAndKeep(Where(Equal(x, value), columns, BroadcastToShape(last, columns.Shape())), ReduceMin, -1)
}
