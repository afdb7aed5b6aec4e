package transformer

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Positions are the sinusoidal positional encodings (section 3.5) of positions t [B,T], integers from 0: [B,T,d], Float32, with
//
//	PE(t, 2i) = sin(t / 10000^(2i/d)), PE(t, 2i+1) = cos(t / 10000^(2i/d))
//
// They are added to the words' vectors: attention by itself knows no order.
func Positions(t *Node, d int) *Node {
	g := t.Graph()
	column := Iota(g, shapes.Make(dtypes.Int32, 1, 1, d), 2)
	two := Scalar(g, dtypes.Int32, 2)
	odd := Mod(column, two)
	i2 := ConvertDType(Sub(column, odd), dtypes.Float32)
	rate := Exp(MulScalar(i2, -math.Log(10000)/float64(d))) // 1 / 10000^(2i/d)
	angle := Mul(ExpandAxes(ConvertDType(t, dtypes.Float32), -1), rate)
	isOdd := BroadcastToShape(Equal(odd, ScalarOne(g, dtypes.Int32)), shapes.Make(dtypes.Bool, angle.Shape().Dimensions...))
	return Where(isOdd, Cos(angle), Sin(angle))
}
