package transformer

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/recurrent"
)

// Values, weights and every gradient of attention and of both layers, in both orders, are those of PyTorch's modules; and by central
// differences the gradients are right too.
func TestLayersEqualPyTorch(t *testing.T) {
	r := readReference(t)
	if len(r.Cases) != 5 {
		t.Fatalf("%d cases, want attention, and each layer in each order", len(r.Cases))
	}
	enginetest.Each(t, func(t *testing.T, e *engine.Engine) {
		for _, c := range r.Cases {
			t.Run(fmt.Sprintf("%s pre %v", c.Kind, c.Pre), func(t *testing.T) {
				store := c.store(t)
				before := store.NumVariables()
				exec := model.MustNewExec(e.Backend, store, func(scope *model.Scope, in []*Node) []*Node {
					g := in[0].Graph()
					y, alpha := r.build(c, recurrent.NewParameters(scope, g, 1), in[0])
					loss := ReduceAllSum(Mul(y, Reshape(in[1], y.Shape().Dimensions...)))
					var inputs []*Node
					for _, name := range c.names() {
						inputs = append(inputs, store.GetVariable("/"+name).NodeValue(g))
					}
					return append([]*Node{loss, y, alpha}, Gradient(loss, inputs...)...)
				})
				defer exec.Finalize()
				run := func() []*tensors.Tensor {
					out, err := exec.Call(r.Lengths, c.R)
					if err != nil {
						t.Fatal(err)
					}
					return out
				}
				out := run()
				if after := store.NumVariables(); after != before {
					t.Fatalf("the layer has %d weights, the reference %d", after, before)
				}
				near(t, "loss", []float32{tensors.ToScalar[float32](out[0])}, []float64{c.Loss}, 1e-5)
				near(t, "y", floats(out[1]), c.Y, 1e-5)
				if c.Alpha != nil {
					near(t, "α", floats(out[2]), c.Alpha, 1e-6)
				}
				for i, name := range c.names() {
					near(t, "gradient of "+name, floats(out[3+i]), c.Inputs[name].Gradient, 1e-4)
					const step = 3e-3
					moved := func(by float32) float64 {
						values := append([]float32{}, c.Inputs[name].Values...)
						values[0] += by
						store.GetVariable("/" + name).MustSetValue(tensors.FromFlatDataAndDimensions(values, c.Inputs[name].Dims...))
						return float64(tensors.ToScalar[float32](run()[0]))
					}
					if got, want := (moved(step)-moved(-step))/(2*step), c.Inputs[name].Gradient[0]; math.Abs(got-want) > 2e-2*(math.Abs(want)+0.3) {
						t.Errorf("%s[0]: %v by differences, PyTorch has %v", name, got, want)
					}
					moved(0)
				}
			})
		}
	})
}
