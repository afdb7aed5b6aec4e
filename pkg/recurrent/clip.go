package recurrent

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"
)

// GradientNorm names the variable, at the root of the store, in which an optimizer made by [Clipped] leaves the norm of each update's
// gradient before clipping, a scalar Float32.
const GradientNorm = "gradient_norm"

// ClipByGlobalNorm scales the gradients together so that the Euclidean norm of all their values is at most limit (Pascanu et al.,
// 2013, section 3.2), and returns their norm before that.
func ClipByGlobalNorm(gradients []*Node, limit float64) (clipped []*Node, norm *Node) {
	if len(gradients) == 0 {
		panicf("recurrent.ClipByGlobalNorm: no gradients")
	}
	checkLimit(limit)
	var sum *Node
	for _, d := range gradients {
		square := ReduceAllSum(Square(d))
		if sum == nil {
			sum = square
		} else {
			sum = Add(sum, ConvertDType(square, sum.DType()))
		}
	}
	norm = Sqrt(sum)
	most := ConstAs(norm, limit)
	scale := Div(most, Max(norm, most))
	for _, d := range gradients {
		clipped = append(clipped, Mul(d, ConvertDType(scale, d.DType())))
	}
	return clipped, norm
}

// Clipped is optimizer o with its gradients clipped by [ClipByGlobalNorm]. It works wherever o does, under train.Trainer among others,
// accumulated gradients included; pkg/seq2seq has an optimizer of its own and needs no other. It panics if o cannot take gradients, which all of GoMLX's optimizers can.
func Clipped(o optimizer.Interface, limit float64) optimizer.Interface {
	inner, ok := o.(interface {
		optimizer.Interface
		train.OptimizeWithGradients
	})
	if !ok {
		panicf("recurrent.Clipped: optimizer %T has no UpdateGraphWithGradients to give it the clipped gradients by", o)
	}
	checkLimit(limit)
	return clipper{inner, limit}
}

func checkLimit(limit float64) {
	if !(limit > 0) {
		panicf("recurrent: clipping at a norm of %g: the limit must be above 0", limit)
	}
}

type clipper struct {
	inner interface {
		optimizer.Interface
		train.OptimizeWithGradients
	}
	limit float64
}

func (c clipper) UpdateGraph(scope *model.Scope, _ *Graph, loss *Node) {
	c.UpdateGraphWithGradients(scope, scope.BuildTrainableVariablesGradientsGraph(loss), loss.DType())
}

func (c clipper) UpdateGraphWithGradients(scope *model.Scope, gradients []*Node, dtype dtypes.DType) {
	clipped, norm := ClipByGlobalNorm(gradients, c.limit)
	variable := scope.Store().VariableWithValue(GradientNorm, float32(0)).SetTrainable(false)
	variable.SetNodeValue(ConvertDType(norm, dtypes.Float32))
	c.inner.UpdateGraphWithGradients(scope, clipped, dtype)
}

func (c clipper) Clear(scope *model.Scope) error { return c.inner.Clear(scope) }
