package recurrent

import (
	"errors"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
)

// CanLoop is nil where Scan can be a loop on this backend, else the reason why its steps are written out.
func CanLoop(backend compute.Backend) error { return errors.New("not yet") }

func (s *scan) loop() (last, ys []*Node) { panic("not yet") }
