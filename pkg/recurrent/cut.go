package recurrent

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// Cut cuts x into count equal parts along axis, as [CutAt] does.
func Cut(x *Node, axis, count int) []*Node {
	axis = MustAdjustAxis(axis, x)
	size := x.Shape().Dim(axis) / count
	if size*count != x.Shape().Dim(axis) {
		panicf("recurrent.Cut: axis %d of %s cannot be cut into %d equal parts", axis, x.Shape(), count)
	}
	var at []int
	for i := 1; i < count; i++ {
		at = append(at, i*size)
	}
	return CutAt(x, axis, at...)
}

// CutAt cuts x before these indices of axis, which rise. Its gradient is one concatenation: that of as many slices would be a padded
// copy of all of x for each of them, and their sum.
func CutAt(x *Node, axis int, at ...int) []*Node {
	axis = MustAdjustAxis(axis, x)
	ends := append(slices.Clone(at), x.Shape().Dim(axis))
	gradients := make([]*Node, len(ends))
	size := func(i int) int {
		if i == 0 {
			return ends[0]
		}
		return ends[i] - ends[i-1]
	}
	for i := range ends {
		if size(i) < 1 {
			panicf("recurrent.CutAt: axis %d of %s cannot be cut at %v", axis, x.Shape(), at)
		}
	}
	x = IdentityWithCustomGradient(x, func(x, _ *Node) *Node {
		for i, d := range gradients {
			if d == nil { // nothing depends on this part
				dims := x.Shape().Clone()
				dims.Dimensions[axis] = size(i)
				gradients[i] = Zeros(x.Graph(), dims)
			}
		}
		whole := Concatenate(gradients, axis)
		clear(gradients) // another gradient may be taken of the same graph
		return whole
	})
	parts := make([]*Node, len(ends))
	for i, end := range ends {
		parts[i] = IdentityWithCustomGradient(SliceAxis(x, axis, AxisRange(end-size(i), end)), func(_, d *Node) *Node {
			gradients[i] = d
			return d
		})
	}
	return parts
}
