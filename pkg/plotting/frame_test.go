package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Entries of the key stand in the order of their curves' ends, none over another, none off the page, and at the end itself where
// there is room.
func TestSpread(t *testing.T) {
	blocks := []vg.Length{20, 20, 20, 20}
	identity := func(v float64) vg.Length { return vg.Length(v) }
	for _, ends := range [][]float64{
		{50, 150, 100, 200},
		{100, 100, 100, 100},
		{0, 1, 2, 3},
		{298, 299, 300, 297},
		{10, math.NaN(), 11, 300},
	} {
		keys := make([]key, len(ends))
		for i, e := range ends {
			keys[i].end = e
		}
		middles := spread(keys, blocks, identity, 300)
		for i, m := range middles {
			if m < 10-1e-9 || m > 290+1e-9 {
				t.Errorf("%v: entry %d at %g is off the page", ends, i, m)
			}
			for j := range i {
				if math.Abs(float64(m-middles[j])) < 20-1e-9 {
					t.Errorf("%v: entries %d and %d are over each other at %g and %g", ends, j, i, middles[j], m)
				}
				if (ends[i] > ends[j]) && m < middles[j] || (ends[i] < ends[j]) && m > middles[j] {
					t.Errorf("%v: entries %d and %d are in the wrong order", ends, j, i)
				}
			}
		}
		if ends[0] == 50 && (middles[0] != 50 || middles[3] != 200) {
			t.Errorf("%v: entries with room are at %v", ends, middles)
		}
	}
}
