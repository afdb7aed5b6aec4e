package attention

import (
	"fmt"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// Window narrows attention to a part of the source, for every decoder step another. Positions j count from 1, as in the papers.
type Window interface {
	// Name is what the window is called in configurations: "local-p".
	Name() string
	// Parameters are the weights that the window learns, for states [B,query]. Narrow is given them in this order.
	Parameters(query int) []recurrent.Shape
	// Narrow makes of the scores e [B,S] of the states s [B,query], and of the mask of the real positions, Bool [B,S], what [Weights]
	// takes. t [B] is the position that a word-by-word translation would be at; only [LocalMonotonic] reads it, for others it may be nil.
	Narrow(loop *recurrent.Loop, weights []*Node, e, real, s, t *Node) (scores, mask *Node)
}

// NewWindow is the window of this name: "global", "local-m" or "local-p", with D positions on both sides of the centre.
func NewWindow(name string, d int) (Window, error) {
	all := []Window{Global{}, LocalMonotonic{d}, LocalPredictive{d}}
	var names []string
	for _, w := range all {
		if w.Name() == name {
			return w, nil
		}
		names = append(names, w.Name())
	}
	return nil, fmt.Errorf("attention: no window is named %q: take one of %s", name, strings.Join(names, ", "))
}

// Global attends to the whole source.
type Global struct{}

var _ Window = Global{}

// Name is "global".
func (Global) Name() string { return "global" }

// Parameters are none.
func (Global) Parameters(query int) []recurrent.Shape { return nil }

// Narrow changes nothing.
func (Global) Narrow(_ *recurrent.Loop, _ []*Node, e, real, _, _ *Node) (scores, mask *Node) {
	return e, real
}

// LocalMonotonic is local-m of Luong, Pham and Manning (2015, section 3.2): it attends to the positions from t-D to t+D, as if both
// languages had the same order.
type LocalMonotonic struct{ D int }

var _ Window = LocalMonotonic{}

// Name is "local-m".
func (LocalMonotonic) Name() string { return "local-m" }

// Parameters are none.
func (LocalMonotonic) Parameters(query int) []recurrent.Shape { return nil }

// Narrow takes the positions outside of the window from the mask.
func (w LocalMonotonic) Narrow(_ *recurrent.Loop, _ []*Node, e, real, _, t *Node) (scores, mask *Node) {
	return e, LogicalAnd(real, within(fromCentre(e, ExpandAxes(t, 1)), w.D))
}

// LocalPredictive is local-p of Luong, Pham and Manning (2015, equations 9 and 10): it predicts the centre of the window, and favours
// what is near it by a Gaussian of deviation σ = D/2:
//
//	p = S·sigmoid(v_p·tanh(W_p s))
//	α_j = align(s, h_j)·exp(-(j-p)²/2σ²), for j from p-D to p+D
//
// where align is the softmax over the window, and S counts the real positions. The paper leaves it at the product, whose sum is less than
// 1. Here it is divided by its sum, so that weights are a distribution in every window: that is the softmax of e_j - (j-p)²/2σ².
type LocalPredictive struct{ D int }

var _ Window = LocalPredictive{}

// Name is "local-p".
func (LocalPredictive) Name() string { return "local-p" }

// Parameters are W_p [query,query] and v_p [query,1].
func (LocalPredictive) Parameters(query int) []recurrent.Shape {
	return []recurrent.Shape{{Name: "W_p", Dims: []int{query, query}}, {Name: "v_p", Dims: []int{query, 1}}}
}

// Narrow takes the positions outside of the window from the mask, and the exponent of the Gaussian from the scores.
func (w LocalPredictive) Narrow(loop *recurrent.Loop, weights []*Node, e, real, s, _ *Node) (scores, mask *Node) {
	length := ReduceAndKeep(ConvertDType(real, e.DType()), ReduceSum, -1)          // S [B,1]
	p := Mul(length, Sigmoid(loop.Dot(Tanh(loop.Dot(s, weights[0])), weights[1]))) // [B,1]
	sigma := float64(w.D) / 2
	distance := fromCentre(e, p) // j-p
	gaussian := MulScalar(Square(distance), -1/(2*sigma*sigma))
	return Add(e, gaussian), LogicalAnd(real, within(distance, w.D))
}

// fromCentre is j-p for every position j of e [B,S], where p is [B,1].
func fromCentre(e, p *Node) *Node {
	j := AddScalar(Iota(e.Graph(), e.Shape(), 1), 1)
	return Sub(j, ConvertDType(p, e.DType()))
}

// within tells which distances are at most d.
func within(distance *Node, d int) *Node {
	distance = StopGradient(distance)
	return LessOrEqual(Abs(distance), Scalar(distance.Graph(), distance.DType(), d))
}
