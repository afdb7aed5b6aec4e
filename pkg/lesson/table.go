package lesson

import (
	"fmt"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/results"
)

// Table compares models by measures of the whole test part: one row each. Where there are several seeds a cell has the mean over them and,
// in brackets, the least and the greatest.
func Table(models []results.Model, measures ...results.Measure) (plotting.Table, error) {
	t := plotting.Table{Columns: []string{"model", "parameters", "updates", "minutes a seed", "seeds"}}
	for _, x := range measures {
		t.Columns = append(t.Columns, axis(x).Label)
	}
	for _, m := range models {
		var minutes []float64
		for _, s := range m.Seeds {
			minutes = append(minutes, s.Seconds/60)
		}
		mean, err := metrics.Summarize(minutes)
		if err != nil {
			return t, fmt.Errorf("lesson: %s: %w", m.Name, err)
		}
		row := []any{m.Name, m.Parameters, m.Updates(), fmt.Sprintf("%.1f", mean.Mean), len(m.Seeds)}
		for _, x := range measures {
			cell := "–"
			if s, err := m.Overall(x); err == nil {
				cell = Spread(s)
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t, nil
}

// Spread is "71.2 (68.0–74.5)": the mean, the least and the greatest; the number alone where there is one seed.
func Spread(s metrics.Spread) string {
	format := func(v float64) string {
		if s.Max < 1.5 { // a share
			return fmt.Sprintf("%.3f", v)
		}
		return fmt.Sprintf("%.1f", v)
	}
	if s.N == 1 {
		return format(s.Mean)
	}
	return fmt.Sprintf("%s (%s–%s)", format(s.Mean), format(s.Min), format(s.Max))
}
