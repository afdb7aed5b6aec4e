package recurrent

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// gradient goes through the steps from the last to the first in a loop of its own: in its body the step is built again, from the
// carry that was saved, and differentiated by GoMLX. It takes the gradients with respect to the forward loop's final state and gives
// those with respect to its first.
func (l *graphLoop) gradient(v []*Node) []*Node {
	g := l.graph()
	forward := groups{make([]*Node, 1), l.counter(), l.carry, l.carry, make([]*Node, len(l.outputs)), make([]*Node, len(l.saves)), l.xs, l.shared}
	vLast, vOutputs := forward.regroup(v)[2], forward.regroup(v)[4]

	// What has a gradient: of the carry and the outputs all that is floating-point, of the rest what the step depends on besides.
	carry, outputs := floats(l.carry, nil), floats(vOutputs, nil)
	xs, shared := floats(l.xs, l.reads[len(l.carry):]), floats(l.shared, l.reads[len(l.carry)+len(l.xs):])

	// The state: the step's number, the count of steps, the gradient of the carry; rows written: gradients of xs; summed: gradients of
	// shared; rows written: gradients of the products; what is only read: the carry before each step, gradients of the outputs, products, xs, shared.
	state := groups{
		{AddScalar(l.steps(g, l.counter()), -1)}, l.counter(), pick(vLast, carry),
		zerosLike(pick(l.xs, xs)), zerosLike(pick(l.shared, shared)), buffers(g, l.length, l.productShapes()),
		l.carries, pick(vOutputs, outputs), l.saved, l.xs, l.shared,
	}
	var same []int // for each product, which of dxs has the same gradient, or -1
	final := while(g, state,
		func(s groups) *Node { return GreaterOrEqual(s[0][0], ScalarZero(g, dtypes.Int32)) },
		func(s groups) groups {
			i, counter, vNext, dxs, dshared, dproducts := s[0][0], s[1], s[2], s[3], s[4], s[5]
			carries, vOutputs, saved, inputs, k := s[6], s[7], s[8], s[9], s[10]
			row := l.rowOf(i, counter)
			c, vY, x := at(carries, row), at(vOutputs, row), at(inputs, row)
			step := &Loop{row: row, shared: k, multiply: l.savedProduct(at(saved, row))}
			next, y := l.step(step, c, x, k)
			l.same(step)
			wrt := groups{pick(c, carry), pick(x, xs), pick(k, shared)}
			d := wrt.regroup(Gradient(inner(join(pick(next, carry), pick(y, outputs)), join(vNext, vY)), join(wrt...)...))
			ofProducts := productGradients(step)
			same = sameNodes(ofProducts, d[1])
			for p, x := range same { // what is written among the gradients of xs is not written again
				if x < 0 {
					dproducts[p] = put(dproducts[p:p+1], ofProducts[p:p+1], row)[0]
				}
			}
			return groups{
				{AddScalar(i, -1)}, counter, d[0],
				put(dxs, d[1], row), sums(dshared, d[2]), dproducts,
				carries, vOutputs, saved, inputs, k,
			}
		})
	for p, x := range same {
		if x >= 0 {
			final[5][p] = final[3][x]
		}
	}

	d := forward.regroup(make([]*Node, len(v)))
	set(d[2], carry, final[2])
	set(d[6], xs, final[3])
	set(d[7], shared, final[4])
	l.weightGradients(d[7], final[5])
	return join(d...)
}

// savedProduct makes the result of a product the saved one instead of computing it again, and notes the gradient with respect to it.
// It is differentiated with respect to x only: the weight's gradient follows after the loop.
func (l *graphLoop) savedProduct(saved []*Node) func(number int, d *dot) *Node {
	return func(number int, d *dot) *Node {
		if number >= len(l.products) {
			return plainProduct(number, d) // same will refuse the step
		}
		y := StopGradient(saved[l.products[number].saved])
		// The gradient must come in with the shape of y and go on with that of x, but a custom gradient has one shape: so it is that of
		// an identity on x and zeros side by side, whose zeros are added to y. XLA makes nothing of it.
		in := d.x.Shape().Dim(1)
		both := IdentityWithCustomGradient(Concatenate([]*Node{d.x, ZerosLike(y)}, -1), func(_, _ *Node) *Node {
			return Concatenate([]*Node{d.dx(), ZerosLike(y)}, -1)
		})
		return IdentityWithCustomGradient(Add(y, SliceAxis(both, 1, AxisRangeToEnd(in))), func(_, v *Node) *Node {
			d.dy = v
			return v
		})
	}
}

// productShapes are the shapes of one step's products.
func (l *graphLoop) productShapes() []shapes.Shape {
	out := make([]shapes.Shape, len(l.products))
	for i, p := range l.products {
		out[i] = p.out
	}
	return out
}

// productGradients are the gradients with respect to the products of a step that was differentiated.
func productGradients(step *Loop) []*Node {
	d := make([]*Node, len(step.dots))
	for i, dot := range step.dots {
		if d[i] = dot.dy; d[i] == nil { // nothing differentiable depends on it
			d[i] = ZerosLike(dot.y)
		}
	}
	return d
}

// sameNodes tells for each of nodes where it is among others, or -1: the gradient of a product that is added to an input is that of the input.
func sameNodes(nodes, others []*Node) []int {
	at := make([]int, len(nodes))
	for i, n := range nodes {
		at[i] = slices.Index(others, n)
	}
	return at
}

// weightGradients adds to the gradients of shared what comes through the products: one product for all steps.
func (l *graphLoop) weightGradients(shared, dproducts []*Node) {
	for i, p := range l.products {
		var x *Node
		switch {
		case p.carry >= 0:
			x = l.carries[p.carry]
		case p.x >= 0:
			x = l.xs[p.x]
		case p.product >= 0:
			x = l.saved[l.products[p.product].saved]
		default:
			x = l.saved[p.saved+1]
		}
		dw := weightGradient(l.shared[p.shared].Rank(), x, dproducts[i])
		if shared[p.shared] != nil {
			dw = Add(shared[p.shared], dw)
		}
		shared[p.shared] = dw
	}
}

// inner is the sum of the inner products of nodes and v, whose gradient with respect to each node is its v.
func inner(nodes, v []*Node) *Node {
	var sum *Node
	for i, n := range nodes {
		p := ReduceAllSum(Mul(n, StopGradient(v[i])))
		if sum == nil {
			sum = p
		} else {
			sum = Add(sum, ConvertDType(p, sum.DType()))
		}
	}
	return sum
}

// floats are the indices of the nodes with a gradient: floating-point and, unless among is nil, marked in it.
func floats(nodes []*Node, among uses) []int {
	var indices []int
	for i, n := range nodes {
		if n.DType().IsFloat() && (among == nil || among[i]) {
			indices = append(indices, i)
		}
	}
	return indices
}

func pick(nodes []*Node, indices []int) []*Node {
	picked := make([]*Node, len(indices))
	for i, index := range indices {
		picked[i] = nodes[index]
	}
	return picked
}

func set(nodes []*Node, indices []int, values []*Node) {
	for i, index := range indices {
		nodes[index] = values[i]
	}
}

func sums(a, b []*Node) []*Node {
	all := make([]*Node, len(a))
	for i := range a {
		all[i] = Add(a[i], b[i])
	}
	return all
}
