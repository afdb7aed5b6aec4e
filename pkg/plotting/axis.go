package plotting

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// Axis is one axis of a figure. Where Min and Max are both 0, they are taken from what is drawn.
type Axis struct {
	// Label names the measure and its unit: "source length (words)".
	Label    string
	Min, Max float64
	// Log makes the steps between powers of ten equally long; all values must be above 0.
	Log bool
}

// BLEU is the axis of a BLEU score, 0 to 100.
func BLEU() Axis { return Axis{Label: "BLEU", Min: 0, Max: 100} }

// Share is the axis of a share of 0 to 1 of what the label says.
func Share(label string) Axis { return Axis{Label: label, Min: 0, Max: 1} }

// fixed tells that the range was given.
func (a Axis) fixed() bool { return a.Min != 0 || a.Max != 0 }

// beyond tells that a value lies outside of a range that was given.
func (a Axis) beyond(v float64) bool { return a.fixed() && (v < a.Min || v > a.Max) }

// check reports a range that no axis can have.
func (a Axis) check(argument string) error {
	for _, v := range []float64{a.Min, a.Max} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("plotting: %s runs from %g to %g: both must be finite", argument, a.Min, a.Max)
		}
	}
	if a.fixed() && a.Min >= a.Max {
		return fmt.Errorf("plotting: %s runs from %g to %g: Min must be below Max", argument, a.Min, a.Max)
	}
	if a.Log && a.fixed() && a.Min <= 0 {
		return fmt.Errorf("plotting: %s is logarithmic and runs from %g: Min must be above 0", argument, a.Min)
	}
	return nil
}

// cover gives an axis without a range one that covers low to high, in whole steps. Values that differ by no more than rounding get
// room on both sides.
func (a Axis) cover(low, high float64) Axis {
	if a.fixed() {
		return a
	}
	if a.Log {
		if high/low < 1.5 {
			low, high = low/1.25, high*1.25
		}
		room := max(1.05, math.Pow(high, 0.04)/math.Pow(low, 0.04)) // a 25th of the axis, so that no marker reaches a tick's label
		a.Min, a.Max = max(low/room, math.SmallestNonzeroFloat64), min(high*room, math.MaxFloat64)
		return a
	}
	if near := 1e-9 * max(math.Abs(low), math.Abs(high)); high-low <= near {
		room := max(math.Abs(low)/10, 1e-3)
		low, high = low-room, high+room
	}
	// A measure that comes near 0 is shown down to it.
	if low > 0 && low < high/2 {
		low = 0
	}
	step := tickStep(low, high)
	a.Min, a.Max = math.Floor(low/step+1e-9)*step, math.Ceil(high/step-1e-9)*step
	return a
}

// ticks are the marks of the axis, about five with labels.
func (a Axis) ticks() plot.ConstantTicks {
	if a.Log {
		return logTicks(a.Min, a.Max)
	}
	step := tickStep(a.Min, a.Max)
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var ticks plot.ConstantTicks
	first := math.Ceil(a.Min/step - 1e-9)
	for i := 0.0; (first+i)*step <= a.Max+1e-9*step; i++ {
		v := (first + i) * step
		if v == 0 {
			v = 0 // never −0
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: decimal(v, decimals)})
	}
	return ticks
}

// tickStep is 1, 2, 5 or, where that is whole, 2.5 times a power of ten; up to six of it fit.
func tickStep(low, high float64) float64 {
	power := math.Pow10(int(math.Floor(math.Log10((high - low) / 4))))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m == 2.5 && power < 10 {
			continue // 32.5 and the like are harder to read than a coarser step
		}
		if (high-low)/(m*power) <= 6+1e-9 {
			return m * power
		}
	}
	return 10 * power
}

// logTicks labels the powers of ten, and 2 and 5 times them where there are few.
func logTicks(low, high float64) (ticks plot.ConstantTicks) {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	decades := math.Log10(high / low)
	every := 1 + (last-first)/8
	for power := first; power <= last; power++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow10(power)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			labelled := m == 1 && (power-first)%every == 0 || decades < 2.5 && (m == 2 || m == 5) || decades < 0.7 && m != 7 && m != 9
			tick := plot.Tick{Value: v}
			if labelled {
				tick.Label = decimal(v, max(0, -power))
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// decimal writes a number with a true minus sign and commas between thousands.
func decimal(v float64, decimals int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if v < 0 {
		return "−" + whole
	}
	return whole
}
