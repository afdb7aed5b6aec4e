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
		if err := sideBySide(n, func(i int) error { calls.Add(1); seen[i]++; return nil }); err != nil {
			t.Error(err)
		}
		for i, times := range seen {
			if times != 1 {
				t.Errorf("%d calls with %d of %d", times, i, n)
			}
		}
		for what, f := range map[string]func(){"an error": nil, "a panic": func() { panic(fmt.Errorf("in a graph: %w", failed)) }} {
			err := sideBySide(n, func(i int) error {
				if i != n-1 {
					return nil
				}
				if f != nil {
					f()
				}
				return failed
			})
			if errors.Is(err, failed) != (n > 0) {
				t.Errorf("%s of %d calls gives %v", what, n, err)
			}
		}
	}
}
