package seq2seq

import (
	"math"
	"testing"
)

func TestLearningRate(t *testing.T) {
	for _, test := range []struct {
		schedule Schedule
		update   int
		want     float64
	}{
		{ScheduleConstant, 1, 1}, {ScheduleConstant, 100, 1},
		{ScheduleLinear, 1, 1}, {ScheduleLinear, 51, 1}, {ScheduleLinear, 76, 0.5}, {ScheduleLinear, 100, 0.02},
		{ScheduleHalving, 1, 1}, {ScheduleHalving, 67, 1}, {ScheduleHalving, 68, 0.5}, {ScheduleHalving, 80, 0.25}, {ScheduleHalving, 100, 1. / 32},
		{ScheduleInverseRoot, 1, 0.1}, {ScheduleInverseRoot, 10, 1}, {ScheduleInverseRoot, 40, 0.5},
	} {
		c := Config{LearningRate: 3, Schedule: test.schedule, Updates: 100}
		if got := c.learningRate(test.update); math.Abs(got-3*test.want) > 1e-9 {
			t.Errorf("%s: update %d of 100 has rate %v, want %v", test.schedule, test.update, got, 3*test.want)
		}
	}
}

// WarmUp lets any schedule rise from 0 in a straight line, and says where inverse-root has its peak.
func TestWarmUp(t *testing.T) {
	for _, test := range []struct {
		schedule Schedule
		update   int
		want     float64
	}{
		{ScheduleConstant, 1, 0.05}, {ScheduleConstant, 10, 0.5}, {ScheduleConstant, 20, 1}, {ScheduleConstant, 21, 1},
		{ScheduleLinear, 5, 0.25}, {ScheduleLinear, 51, 1}, {ScheduleLinear, 76, 0.5}, {ScheduleHalving, 10, 0.5}, {ScheduleHalving, 68, 0.5},
		{ScheduleInverseRoot, 1, 0.05}, {ScheduleInverseRoot, 20, 1}, {ScheduleInverseRoot, 80, 0.5},
	} {
		c := Config{LearningRate: 3, Schedule: test.schedule, Updates: 100, WarmUp: 20}
		if got := c.learningRate(test.update); math.Abs(got-3*test.want) > 1e-9 {
			t.Errorf("%s: update %d of 100, 20 of them to warm up, has rate %v, want %v", test.schedule, test.update, got, 3*test.want)
		}
	}
}

// No schedule ever gives a rate that is not a number above 0, however few updates there are.
func TestLearningRateIsPositive(t *testing.T) {
	for _, schedule := range []Schedule{ScheduleConstant, ScheduleLinear, ScheduleHalving, ScheduleInverseRoot} {
		for updates := 1; updates < 30; updates++ {
			c := Config{LearningRate: 1, Schedule: schedule, Updates: updates}
			for u := 1; u <= updates; u++ {
				if rate := c.learningRate(u); !(rate > 0 && rate <= 1) {
					t.Errorf("%s: update %d of %d has rate %v", schedule, u, updates, rate)
				}
			}
		}
	}
}
