package seq2seq

import "math"

// learningRate is the step size of the given update, counted from 1 to Updates.
func (c Config) learningRate(update int) float64 {
	done := float64(update-1) / float64(c.Updates) // share of the updates before this one, in [0,1)
	switch c.Schedule {
	case ScheduleLinear:
		return c.LearningRate * math.Min(1, 2*(1-done))
	case ScheduleHalving:
		const begin, times = 2. / 3, 5
		if done < begin {
			return c.LearningRate
		}
		return c.LearningRate * math.Pow(0.5, 1+math.Floor((done-begin)/(1-begin)*times))
	case ScheduleInverseRoot:
		warmup := math.Max(1, math.Ceil(float64(c.Updates)/10))
		u := float64(update)
		return c.LearningRate * math.Min(u/warmup, math.Sqrt(warmup/u))
	default:
		return c.LearningRate
	}
}
