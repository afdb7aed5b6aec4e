package transformer

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"seq2attn/pkg/recurrent"
)

// MultiHead is multi-head attention (section 3.2.2):
//
//	MultiHead(Q, K, V) = Concat(head_1, …, head_h) W^O, where head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)
//
// A head is d/h wide. The matrices W_i of all heads stand side by side in one, so that each is one product.
type MultiHead struct {
	Heads          int
	WQ, WK, WV, WO *Node // [d,d]
}

// NewMultiHead declares the four matrices, started as Glorot and Bengio (2010) have it. d is a multiple of heads.
func NewMultiHead(p recurrent.Parameters, d, heads int) MultiHead {
	if heads < 1 || d%heads != 0 {
		panic(fmt.Errorf("transformer.NewMultiHead: a width of %d cannot be cut into %d heads", d, heads))
	}
	matrix := func(name string) *Node { return p.Value(name, recurrent.Glorot(1), d, d) }
	return MultiHead{heads, matrix("W_Q"), matrix("W_K"), matrix("W_V"), matrix("W_O")}
}

func (m *MultiHead) fields() []**Node { return []**Node{&m.WQ, &m.WK, &m.WV, &m.WO} }

// Queries are Q W_i^Q of x [B,T,d], for all heads i: [B,h,T,d/h].
func (m MultiHead) Queries(x *Node) *Node { return m.split(MatMul(x, m.WQ)) }

// KeysValues are K W_i^K and V W_i^V where K and V are both y [B,S,d]: [B,h,S,d/h].
func (m MultiHead) KeysValues(y *Node) (k, v *Node) {
	return m.split(MatMul(y, m.WK)), m.split(MatMul(y, m.WV))
}

// Attend is MultiHead, [B,T,d], with the projections made, and the weights of each head [B,h,T,S]. drop is of weights.
func (m MultiHead) Attend(q, k, v, mask *Node, drop Drop) (out, weights *Node) {
	out, weights = Attention(q, k, v, mask, drop)
	return MatMul(m.join(out), m.WO), weights
}

// split cuts x [B,T,d] into heads, [B,h,T,d/h].
func (m MultiHead) split(x *Node) *Node {
	b, t, d := x.Shape().Dim(0), x.Shape().Dim(1), x.Shape().Dim(2)
	return TransposeAllAxes(Reshape(x, b, t, m.Heads, d/m.Heads), 0, 2, 1, 3)
}

// join is Concat of heads [B,h,T,d/h], [B,T,d].
func (m MultiHead) join(x *Node) *Node {
	x = TransposeAllAxes(x, 0, 2, 1, 3)
	return Reshape(x, x.Shape().Dim(0), x.Shape().Dim(1), -1)
}
