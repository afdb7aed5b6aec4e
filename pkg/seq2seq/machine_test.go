package seq2seq

import "testing"

// An update's random numbers depend on the seed and the update, and on nothing else.
func TestRandomState(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(3) {
		for update := range 3 {
			for again := range 2 {
				state, err := randomState(seed, update)
				if err != nil {
					t.Fatal(err)
				}
				if key := state.String(); seen[key] != (again == 1) {
					t.Errorf("seed %d, update %d, again %d: state %s, seen before: %v", seed, update, again, key, seen[key])
				} else {
					seen[key] = true
				}
			}
		}
	}
}
