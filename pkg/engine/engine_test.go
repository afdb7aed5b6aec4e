package engine

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
)

func TestTry(t *testing.T) {
	e, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(e)
	t.Log(e.Backend.Description())
	ex, err := NewExec(e.Backend, func(a *Node) *Node { return Add(a, a) })
	if err != nil {
		t.Fatal(err)
	}
	o, err := ex.Call([]float32{1, 2})
	t.Log(o, err)
}
