package recurrent

import . "github.com/gomlx/gomlx/core/graph"

// Cut cuts x into count equal parts along axis. Its gradient is one concatenation: that of as many slices would be a padded
// copy of all of x for each of them, and their sum.
func Cut(x *Node, axis, count int) []*Node {
	axis = MustAdjustAxis(axis, x)
	size := x.Shape().Dim(axis) / count
	if size*count != x.Shape().Dim(axis) {
		panicf("recurrent.Cut: axis %d of %s cannot be cut into %d equal parts", axis, x.Shape(), count)
	}
	gradients := make([]*Node, count)
	x = IdentityWithCustomGradient(x, func(x, _ *Node) *Node {
		for i, d := range gradients {
			if d == nil { // nothing depends on this part
				dims := x.Shape().Clone()
				dims.Dimensions[axis] = size
				gradients[i] = Zeros(x.Graph(), dims)
			}
		}
		whole := Concatenate(gradients, axis)
		clear(gradients) // another gradient may be taken of the same graph
		return whole
	})
	parts := make([]*Node, count)
	for i := range parts {
		parts[i] = IdentityWithCustomGradient(SliceAxis(x, axis, AxisRange(i*size, (i+1)*size)), func(_, d *Node) *Node {
			gradients[i] = d
			return d
		})
	}
	return parts
}
