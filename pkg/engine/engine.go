// Package engine opens the compute backend that everything else runs on: XLA where a plugin is found, else pure Go in a
// configuration that cannot deadlock. It says which it took and why.
//
// Nothing is ever downloaded: GoMLX's own search for a plugin on the network is turned off.
package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"

	"seq2attn/pkg/compiled"
	"seq2attn/pkg/project"
)

// Variable names the environment variable that overrides the choice.
const Variable = "SEQ2ATTN_ENGINE"

// CompiledVariable names the environment variable with the folder in which XLA's executables are kept, see [compiled.Keep]; "off" compiles anew. Unset it is
// xla in the folder of [project.Cache].
const CompiledVariable = "SEQ2ATTN_COMPILED"

// Kind is one of the two engines.
type Kind string

const (
	XLA Kind = "xla" // OpenXLA's compiler through a PJRT plugin
	Go  Kind = "go"  // GoMLX's own backend, ten to twenty times slower, with no library to find
)

// Engine is an open backend.
type Engine struct {
	Backend compute.Backend
	Kind    Kind
	Why     string // why this kind was taken, in half a sentence
}

// Close frees what the engine holds; nothing made with it may be used afterwards.
func (e *Engine) Close() { e.Backend.Finalize() }

// String says which engine this is and why, in one line.
func (e *Engine) String() string { return fmt.Sprintf("engine: %s (%s)", e.Kind, e.Why) }

// Open opens the engine named by the environment variable [Variable] if it is set, else XLA where a plugin is found, else
// pure Go. A name that is neither, or XLA by name where there is no plugin, is an error that says what to do.
func Open() (*Engine, error) {
	switch named := Kind(os.Getenv(Variable)); named {
	case XLA, Go:
		e, err := OpenKind(named)
		if err != nil {
			return nil, fmt.Errorf("%w; or unset %s to take what there is", err, Variable)
		}
		e.Why = fmt.Sprintf("%s=%s; %s", Variable, named, e.Why)
		return e, nil
	case "":
		e, err := OpenKind(XLA)
		if err == nil {
			return e, nil
		}
		slower, goErr := OpenKind(Go)
		if goErr != nil {
			return nil, errors.Join(err, goErr)
		}
		slower.Why = err.Error() + "; ten to twenty times slower"
		return slower, nil
	default:
		return nil, fmt.Errorf("engine: %s=%q: must be %q or %q, or unset", Variable, named, XLA, Go)
	}
}

// OpenKind opens an engine of this kind, whatever [Variable] says.
func OpenKind(kind Kind) (*Engine, error) {
	switch kind {
	case XLA:
		plugin, err := findPlugin()
		if err != nil {
			return nil, err
		}
		backend, err := openXLA(plugin)
		if err != nil {
			return nil, fmt.Errorf("engine: XLA plugin %s: %w", plugin, err)
		}
		why := "plugin " + plugin
		if err := compiled.Keep(plugin, compiledFolder()); err != nil {
			why += "; what it compiles is not kept: " + err.Error()
		}
		return &Engine{Backend: backend, Kind: XLA, Why: why}, nil
	case Go:
		backend, err := gobackend.New(safeGo)
		if err != nil {
			return nil, fmt.Errorf("engine: pure Go backend: %w", err)
		}
		return &Engine{Backend: backend, Kind: Go, Why: "pure Go, operations one after another"}, nil
	default:
		return nil, fmt.Errorf("engine: no engine %q: take %q or %q", kind, XLA, Go)
	}
}

// safeGo keeps the pure Go backend from running operations of one graph beside each other: in its default configuration all
// of its workers can come to wait for each other.
const safeGo = "ops_sequential"

// openXLA opens the plugin at this path, and keeps go-xla from looking for another on the network.
func openXLA(plugin string) (compute.Backend, error) {
	if strings.Contains(plugin, ",") {
		return nil, errors.New("its path has a comma, which go-xla takes for the begin of options: move it")
	}
	if err := os.Setenv(flagsVariable, withPlainLoops(os.Getenv(flagsVariable))); err != nil { // the plugin reads them at its first compilation
		return nil, err
	}
	xla.EnableAutoInstall(false)
	backend, err := xla.NewWithOptions(plugin, pjrt.NamedValuesMap{
		"cpu_device_count": int64(1), // 4 if it is not said, with a thread each, however few cores there are
		"asynchronous":     false,    // who calls computes, and need not hand it to another thread and wait
	})
	if err != nil { // a plugin for something other than the CPU refuses options that are the CPU's
		return xla.NewWithOptions(plugin, nil)
	}
	return backend, nil
}

// compiledFolder is where executables are kept, or none.
func compiledFolder() string {
	switch folder := os.Getenv(CompiledVariable); folder {
	case "off":
		return ""
	case "":
		if cache, ok := project.Cache(); ok {
			return filepath.Join(cache, "xla")
		}
		return ""
	default:
		return folder
	}
}
