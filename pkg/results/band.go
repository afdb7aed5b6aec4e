package results

import (
	"fmt"
	"slices"

	"seq2attn/pkg/metrics"
)

// Band is a measure over seeds in one length bin: the curve is its means, the band goes from its minima to its maxima.
type Band struct {
	Bin metrics.Bin
	// N is the number of test sentences. The spread is empty, its own N 0, where the bin has none or too short ones for the measure.
	N      int
	Spread metrics.Spread
}

// Empty tells that the bin has no sentence, and so no measure.
func (b Band) Empty() bool { return b.N == 0 }

// Bands gives a measure in each length bin over the model's seeds, at the end of their training. All seeds must have been tested on the same
// sentences, and have the measure in the same bins. A bin without it has a spread of N 0.
func (m Model) Bands(measure Measure) ([]Band, error) {
	fail := func(format string, details ...any) ([]Band, error) {
		return nil, fmt.Errorf("results: model %q, %q by length: %w", m.Name, measure, fmt.Errorf(format, details...))
	}
	if len(m.Seeds) == 0 || len(m.Seeds[0].Bins) == 0 {
		return fail("not measured")
	}
	bands, measured := make([]Band, len(m.Seeds[0].Bins)), false
	for k, first := range m.Seeds[0].Bins {
		bands[k] = Band{Bin: first.Bin, N: first.N}
		var values []float64
		for _, s := range m.Seeds {
			if len(s.Bins) != len(bands) || s.Bins[k].Bin != first.Bin || s.Bins[k].N != first.N {
				return fail("seeds %d and %d were tested on different sentences", m.Seeds[0].Seed, s.Seed)
			}
			if value, ok := s.Bins[k].Measures[measure]; ok {
				values = append(values, value)
			}
		}
		if len(values) == 0 {
			continue
		}
		if len(values) < len(m.Seeds) {
			return fail("at %v measured in %d of %d seeds", first.Bin, len(values), len(m.Seeds))
		}
		measured = true
		spread, err := metrics.Summarize(values)
		if err != nil {
			return fail("at %v: %w", first.Bin, err)
		}
		bands[k].Spread = spread
	}
	if !measured {
		return fail("not measured")
	}
	return bands, nil
}

// Step is a measure over seeds after some updates.
type Step struct {
	Update int
	Spread metrics.Spread
}

// Steps gives a measure over the model's seeds at every update that a curve has it for; where curves differ in length or place, N
// of the spread says how many seeds there are.
func (m Model) Steps(measure Measure) ([]Step, error) {
	values := map[int][]float64{}
	for _, s := range m.Seeds {
		for _, p := range s.Curve {
			if value, ok := p.Measures[measure]; ok {
				values[p.Update] = append(values[p.Update], value)
			}
		}
	}
	return m.steps(measure, values)
}

// StepsOfBin is [Model.Steps] of the sentences of one length bin: does the model still learn them?
func (m Model) StepsOfBin(measure Measure, bin metrics.Bin) ([]Step, error) {
	values := map[int][]float64{}
	for _, s := range m.Seeds {
		for _, p := range s.Curve {
			for _, b := range p.Bins {
				if value, ok := b.Measures[measure]; ok && b.Bin == bin {
					values[p.Update] = append(values[p.Update], value)
				}
			}
		}
	}
	return m.steps(measure, values)
}

func (m Model) steps(measure Measure, values map[int][]float64) ([]Step, error) {
	if len(values) == 0 {
		return nil, fmt.Errorf("results: model %q: no curve has the measure %q", m.Name, measure)
	}
	steps := make([]Step, 0, len(values))
	for update, v := range values {
		spread, err := metrics.Summarize(v)
		if err != nil {
			return nil, fmt.Errorf("results: model %q, update %d, %q: %w", m.Name, update, measure, err)
		}
		steps = append(steps, Step{update, spread})
	}
	slices.SortFunc(steps, func(a, b Step) int { return a.Update - b.Update })
	return steps, nil
}

// Overall gives a measure of the whole test set over the model's seeds, all of which must have it.
func (m Model) Overall(measure Measure) (metrics.Spread, error) {
	var values []float64
	for _, s := range m.Seeds {
		value, ok := s.Measures[measure]
		if !ok {
			return metrics.Spread{}, fmt.Errorf("results: model %q, seed %d: %q was not measured", m.Name, s.Seed, measure)
		}
		values = append(values, value)
	}
	spread, err := metrics.Summarize(values)
	if err != nil {
		return spread, fmt.Errorf("results: model %q, %q: %w", m.Name, measure, err)
	}
	return spread, nil
}
