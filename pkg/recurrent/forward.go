package recurrent

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// graphLoop is one Scan as a loop in the graph.
type graphLoop struct {
	*scan
	outputs  []shapes.Shape // of one row
	products []product      // one for each Loop.Dot of the step
	saves    []shapes.Shape // of one row of what is saved of the products
	reads    uses           // of the given nodes, those that the step depends on other than through Dot

	carries, saved []*Node // [T,…] the carry that each step began with, and what saves describes
}

// product is what is known of one [Loop.Dot] of the step.
type product struct {
	shared   int          // index of its weight
	carry, x int          // index of the carry or the input that is multiplied, or -1
	product  int          // index of the product that is multiplied, or -1
	in, out  shapes.Shape // of x and of x·w
	saved    int          // index of x·w in what is saved; x follows it unless it is a carry, an input or a product and so is saved anyway
}

// savesX tells whether x must be saved for the gradient of the weight.
func (p product) savesX() bool { return p.carry < 0 && p.x < 0 && p.product < 0 }

// loop runs the steps in a While whose gradient is [graphLoop.gradient].
func (s *scan) loop() (last, ys []*Node) {
	g := s.graph()
	l := &graphLoop{scan: s}
	l.probe()
	// The state: the step's number, the count of steps, the carry; rows written: the carry before each step, outputs, products; what is
	// only read: xs, shared.
	state := groups{
		{ScalarZero(g, dtypes.Int32)}, l.counter(), s.carry,
		buffers(g, s.length, shapesOf(s.carry)), buffers(g, s.length, l.outputs), buffers(g, s.length, l.saves),
		s.xs, s.shared,
	}
	final := while(g, state,
		func(s groups) *Node { return l.going(LessThan(s[0][0], l.steps(g, s[1])), s[2]) },
		func(s groups) groups {
			i, counter, carry, carries, outputs, saved, xs, shared := s[0][0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
			row := l.rowOf(i, counter)
			step := &Loop{row: row, shared: shared, multiply: plainProduct}
			next, y := l.step(step, carry, at(xs, row), shared)
			return groups{
				{AddScalar(i, 1)}, counter, next,
				put(carries, carry, row), put(outputs, y, row), put(saved, l.save(step), row),
				xs, shared,
			}
		})
	last, l.carries, ys, l.saved = final[2], final[3], final[4], final[5]
	setGradient(final[0][0].Inputs()[0], l.gradient)
	return last, ys
}

// going tells whether to make another step from carry: where there are more, and it is not the end. Nil is always, of more and of the answer.
func (s *scan) going(more *Node, carry []*Node) *Node {
	if s.until == nil {
		return more
	}
	going := LogicalNot(s.until(carry))
	if more != nil {
		going = LogicalAnd(more, going)
	}
	return going
}

// counter holds the count of steps where it is known only when the graph runs.
func (l *graphLoop) counter() []*Node {
	if l.count == nil {
		return nil
	}
	return []*Node{MinScalar(l.count, float64(l.length))}
}

// steps is the count of steps, given its counter in the function that is being built.
func (l *graphLoop) steps(g *Graph, counter []*Node) *Node {
	if len(counter) > 0 {
		return counter[0]
	}
	return Const(g, int32(l.length))
}

// rowOf is the row that step i reads.
func (l *graphLoop) rowOf(i *Node, counter []*Node) *Node {
	if !l.reversed {
		return i
	}
	return Sub(AddScalar(l.steps(i.Graph(), counter), -1), i)
}

// probe builds the step once on zeros, outside of a loop, to learn the shapes of its outputs, its products and what it depends on. XLA
// drops these nodes again.
func (l *graphLoop) probe() {
	g := l.graph()
	zeros := func(of []shapes.Shape) []*Node {
		nodes := make([]*Node, len(of))
		for i, s := range of {
			nodes[i] = Identity(Zeros(g, s)) // a node of its own: scalar zeros are one node
		}
		return nodes
	}
	carry, x, shared := zeros(shapesOf(l.carry)), zeros(rowShapes(l.xs)), zeros(shapesOf(l.shared))
	step := &Loop{row: Identity(Const(g, int32(0))), shared: shared, multiply: plainProduct}
	start := nodesSoFar(g)
	next, y := l.step(step, carry, x, shared)

	l.reads = audit(step, join(next, y), join(carry, x, shared), start)
	l.outputs = shapesOf(y)
	for _, d := range step.dots {
		p := product{
			shared: d.shared, in: d.x.Shape(), out: d.y.Shape(), saved: len(l.saves),
			carry: slices.Index(carry, d.x), x: slices.Index(x, d.x),
			product: slices.IndexFunc(step.dots, func(other *dot) bool { return other.y == d.x }),
		}
		l.products = append(l.products, p)
		l.saves = append(l.saves, p.out)
		if p.savesX() {
			l.saves = append(l.saves, p.in)
		}
	}
}

// save is what saves describes, of one step.
func (l *graphLoop) save(step *Loop) []*Node {
	l.same(step)
	var saved []*Node
	for i, p := range l.products {
		saved = append(saved, step.dots[i].y)
		if p.savesX() {
			saved = append(saved, step.dots[i].x)
		}
	}
	return saved
}

// same panics where a step did not make the products that it made when probed.
func (l *graphLoop) same(step *Loop) {
	same := len(step.dots) == len(l.products)
	for i := 0; same && i < len(l.products); i++ {
		d, p := step.dots[i], l.products[i]
		same = d.shared == p.shared && d.x.Shape().Equal(p.in)
	}
	if !same {
		panicf("recurrent.Scan: the step made other products by Loop.Dot when it was built again (%d, before %d): it must build the same nodes each time", len(step.dots), len(l.products))
	}
}
