package ibm

import (
	"sync"
	"sync/atomic"
)

// parallel is a number of workers.
type parallel int

// do calls work for 0 to n-1, every worker with a function of its own. Who does what is not fixed: what work writes must depend on its
// argument alone.
func (p parallel) do(n int, worker func() (work func(int))) {
	workers := min(int(p), n)
	if workers <= 1 {
		work := worker()
		for i := range n {
			work(i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			work := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	all.Wait()
}
