package transformer

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// wave is an array of fixed numbers between -1 and 1.
func wave(g *Graph, by float64, dims ...int) *Node {
	n := shapes.Make(dtypes.Float32, dims...)
	return Sin(MulScalar(AddScalar(Reshape(Iota(g, shapes.Make(dtypes.Float32, n.Size()), 0), dims...), by), 1.7))
}

// Weights sum to 1 over what may be looked at, and are 0 exactly on padding and on the future, for large scores too. A sentence of
// no words gets zeros, and no gradient is NaN.
func TestWeights(t *testing.T) {
	const b, h, n, d = 3, 2, 4, 3
	lengths := []int32{4, 2, 0}
	for _, large := range []float32{1, 1000} {
		enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
			out := enginetest.Compute(t, e, func(in []*Node) []*Node {
				g := in[0].Graph()
				q, k, v := Mul(in[1], wave(g, 0, b, h, n, d)), wave(g, 1, b, h, n, d), wave(g, 2, b, h, n, d)
				mask := LogicalAnd(BroadcastToDims(Causal(g, n), b, 1, n, n), BroadcastToDims(Padding(in[0], n), b, 1, n, n))
				y, alpha := Attention(q, k, v, mask, nil)
				gradients := Gradient(ReduceAllSum(Mul(y, wave(g, 3, b, h, n, d))), q, k, v)
				return append([]*Node{alpha, y}, gradients...)
			}, lengths, large)
			alpha := floats(out[0])
			for i := range b * h * n {
				sentence, row, sum := i/(h*n), i%n, 0.0
				for j, a := range alpha[i*n : (i+1)*n] {
					sum += float64(a)
					if seen := j <= row && j < int(lengths[sentence]); !seen && a != 0 || seen && !(a >= 0 && a <= 1) {
						t.Errorf("sentence %d, row %d looks at %d with %v", sentence, row, j, a)
					}
				}
				want := 1.0
				if lengths[sentence] == 0 {
					want = 0
				}
				if math.Abs(sum-want) > 1e-5 {
					t.Errorf("sentence %d, row %d sums to %v", sentence, row, sum)
				}
			}
			for k, o := range out[1:] {
				for i, v := range floats(o) {
					if v-v != 0 || i >= 2*h*n*d && v != 0 {
						t.Fatalf("output %d at %d is %v", k, i, v)
					}
				}
			}
		})
	}
}

// What is dropped changes the output and not the weights that are returned.
func TestDropOfWeights(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		out := enginetest.Compute(t, e, func(in []*Node) []*Node {
			g := in[0].Graph()
			q, k, v := wave(g, 0, 1, 1, 2, 3), wave(g, 1, 1, 1, 2, 3), Mul(in[0], wave(g, 2, 1, 1, 2, 3))
			y, alpha := Attention(q, k, v, Padding(Const(g, []int32{2}), 2), nil)
			dropped, same := Attention(q, k, v, Padding(Const(g, []int32{2}), 2), func(x *Node) *Node { return MulScalar(x, 3) })
			return []*Node{ReduceAllSum(Abs(Sub(dropped, MulScalar(y, 3)))), ReduceAllSum(Abs(Sub(alpha, same)))}
		}, float32(1))
		for i, o := range out {
			if v := tensors.ToScalar[float32](o); v > 1e-6 {
				t.Errorf("output %d differs by %v", i, v)
			}
		}
	})
}

// Scores of random queries and keys spread as √d: the scaled ones as 1, at any d.
func TestScaleKeepsTheSpread(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	for _, d := range []int{4, 64, 256} {
		out := enginetest.Compute(t, e, func(in []*Node) []*Node {
			_, q := RandomNormal(in[0], shapes.Make(dtypes.Float32, 1, 1, 64, d))
			_, k := RandomNormal(in[1], shapes.Make(dtypes.Float32, 1, 1, 64, d))
			_, alpha := Attention(q, k, k, Padding(Const(q.Graph(), []int32{64}), 64), nil)
			scores := Log(alpha) // but for a number that is the same in a row
			return []*Node{Sqrt(ReduceAllMean(Square(Sub(scores, ReduceAndKeep(scores, ReduceMean, -1)))))}
		}, state(t, 1), state(t, 2))
		if spread := tensors.ToScalar[float32](out[0]); math.Abs(float64(spread)-1) > 0.1 {
			t.Errorf("d %d: scores spread as %v", d, spread)
		}
	}
}

func state(t *testing.T, seed int64) *tensors.Tensor {
	t.Helper()
	s, err := RNGStateFromSeed(seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
