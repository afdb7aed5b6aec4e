package recurrent_test

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// size is that of the model that the benchmarks train: vocabulary, embedding, hidden units, steps, batch.
type size struct{ v, e, h, t, b int }

func (s size) String() string { return fmt.Sprintf("V%d_E%d_H%d_T%d_B%d", s.v, s.e, s.h, s.t, s.b) }

var (
	small  = size{400, 32, 64, 12, 64}
	medium = size{4000, 128, 256, 20, 64}
)

// encoderDecoder is a GRU encoder with a GRU decoder that attends to it additively, on [T,B] tokens; it gives the logits [T·B,V].
func (s size) encoderDecoder(options ...Option) func(scope *model.Scope, inputs []*Node) []*Node {
	return func(scope *model.Scope, inputs []*Node) []*Node {
		p := NewParameters(scope.At("model"), inputs[0].Graph(), 7)
		cell := GRU{ResetAfter: true}
		embed := func(name string, tokens *Node) *Node {
			return Gather(p.Value(name, Uniform(0.1), s.v, s.e), ExpandAxes(tokens, -1))
		}
		encoder := NewWeights(p.At("encoder"), cell, s.e, s.h, Start{})
		h, last := Layer(cell, encoder, embed("source", inputs[0]), nil, options...)

		values := TransposeAllAxes(h, 1, 0, 2) // [B,S,H]
		ua := p.Value("U_a", Glorot(1), s.h, s.h)
		keys := MatMul(values, ua)
		wa, va := p.Value("W_a", Glorot(1), s.h, s.h), p.Value("v_a", Glorot(1), s.h, 1)
		c := p.Value("C", Glorot(3), s.h, 3*s.h)
		decoder := NewWeights(p.At("decoder"), cell, s.e, s.h, Start{})
		step := func(loop *Loop, state, x, k []*Node) (next, y []*Node) {
			keys, values, wa, va, c, u := k[0], k[1], k[2], k[3], k[4], k[5:]
			q := loop.Dot(state[0], wa)
			e := Reshape(MatMul(Reshape(Tanh(Add(keys, ExpandAxes(q, 1))), -1, s.h), va), s.b, s.t)
			context := loop.Dot(Softmax(e, -1), values)
			next = cell.Step(loop, Add(x[0], loop.Dot(context, c)), state, u)
			return next, append(next[:1:1], context)
		}
		_, ys := Scan(step, last, []*Node{decoder.Gates(embed("target", inputs[1]))}, append([]*Node{keys, values, wa, va, c}, decoder.U...), options...)
		o := Reshape(Concatenate(ys, -1), -1, 2*s.h)
		return []*Node{Add(MatMul(o, p.Value("W_o", Glorot(1), 2*s.h, s.v)), ExpandAxes(p.Value("b_o", Constant(0), s.v), 0))}
	}
}

// crossEntropy is the mean over all tokens, in nats.
func (s size) crossEntropy(labels, logits []*Node) *Node {
	picked := Mul(LogSoftmax(logits[0], -1), OneHot(Reshape(labels[0], -1), s.v, dtypes.Float32))
	return Neg(ReduceAllMean(ReduceSum(picked, -1)))
}

// batch is reversal: the target is the source from its end.
func (s size) batch() train.Batch {
	rng := rand.New(rand.NewPCG(1, 1))
	source, target, before := make([][]int32, s.t), make([][]int32, s.t), make([][]int32, s.t)
	for i := range source {
		source[i] = make([]int32, s.b)
		for j := range source[i] {
			source[i][j] = int32(1 + rng.IntN(s.v-1))
		}
	}
	for i := range target {
		target[i] = source[s.t-1-i]
		before[i] = make([]int32, s.b)
		if i > 0 {
			before[i] = target[i-1]
		}
	}
	return train.Batch{
		Inputs: []*tensors.Tensor{tensors.FromValue(source), tensors.FromValue(before)},
		Labels: []*tensors.Tensor{tensors.FromValue(target)},
	}
}

func (s size) trainer(e *engine.Engine, options ...Option) *train.Trainer {
	store := model.NewStore()
	store.SetParam(optimizer.ParamLearningRate, 0.01)
	return train.NewTrainer(e.Backend, store, s.encoderDecoder(options...), s.crossEntropy, Clipped(optimizer.Adam().Done(), 1), nil, nil)
}

// update trains on one batch and returns its loss.
func update(tb testing.TB, trainer *train.Trainer, batch train.Batch) float32 {
	metrics, err := trainer.TrainStep(batch)
	if err != nil {
		tb.Fatal(err)
	}
	return metrics[0].Value().(float32)
}

// processorTime is what this process has used of the processors: on a machine with other work on it a steadier measure than the clock.
func processorTime(tb testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkUpdate is the time of an update of an encoder-decoder with attention, by the clock and of the processors; "first-cpu-s" is that of the
// first one, compilation included, in seconds.
func BenchmarkUpdate(b *testing.B) {
	for _, kind := range []engine.Kind{engine.XLA, engine.Go} {
		for _, s := range []size{small, medium} {
			for _, way := range []string{"loop", "unrolled"} {
				if kind == engine.Go && (way == "loop" || s == medium) {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%s", kind, s, way), func(b *testing.B) {
					var options []Option
					if way == "unrolled" {
						options = append(options, Unrolled())
					}
					trainer, batch := s.trainer(enginetest.Open(b, kind), options...), s.batch()
					start := processorTime(b)
					update(b, trainer, batch)
					before := processorTime(b)
					for b.Loop() {
						update(b, trainer, batch)
					}
					b.ReportMetric(1000*(processorTime(b)-before).Seconds()/float64(b.N), "cpu-ms/op")
					b.ReportMetric((before - start).Seconds(), "first-cpu-s")
				})
			}
		}
	}
}
