package ibm

import "math"

// everywhere is Model 1's prior: all places alike.
type everywhere struct{}

func (everywhere) run(rows, T int) run { return evenly{rows, T} }
func (everywhere) end(run)             {}
func (everywhere) maximize()           {}
func (everywhere) clone() prior        { return everywhere{} }

func (everywhere) best(matrix []float64, rows, T int) []int { return likeliest(matrix, rows, T) }

type evenly struct{ rows, T int }

func (e evenly) expect(matrix []float64) float64 {
	return normalize(matrix, e.rows, e.T) - float64(e.T)*math.Log(float64(e.rows))
}

// normalize divides each column by its sum, and gives the sum of the sums' logarithms.
func normalize(matrix []float64, rows, T int) (logSum float64) {
	sums := make([]float64, T)
	for i := range rows {
		for j, p := range matrix[i*T:][:T] {
			sums[j] += p
		}
	}
	product := 1.0
	for j, s := range sums {
		if product *= s; product < 1e-200 || product > 1e200 { // few logarithms
			logSum += math.Log(product)
			product = 1
		}
		sums[j] = 1 / s
	}
	for i := range rows {
		row := matrix[i*T:][:T]
		for j, s := range sums {
			row[j] *= s
		}
	}
	return logSum + math.Log(product)
}

// likeliest is the row of each column's greatest value, the first of equals.
func likeliest(matrix []float64, rows, T int) []int {
	best := make([]int, T)
	for i := 1; i < rows; i++ {
		for j := range T {
			if matrix[i*T+j] > matrix[best[j]*T+j] {
				best[j] = i
			}
		}
	}
	return best
}
