package main

import (
	"testing"

	"seq2attn/pkg/metrics"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{71.25}, "71.2"},
		{[]float64{70, 72}, "71.0 (70.0–72.0)"},
		{[]float64{0.1234}, "0.123"},
		{[]float64{0.1, 0.3}, "0.200 (0.100–0.300)"},
	} {
		s, err := metrics.Summarize(c.values)
		if err != nil {
			t.Fatal(err)
		}
		if got := spread(s); got != c.want {
			t.Errorf("spread of %v is %q, want %q", c.values, got, c.want)
		}
	}
}
