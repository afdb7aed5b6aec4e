package recurrent

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// unroll writes the steps out one after another.
func (s *scan) unroll() (last, ys []*Node) {
	g := s.graph()
	rows := make([][]*Node, len(s.xs)) // [input][row]
	for j, x := range s.xs {
		for _, row := range Cut(x, 0, s.length) {
			rows[j] = append(rows[j], Squeeze(row, 0))
		}
	}
	carry := s.carry
	var outputs [][]*Node // [output][row]
	for i := range s.length {
		row := s.row(i)
		x := make([]*Node, len(rows))
		for j := range x {
			x[j] = rows[j][row]
		}
		loop := &Loop{row: Const(g, int32(row)), shared: s.shared, multiply: plainProduct}
		start := nodesSoFar(g)
		next, y := s.step(loop, carry, x, s.shared)
		if i == 0 {
			audit(loop, join(next, y), join(carry, x, s.shared), start)
			outputs = make([][]*Node, len(y))
		}
		var more *Node
		if s.count != nil {
			more = LessThan(loop.row, s.count)
		}
		if going := s.going(more, carry); going != nil {
			next, y = choose(going, next, carry), choose(going, y, zerosLike(y))
		}
		carry = next
		for j := range y {
			if outputs[j] == nil {
				outputs[j] = make([]*Node, s.length)
			}
			outputs[j][row] = y[j]
		}
	}
	for _, rows := range outputs {
		ys = append(ys, Stack(rows, 0))
	}
	return carry, ys
}
