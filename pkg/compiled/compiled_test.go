package compiled_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/compiled"
	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
	"seq2attn/pkg/kept"
)

// open is XLA that keeps what it compiles in a folder.
func open(t *testing.T, folder string) *engine.Engine {
	t.Helper()
	t.Setenv(engine.CompiledVariable, folder)
	return enginetest.Open(t, engine.XLA)
}

// sine compiles and computes sin(factor·x) summed in a loop, and the gradient.
func sine(t *testing.T, e *engine.Engine, factor float64) []float32 {
	t.Helper()
	out := enginetest.Compute(t, e, func(in []*graph.Node) []*graph.Node {
		y := graph.ReduceAllSum(graph.Sin(graph.MulScalar(graph.MatMul(in[0], in[0]), factor)))
		return append([]*graph.Node{y}, graph.Gradient(y, in[0])...)
	}, [][]float32{{0.1, 0.2}, {0.3, 0.4}})
	values := []float32{tensors.ToScalar[float32](out[0])}
	return append(values, tensors.MustCopyFlatData[float32](out[1])...)
}

func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A graph is compiled once; the same graph in another engine is not, and computes the same.
func TestKeep(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a new folder")
	want := sine(t, open(t, folder), 2)
	first := files(t, folder)
	if len(first) != 1 {
		t.Fatalf("one graph left the files %v", first)
	}
	path := filepath.Join(folder, first[0])
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	if got := sine(t, open(t, folder), 2); !slices.Equal(got, want) {
		t.Errorf("the kept executable computes %v, the compiled one %v", got, want)
	}
	if info, err := os.Stat(path); err != nil || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("the executable was not taken, or not marked as used: %v, %v", info.ModTime(), err)
	}
	if other := sine(t, open(t, folder), 3); slices.Equal(other, want) {
		t.Error("another graph computes the same")
	}
	if n := len(files(t, folder)); n != 2 {
		t.Errorf("two graphs are in %d files", n)
	}
}

// Damaged files, and those of a plugin that is none, are made anew.
func TestDamaged(t *testing.T) {
	folder := t.TempDir()
	want := sine(t, open(t, folder), 2)
	path := filepath.Join(folder, files(t, folder)[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"empty": nil, "cut": whole[:len(whole)/2], "changed": append(slices.Clone(whole[:len(whole)-1]), whole[len(whole)-1]^1),
	} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := sine(t, open(t, folder), 2); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if again, err := os.ReadFile(path); err != nil || len(again) != len(whole) {
			t.Errorf("%s: %d bytes are kept afterwards, want %d (%v)", name, len(again), len(whole), err)
		}
	}
}

// What the plugin refuses although it is whole, is made anew.
func TestRefused(t *testing.T) {
	folder := t.TempDir()
	want := sine(t, open(t, folder), 2)
	path := filepath.Join(folder, files(t, folder)[0])
	if err := kept.Write(path, []byte("not an executable")); err != nil {
		t.Fatal(err)
	}
	if got := sine(t, open(t, folder), 2); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Nothing is kept where that is not wanted or not possible, and everything works.
func TestNotKept(t *testing.T) {
	parent := t.TempDir()
	blocked := filepath.Join(parent, "file", "folder")
	if err := os.WriteFile(filepath.Join(parent, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want := sine(t, open(t, parent), 2)
	if got := sine(t, open(t, "off"), 4); len(got) != len(want) { // in a process that kept before
		t.Errorf("off: %v", got)
	}
	if got := sine(t, open(t, blocked), 2); !slices.Equal(got, want) {
		t.Errorf("a folder that cannot be made: %v, want %v", got, want)
	}
	if n := len(files(t, parent)); n != 2 { // the executable and the file
		t.Errorf("%d files", n)
	}
}

func TestKeepErrors(t *testing.T) {
	open(t, t.TempDir())
	for name, plugin := range map[string]string{
		"no file":    filepath.Join(t.TempDir(), "plugin.so"),
		"not loaded": os.Args[0],
	} {
		if err := compiled.Keep(plugin, t.TempDir()); err == nil || !strings.Contains(err.Error(), plugin) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The declarations agree with the header of the PJRT C API that GoMLX is built with.
func TestHeader(t *testing.T) {
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no C compiler: %v", err)
	}
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gomlx/go-xla").Output()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("#include \"pjrt_c_api.h\"\n#include \"pjrt.h\"\n")
	for ours, theirs := range map[string]string{
		"ERROR_DESTROY": "PJRT_Error_Destroy", "CLIENT_COMPILE": "PJRT_Client_Compile", "EXECUTABLE_DESTROY": "PJRT_Executable_Destroy",
		"EXECUTABLE_SERIALIZE": "PJRT_Executable_Serialize", "LOADED_EXECUTABLE_GET_EXECUTABLE": "PJRT_LoadedExecutable_GetExecutable",
		"EXECUTABLE_DESERIALIZE_AND_LOAD": "PJRT_Executable_DeserializeAndLoad",
	} {
		fmt.Fprintf(&text, "_Static_assert(offsetof(pjrt_api, functions) + %s * sizeof(void *) == offsetof(PJRT_Api, %s), \"%s\");\n", ours, theirs, theirs)
	}
	for _, s := range []struct{ ours, theirs, fields string }{
		{"pjrt_program", "PJRT_Program", "size=struct_size code code_size format format_size"},
		{"compile_job", "PJRT_Client_Compile_Args", "size=struct_size client program options=compile_options options_size=compile_options_size loaded=executable"},
		{"executable_job", "PJRT_LoadedExecutable_GetExecutable_Args", "size=struct_size loaded=loaded_executable executable"},
		{"serialize_job", "PJRT_Executable_Serialize_Args", "size=struct_size executable bytes=serialized_bytes bytes_size=serialized_bytes_size " +
			"serialized=serialized_executable delete=serialized_executable_deleter"},
		{"load_job", "PJRT_Executable_DeserializeAndLoad_Args", "size=struct_size client bytes=serialized_executable bytes_size=serialized_executable_size " +
			"loaded=loaded_executable options=overridden_serialized_compile_options options_size=overridden_serialized_compile_options_size"},
		{"destroy_job", "PJRT_Error_Destroy_Args", "size=struct_size what=error"},
		{"destroy_job", "PJRT_Executable_Destroy_Args", "size=struct_size what=executable"},
	} {
		fmt.Fprintf(&text, "_Static_assert(sizeof(%s) == %s_STRUCT_SIZE, \"%s\");\n", s.ours, s.theirs, s.theirs)
		for _, field := range strings.Fields(s.fields) {
			ours, theirs, renamed := strings.Cut(field, "=")
			if !renamed {
				theirs = ours
			}
			fmt.Fprintf(&text, "_Static_assert(offsetof(%s, %s) == offsetof(%s, %s), \"%s.%s\");\n", s.ours, ours, s.theirs, theirs, s.theirs, theirs)
		}
	}
	path := filepath.Join(t.TempDir(), "check.c")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	check := exec.Command(compiler, "-fsyntax-only", "-std=c11", "-I.", "-I"+filepath.Join(strings.TrimSpace(string(module)), "pjrt"), path)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
