package metrics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Proportion is how many of N things are right.
type Proportion struct{ Right, N int }

// Share is Right/N, or NaN where there is nothing.
func (p Proportion) Share() float64 { return float64(p.Right) / float64(p.N) }

// Empty tells that there is nothing to be right or wrong.
func (p Proportion) Empty() bool { return p.N == 0 }

// String is the share with its counts: "0.75 (3 of 4)".
func (p Proportion) String() string {
	if p.Empty() {
		return "none (n = 0)"
	}
	return fmt.Sprintf("%.2f (%d of %d)", p.Share(), p.Right, p.N)
}

func (p *Proportion) count(right bool) {
	p.N++
	if right {
		p.Right++
	}
}

// Wilson is the score interval of Wilson (1927), which stays within 0 and 1 and holds for few things and for shares near either
// end. It takes the things as independent: sentences are, the words of one sentence are not. Without things it is 0 to 1.
func (p Proportion) Wilson(confidence float64) (Interval, error) {
	if err := validConfidence(confidence); err != nil {
		return Interval{}, err
	}
	if p.Empty() {
		return Interval{0, 1, confidence}, nil
	}
	z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
	n, share := float64(p.N), p.Share()
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	interval := Interval{middle - half, middle + half, confidence}
	// These ends are exact but for rounding.
	if p.Right == 0 {
		interval.Low = 0
	}
	if p.Right == p.N {
		interval.High = 1
	}
	return interval, nil
}

// Interval is a confidence interval.
type Interval struct {
	Low, High float64
	// Confidence is the share of such intervals that hold the true value: 0.95.
	Confidence float64
}

// String is the interval with its confidence: "[0.30, 0.95] at 95%".
func (i Interval) String() string {
	return fmt.Sprintf("[%.2f, %.2f] at %g%%", i.Low, i.High, 100*i.Confidence)
}

func validConfidence(confidence float64) error {
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("metrics: confidence %g is not between 0 and 1, such as 0.95", confidence)
	}
	return nil
}
