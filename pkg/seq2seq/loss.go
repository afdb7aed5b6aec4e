package seq2seq

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// coverageLoss is Σ_i Σ_j min(α_ij, Σ_{k<i} α_kj), the attention that goes where some went before (See, Liu and Manning 2017, equation
// 12), of weights α [T,B,S] and the real steps [T,B] of all sentences.
func coverageLoss(alpha, real *Node) *Node {
	if alpha.Rank() != 3 || !real.Shape().EqualDimensions(shapes.Make(real.DType(), alpha.Shape().Dimensions[:2]...)) {
		panic(fmt.Errorf("seq2seq: coverage loss of attention %s and steps %s: want [T,B,S] and [T,B]", alpha.Shape(), real.Shape()))
	}
	g, t := alpha.Graph(), alpha.Shape().Dim(0)
	steps := shapes.Make(alpha.DType(), t, t)
	before := ConvertDType(LessThan(Iota(g, steps, 1), Iota(g, steps, 0)), alpha.DType()) // 1 where k < i
	coverage := DotGeneral(before, []int{1}, nil, alpha, []int{0}, nil)                   // [T,B,S]
	again := Min(alpha, coverage)
	return ReduceAllSum(Where(BroadcastToShape(ExpandAxes(real, -1), shapes.Make(real.DType(), alpha.Shape().Dimensions...)), again, ZerosLike(again)))
}

// nats is the cross-entropy −log p(target) of each row, [N], of logits [N,V] and target ids [N]; 0, without gradient, where
// real [N] is false.
//
// Its gradient is written by hand, p − onehot(target): it reuses the forward pass's exponentials, where the derivative of a
// log-softmax would pass over [N,V] several times more.
func nats(logits, target, real *Node) *Node {
	if logits.Rank() != 2 || target.Rank() != 1 || target.Shape().Dim(0) != logits.Shape().Dim(0) || !real.Shape().EqualDimensions(target.Shape()) {
		panic(fmt.Errorf("seq2seq: cross-entropy of logits %s, target %s, real %s: want [N,V], [N], [N]", logits.Shape(), target.Shape(), real.Shape()))
	}
	g, n, v := logits.Graph(), logits.Shape().Dim(0), logits.Shape().Dim(1)
	l := StopGradient(logits)
	largest := ReduceAndKeep(l, ReduceMax, -1)
	exps := Exp(Sub(l, largest))
	sum := ReduceAndKeep(exps, ReduceSum, -1)
	hit := Equal(Iota(g, shapes.Make(target.DType(), n, v), 1), ExpandAxes(target, -1))
	at := Concatenate([]*Node{Iota(g, shapes.Make(target.DType(), n, 1), 0), ExpandAxes(target, -1)}, -1)
	picked := Gather(l, at)
	loss := Sub(Add(Log(Squeeze(sum, -1)), Squeeze(largest, -1)), picked)

	// The first column of the logits, minus itself, adds nothing to the loss but a way for the gradient: what comes back along it is
	// the loss's own gradient, row by row.
	way := IdentityWithCustomGradient(logits, func(_, back *Node) *Node {
		upstream := Slice(back, AxisRange(), AxisRange(0, 1)) // [N,1]
		gradient := Sub(Mul(exps, Reciprocal(sum)), ConvertDType(hit, l.DType()))
		return Mul(upstream, Where(BroadcastToDims(ExpandAxes(real, -1), n, v), gradient, ZerosLike(gradient)))
	})
	first := Squeeze(Slice(way, AxisRange(), AxisRange(0, 1)), -1)
	return Add(Where(real, loss, ZerosLike(loss)), Sub(first, StopGradient(first)))
}
