package seq2seq

import (
	"math"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// optimizer moves weights against their gradients, in place. It is Go and not a graph: GoMLX's optimizers take four kernels for each weight, whose compilation was two
// fifths of what a first update waits for, and move the weights no sooner than these loops.
type optimizer struct {
	weights       []*model.Variable
	first, second []*model.Variable // Adam's moments: averages of each weight's gradient and of its square; none where there is plain gradient descent
}

// Adam's constants are those of Kingma and Ba (2015), but for ε, which is GoMLX's.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-7
)

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
			sum += sumOfSquares(partOf(gradients[0][i], part), partOf(gradients[1][i], part))
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
				descend(w, a, b, scale*float32(rate))
			} else {
				adam(w, partOf(m[i], part), partOf(v[i], part), a, b, scale, number, rate)
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

// sumOfSquares is Σ(a+b)².
func sumOfSquares(a, b []float32) float64 {
	var sums [4]float64 // which do not wait for each other
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		for k := range sums {
			g := float64(a[k] + b[k])
			sums[k] += g * g
		}
		a, b = a[4:], b[4:]
	}
	for k := range a {
		g := float64(a[k] + b[k])
		sums[0] += g * g
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// descend moves weights w against their gradient a+b.
func descend(w, a, b []float32, rate float32) {
	a, b = a[:len(w)], b[:len(w)]
	for k := range w {
		w[k] -= rate * (a[k] + b[k])
	}
}

// adam moves weights w against their gradient g = scale·(a+b) (Kingma and Ba 2015, algorithm 1):
//
//	m = β₁m + (1−β₁)g,  v = β₂v + (1−β₂)g²,  w = w − rate · m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ)) + ε)
func adam(w, m, v, a, b []float32, scale float32, t int, rate float64) {
	rate /= 1 - math.Pow(beta1, float64(t))
	step, grown := float32(rate), float32(1/(1-math.Pow(beta2, float64(t))))
	m, v, a, b = m[:len(w)], v[:len(w)], a[:len(w)], b[:len(w)]
	for k := range w {
		g := scale * (a[k] + b[k])
		m[k] = beta1*m[k] + (1-beta1)*g
		v[k] = beta2*v[k] + (1-beta2)*g*g
		w[k] -= step * m[k] / (float32(math.Sqrt(float64(grown*v[k]))) + epsilon)
	}
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
