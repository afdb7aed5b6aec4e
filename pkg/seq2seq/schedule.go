package seq2seq

import "math"

// learningRate is the step size of the given update, counted from 1 to Updates.
func (c Config) learningRate(update int) float64 {
	done := float64(update-1) / float64(c.Updates) // share of the updates before this one, in [0,1)
	warmUp := float64(c.WarmUp)
	if c.Schedule == ScheduleInverseRoot && warmUp == 0 {
		warmUp = math.Max(1, math.Ceil(float64(c.Updates)/10))
	}
	u := float64(update)
	rate := c.LearningRate
	if u < warmUp {
		rate *= u / warmUp
	}
	switch c.Schedule {
	case ScheduleLinear:
		return rate * math.Min(1, 2*(1-done))
	case ScheduleHalving:
		const begin, times = 2. / 3, 5
		if done < begin {
			return rate
		}
		return rate * math.Pow(0.5, 1+math.Floor((done-begin)/(1-begin)*times))
	case ScheduleInverseRoot:
		return rate * math.Min(1, math.Sqrt(warmUp/u))
	default:
		return rate
	}
}
