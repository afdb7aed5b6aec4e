package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"

	. "github.com/gomlx/gomlx/core/graph"
)

// noPlugin makes the machine one without a plugin.
func noPlugin(t *testing.T) { t.Setenv(PluginVariable, t.TempDir()) }

// damagedPlugin makes the machine one whose plugin, in the second folder that it names, cannot be loaded.
func damagedPlugin(folder string) func(t *testing.T) {
	return func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), folder)
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "pjrt_c_api_cpu_plugin.so"), []byte("no library"), 0o644)); err != nil {
			t.Fatal(err)
		}
		t.Setenv(PluginVariable, t.TempDir()+string(filepath.ListSeparator)+dir)
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name   string
		named  string // what the variable says
		plugin func(t *testing.T)
		kind   Kind // "" where it is an error
		says   []string
	}{
		{"Go by name", "go", nil, Go, []string{"engine: go", Variable + "=go"}},
		{"Go by name where there is no plugin", "go", noPlugin, Go, []string{"engine: go"}},
		{"what there is", "", noPlugin, Go, []string{"engine: go", "no XLA plugin", PluginVariable, "ten to twenty times slower"}},
		{"a damaged plugin", "", damagedPlugin("a folder"), Go, []string{"engine: go", "a folder/pjrt_c_api_cpu_plugin.so"}},
		{"XLA by name where there is no plugin", "xla", noPlugin, "", []string{"no XLA plugin", PluginVariable, "make lab", "unset " + Variable}},
		{"XLA by name with a damaged plugin", "xla", damagedPlugin("a folder"), "", []string{"a folder/pjrt_c_api_cpu_plugin.so", "unset " + Variable}},
		{"a path that go-xla misreads", "xla", damagedPlugin("so, so"), "", []string{"so, so", "comma"}},
		{"an unknown name", "cuda", nil, "", []string{Variable + `="cuda"`, `"xla"`, `"go"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(Variable, c.named)
			if c.plugin != nil {
				c.plugin(t)
			}
			e, err := Open()
			if (err != nil) != (c.kind == "") {
				t.Fatalf("Open() = %v, %v", e, err)
			}
			var said string
			if err != nil {
				said = err.Error()
			} else {
				defer e.Close()
				said = e.String()
				if e.Kind != c.kind {
					t.Errorf("opened %s, want %s", e.Kind, c.kind)
				}
			}
			for _, part := range c.says {
				if !strings.Contains(said, part) {
					t.Errorf("says %q, without %q", said, part)
				}
			}
			if strings.Contains(said, "\n") {
				t.Errorf("says %q, in more than one line", said)
			}
		})
	}
}

func TestOpenXLA(t *testing.T) {
	enginetest.Open(t, XLA) // skips where there is no plugin
	t.Setenv(Variable, "")
	e, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if e.Kind != XLA || !strings.Contains(e.String(), "pjrt_c_api_cpu_plugin.so") {
		t.Errorf("opened %s where there is a plugin", e)
	}
}

func TestOpenKindUnknown(t *testing.T) {
	if _, err := OpenKind("tpu"); err == nil || !strings.Contains(err.Error(), `"tpu"`) {
		t.Errorf("OpenKind: %v", err)
	}
}

func TestErrNoPlugin(t *testing.T) {
	noPlugin(t)
	if _, err := OpenKind(XLA); !errors.Is(err, ErrNoPlugin) {
		t.Errorf("OpenKind: %v, want ErrNoPlugin", err)
	}
	damagedPlugin("folder")(t)
	if _, err := OpenKind(XLA); err == nil || errors.Is(err, ErrNoPlugin) {
		t.Errorf("OpenKind: %v, want another error for a plugin that is there", err)
	}
}

// TestWideGraph runs a graph of many operations that could run beside each other, each of which splits its own work: in the pure Go backend's
// default configuration all of its workers come to wait for a free one.
func TestWideGraph(t *testing.T) {
	enginetest.Each(t, func(t *testing.T, e *Engine) {
		exec, err := NewExec(e.Backend, func(x *Node) *Node {
			sum := x
			for i := range 64 {
				sum = Add(sum, Erf(MulScalar(x, 1/float64(i+1))))
			}
			return ReduceAllMean(sum)
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			var err error
			for i := 0; err == nil && i < 10; i++ {
				_, err = exec.Call(make([]float32, 1<<18))
			}
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("hangs")
		}
	})
}
