package transformer

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/recurrent"
)

func floats(t *tensors.Tensor) []float32 { return tensors.MustCopyFlatData[float32](t) }

// near fails where values differ by more than tolerance times the largest wanted, or 1.
func near(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	largest := 1.0
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range got {
		if d := math.Abs(float64(v) - want[i]); !(d <= tolerance*largest) {
			t.Errorf("%s[%d] is %v, want %v", what, i, v, want[i])
			return
		}
	}
}

// reference is what testdata/reference.py wrote.
type reference struct {
	PyTorch     string
	Lengths     []int32
	Heads, Feed int
	Cases       []referenceCase
}

type referenceCase struct {
	Kind     string
	Pre      bool
	Loss     float64
	R        []float32
	Y, Alpha []float64
	Inputs   map[string]struct {
		Dims     []int
		Values   []float32
		Gradient []float64
	}
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// names are those of the inputs, in order.
func (c referenceCase) names() (names []string) {
	for name := range c.Inputs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// store holds the inputs of a case as variables.
func (c referenceCase) store(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	for _, name := range c.names() {
		in := c.Inputs[name]
		if _, err := store.CreateVariable("/"+name, tensors.FromFlatDataAndDimensions(slices.Clone(in.Values), in.Dims...)); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// build is the layer of a case, y, with the weights of its heads on the source where it is alone.
func (r reference) build(c referenceCase, p recurrent.Parameters, lengths *Node) (y, alpha *Node) {
	in := func(name string) *Node { return p.Value(name, recurrent.Constant(0), c.Inputs[name].Dims...) }
	x := in("x")
	d := x.Shape().Dim(2)
	o := Order{Pre: c.Pre}
	switch c.Kind {
	case "attention":
		m := NewMultiHead(p, d, r.Heads)
		k, v := m.KeysValues(in("h"))
		return m.Attend(m.Queries(x), k, v, Padding(lengths, k.Shape().Dim(2)), nil)
	case "encoder":
		return NewEncoderLayer(p, d, r.Heads, r.Feed).Of(x, Padding(lengths, x.Shape().Dim(1)), o)
	}
	l := NewDecoderLayer(p, d, r.Heads, r.Feed)
	h := in("h")
	k, v := l.Cross.KeysValues(h)
	seen := func(now KeysValues) KeysValues { return now }
	y, _, alpha = l.Of(x, Causal(x.Graph(), x.Shape().Dim(1)), seen, KeysValues{k, v}, Padding(lengths, h.Shape().Dim(1)), o)
	return y, alpha
}
