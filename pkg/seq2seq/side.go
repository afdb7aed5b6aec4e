package seq2seq

import (
	"runtime"

	"github.com/gomlx/gomlx/support/exceptions"
	"golang.org/x/sync/errgroup"
)

// sideBySide calls f with 0 to n−1, as many at once as there are cores and no fewer than a batch has parts, and returns what they return and the first error; what
// GoMLX panics with is one too.
func sideBySide[T any](n int, f func(i int) (T, error)) ([]T, error) {
	of := make([]T, n)
	var all errgroup.Group
	all.SetLimit(max(parts, runtime.GOMAXPROCS(0)))
	for i := range n {
		all.Go(func() (err error) {
			if failed := exceptions.TryCatch[error](func() { of[i], err = f(i) }); failed != nil {
				return failed
			}
			return err
		})
	}
	return of, all.Wait()
}
