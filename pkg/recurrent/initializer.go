package recurrent

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	vector "gonum.org/v1/gonum/floats"
)

// Initializer gives the start values of a parameter, in row-major order.
type Initializer func(rng *rand.Rand, dims []int) []float64

// Constant starts every value at v.
func Constant(v float64) Initializer { return Blocks(v) }

// Blocks cuts the last axis into as many equal blocks as there are values and starts each block at its value.
func Blocks(values ...float64) Initializer {
	return func(_ *rand.Rand, dims []int) []float64 {
		columns := dims[len(dims)-1]
		if columns%len(values) != 0 {
			panicf("recurrent.Blocks: the last axis of %v cannot be cut into %d equal blocks", dims, len(values))
		}
		return fill(dims, func(i int) float64 { return values[i%columns/(columns/len(values))] })
	}
}

// Uniform draws from [-limit, limit): 0.08 in Sutskever et al. (2014).
func Uniform(limit float64) Initializer {
	return func(rng *rand.Rand, dims []int) []float64 {
		return fill(dims, func(int) float64 { return (2*rng.Float64() - 1) * limit })
	}
}

// Normal draws from the normal distribution with mean 0: deviation 0.01 in Cho et al. (2014) and Bahdanau et al. (2015).
func Normal(deviation float64) Initializer {
	return func(rng *rand.Rand, dims []int) []float64 {
		return fill(dims, func(int) float64 { return rng.NormFloat64() * deviation })
	}
}

// Glorot draws uniformly from ±√(6/(in+out)) for a matrix [in,out] of Glorot and Bengio (2010). Where its columns are blocks, as many as
// blocks, of independent maps, out is the width of one.
func Glorot(blocks int) Initializer {
	return func(rng *rand.Rand, dims []int) []float64 {
		if len(dims) != 2 {
			panicf("recurrent.Glorot: is for a matrix [in,out], got %v", dims)
		}
		return Uniform(math.Sqrt(6/float64(dims[0]+dims[1]/blocks)))(rng, dims)
	}
}

// Orthogonal starts a matrix [n,k·n] as k random orthogonal matrices side by side (Saxe et al., 2014; for recurrent weights in Cho et al., 2014).
func Orthogonal() Initializer {
	return func(rng *rand.Rand, dims []int) []float64 {
		if len(dims) != 2 || dims[1]%dims[0] != 0 {
			panicf("recurrent.Orthogonal: is for square matrices side by side [n,k·n], got %v", dims)
		}
		n, columns := dims[0], dims[1]
		values := make([]float64, n*columns)
		var blocks sync.WaitGroup
		for block := 0; block < columns; block += n {
			rows := slices.Collect(slices.Chunk(fill([]int{n, n}, func(int) float64 { return rng.NormFloat64() }), n))
			blocks.Go(func() {
				orthonormalize(rows)
				for i, row := range rows {
					copy(values[i*columns+block:], row)
				}
			})
		}
		blocks.Wait()
		return values
	}
}

// orthonormalize makes rows orthonormal by Gram and Schmidt's process, done twice against rounding.
func orthonormalize(rows [][]float64) {
	for i, row := range rows {
		for range 2 {
			for _, before := range rows[:i] {
				vector.AddScaled(row, -vector.Dot(row, before), before)
			}
			vector.Scale(1/vector.Norm(row, 2), row)
		}
	}
}

func fill(dims []int, value func(i int) float64) []float64 {
	size := 1
	for _, d := range dims {
		size *= d
	}
	values := make([]float64, size)
	for i := range values {
		values[i] = value(i)
	}
	return values
}
