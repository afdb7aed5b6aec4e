package recurrent_test

import (
	"fmt"

	"seq2attn/pkg/engine"
	. "seq2attn/pkg/recurrent"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// A decoder in the manner of Bahdanau et al. (2015): the score e_ij = v·tanh(W s_{i-1} + U h_j) on the previous state, the context fed to the
// cell.
func ExampleScan() {
	const E, H = 3, 4
	cell := GRU{}
	decode := func(scope *model.Scope, h, y *Node) (s, alpha *Node) { // h [B,S,H], y [T,B,E]
		p := NewParameters(scope.At("decoder"), h.Graph(), 1)
		w := NewWeights(p, cell, E, H, Start{})
		keys := MatMul(h, p.Value("U_a", Glorot(1), H, H))
		step := func(loop *Loop, state, x, shared []*Node) (next, out []*Node) {
			h, keys, wa, va, c, u := shared[0], shared[1], shared[2], shared[3], shared[4], shared[5:]
			query := ExpandAxes(loop.Dot(state[0], wa), 1)       // [B,1,H]
			e := Squeeze(MatMul(Tanh(Add(query, keys)), va), -1) // [B,S]
			alpha := Softmax(e, -1)                              // [B,S]
			context := loop.Dot(alpha, h)                        // [B,H]
			gates := Add(x[0], loop.Dot(context, c))             // [B,3H]
			next = cell.Step(loop, gates, state, u)              // [B,H]
			return next, []*Node{next[0], alpha}
		}
		shared := append([]*Node{h, keys, p.Value("W_a", Glorot(1), H, H), p.Value("v_a", Glorot(1), H, 1), p.Value("C", Glorot(3), H, 3*H)}, w.U...)
		gates := w.Gates(y)
		_, ys := Scan(step, ZeroState(cell, gates), []*Node{gates}, shared)
		return ys[0], ys[1]
	}

	e, err := engine.OpenKind(engine.Go)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	exec, err := model.NewExec(e.Backend, model.NewStore(), decode)
	if err != nil {
		panic(err)
	}
	h := [][][]float32{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0}}} // one source of five words
	y := [][][]float32{{{1, 0, 0}}, {{0, 1, 0}}}                                               // two target words
	out, err := exec.Call(h, y)
	if err != nil {
		panic(err)
	}
	fmt.Println("states", out[0].Shape(), "weights", out[1].Shape())
	// Output: states (Float32)[2, 1, 4] weights (Float32)[2, 1, 5]
}
