package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Spread sums up one measure over several seeds.
type Spread struct {
	N              int
	Mean, Min, Max float64
	// Deviation is the sample standard deviation, with N−1 in the denominator; NaN where N is 1, as one seed says nothing of spread.
	Deviation float64
}

// Summarize gives the spread of the values, one for each seed. None, or one that is not a finite number, is an error.
func Summarize(values []float64) (Spread, error) {
	if len(values) == 0 {
		return Spread{}, errors.New("metrics: spread of no values")
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Spread{}, fmt.Errorf("metrics: value %d of %d is %g: the spread of finite numbers only", i, len(values), v)
		}
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	low, high := slices.Min(values), slices.Max(values)
	// Rounding may lift the mean of equal values off them.
	return Spread{len(values), min(max(mean, low), high), low, high, deviation}, nil
}

// Interval is Student's interval for the mean that more and more seeds would have, if seeds scatter normally. It takes two seeds at
// least.
func (s Spread) Interval(confidence float64) (Interval, error) {
	if err := validConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if s.N < 2 {
		return Interval{}, fmt.Errorf("metrics: interval of a mean over %d seeds: at least 2", s.N)
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(s.N - 1)}.Quantile((1 + confidence) / 2)
	half := t * s.Deviation / math.Sqrt(float64(s.N))
	return Interval{s.Mean - half, s.Mean + half, confidence}, nil
}

// Median is the middle of one value or more, or the mean of the two in the middle.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// String is the spread in short: "71.20 (68.00 to 74.50, n = 5)".
func (s Spread) String() string {
	return fmt.Sprintf("%.2f (%.2f to %.2f, n = %d)", s.Mean, s.Min, s.Max, s.N)
}
