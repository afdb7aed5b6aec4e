package transformer

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/nn"

	"seq2attn/pkg/recurrent"
)

// Norm is layer normalisation (Ba, Kiros and Hinton 2016): every position's vector is brought to mean 0 and variance 1, then
// multiplied by a gain and moved by an offset, both learned, [d].
type Norm struct{ Gain, Offset *Node }

// NewNorm declares a gain of 1 and an offset of 0.
func NewNorm(p recurrent.Parameters, d int) Norm {
	return Norm{p.Value("gain", recurrent.Constant(1), d), p.Value("offset", recurrent.Constant(0), d)}
}

func (n *Norm) fields() []**Node { return []**Node{&n.Gain, &n.Offset} }

// Of normalises x [B,T,d]. The variance is kept from 0 by 1e-5, as in PyTorch.
func (n Norm) Of(x *Node) *Node {
	return nn.LayerNorm(x, []int{-1}, 1e-5, n.Gain, n.Offset, nil)
}

// Order says where a sublayer's input and output are normalised, and what is dropped.
type Order struct {
	// Pre normalises what a sublayer reads, x + Sublayer(Norm(x)), and what the last layer gives out: Xiong et al. (2020) show why that
	// trains with no warm-up. The paper normalises behind: Norm(x + Sublayer(x)) (section 3.1).
	Pre bool
	// Drop is of every sublayer's output, before it is added (section 5.4), Weights of attention weights.
	Drop, Weights Drop
}

// add is a sublayer with what is around it.
func (o Order) add(n Norm, x *Node, sublayer func(x *Node) *Node) *Node {
	if o.Pre {
		return Add(x, o.Drop.of(sublayer(n.Of(x))))
	}
	return n.Of(Add(x, o.Drop.of(sublayer(x))))
}
