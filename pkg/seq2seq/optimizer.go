package seq2seq

import (
	"math"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"seq2attn/pkg/descent"
)

// optimizer moves weights against their gradients, in place. It is no graph: GoMLX's optimizers take four kernels for each weight, whose compilation was two fifths of
// what a first update waits for, and move the weights no sooner.
type optimizer struct {
	weights       []*model.Variable
	first, second []*model.Variable // Adam's moments: averages of each weight's gradient and of its square; none where there is plain gradient descent
}

// newOptimizer is the optimizer of this name ("adam" or "sgd") for weights of a store, in which it keeps its moments.
func newOptimizer(name string, store *model.Store, weights []*model.Variable) optimizer {
	o := optimizer{weights: weights}
	if name != "adam" {
		return o
	}
	for _, v := range weights {
		zero := func(moment string) *model.Variable {
			return store.VariableWithValue("/AdamOptimizer"+v.Path()+moment, tensors.FromShape(v.Shape())).SetTrainable(false)
		}
		o.first, o.second = append(o.first, zero("_1st_moment")), append(o.second, zero("_2nd_moment"))
	}
	return o
}

// update is the update of this number, from 1, by gradients that are the sums over the parts of each weight's. Together these are scaled to a norm of at most
// limit, where limit is above 0. If they are not all finite nothing moves, and the error is errNotFinite.
func (o optimizer) update(gradients [parts][][]float32, number int, rate, limit float64) error {
	squares, err := sideBySide(parts, func(part int) (sum float64, _ error) {
		for i := range o.weights {
			sum += descent.SumOfSquares(partOf(gradients[0][i], part), partOf(gradients[1][i], part))
		}
		return sum, nil
	})
	if err != nil {
		return err
	}
	norm := math.Sqrt(squares[0] + squares[1])
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return errNotFinite
	}
	scale := float32(1)
	if limit > 0 {
		scale = float32(limit / max(norm, limit))
	}
	weights, err := valuesOf(o.weights)
	if err != nil {
		return err
	}
	m, err := valuesOf(o.first)
	if err != nil {
		return err
	}
	v, err := valuesOf(o.second)
	if err != nil {
		return err
	}
	_, err = sideBySide(parts, func(part int) (_ struct{}, _ error) {
		for i := range weights {
			w, a, b := partOf(weights[i], part), partOf(gradients[0][i], part), partOf(gradients[1][i], part)
			if m == nil {
				descent.Plain(w, a, b, scale*float32(rate))
			} else {
				descent.Adam(w, partOf(m[i], part), partOf(v[i], part), a, b, scale, number, rate)
			}
		}
		return
	})
	return err
}

// partOf is one of as many parts of values as a batch has.
func partOf(values []float32, part int) []float32 {
	return values[len(values)*part/parts : len(values)*(part+1)/parts]
}

// valuesOf are the values of variables, to be changed in place. They are a variable's until something else sets it.
func valuesOf(variables []*model.Variable) (values [][]float32, err error) {
	for _, v := range variables {
		value, err := v.Value()
		if err != nil {
			return nil, err
		}
		if err := value.MutableFlatData(func(flat any) { values = append(values, flat.([]float32)) }); err != nil {
			return nil, err
		}
	}
	return values, nil
}
