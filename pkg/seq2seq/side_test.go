package seq2seq

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
)

func TestSideBySide(t *testing.T) {
	failed := errors.New("failed")
	for _, n := range []int{0, 1, 2, 50} {
		var calls atomic.Int64
		seen := make([]int, n)
		of, err := sideBySide(n, func(i int) (int, error) { calls.Add(1); seen[i]++; return 3 * i, nil })
		if err != nil || len(of) != n || calls.Load() != int64(n) {
			t.Errorf("%d results of %d calls, of %d: %v", len(of), calls.Load(), n, err)
		}
		for i, times := range seen {
			if times != 1 || of[i] != 3*i {
				t.Errorf("%d calls with %d of %d, and %d", times, i, n, of[i])
			}
		}
		for what, f := range map[string]func(){"an error": nil, "a panic": func() { panic(fmt.Errorf("in a graph: %w", failed)) }} {
			_, err := sideBySide(n, func(i int) (int, error) {
				if i != n-1 {
					return 0, nil
				}
				if f != nil {
					f()
				}
				return 0, failed
			})
			if errors.Is(err, failed) != (n > 0) {
				t.Errorf("%s of %d calls gives %v", what, n, err)
			}
		}
	}
}
