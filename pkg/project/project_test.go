package project

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestRoot(t *testing.T) {
	dir := t.TempDir()
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	deep := filepath.Join(dir, "a folder", "notebooks")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(deep)
	t.Setenv(RootVariable, "")
	if root, err := Root(); err == nil {
		t.Fatalf("found %q where there is no go.mod of ours", root)
	}
	for _, c := range []struct {
		name, mod string
		found     bool
	}{
		{"another module", "module other\n", false},
		{"a module whose name starts with ours", "module seq2attn/tools\n", false},
		{"ours", "// a comment\n\nmodule seq2attn\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(c.mod), 0o644); err != nil {
				t.Fatal(err)
			}
			root, err := Root()
			if (err == nil) != c.found || c.found && root != dir {
				t.Errorf("Root() = %q, %v", root, err)
			}
		})
	}
	t.Setenv(RootVariable, deep)
	if _, err := Root(); err == nil {
		t.Error("an override that is no checkout was accepted")
	}
	t.Setenv(RootVariable, dir)
	if root, err := Root(); err != nil || root != dir {
		t.Errorf("Root() = %q, %v with the override", root, err)
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SEQ2ATTN_RUNS", filepath.Join(dir, "elsewhere"))
	if runs, err := Runs(); err != nil || runs != filepath.Join(dir, "elsewhere") {
		t.Errorf("Runs() = %q, %v", runs, err)
	}
	t.Setenv("SEQ2ATTN_DATA", dir)
	if _, err := Data("absent"); !errors.Is(err, ErrNoData) {
		t.Errorf("Data of an absent folder: %v, want ErrNoData", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "there"), 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := Data("there"); err != nil || path != filepath.Join(dir, "there") {
		t.Errorf("Data() = %q, %v", path, err)
	}
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+Module+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(RootVariable, dir)
	if folder, ok := Cache(); ok {
		t.Errorf("Cache() = %q in a checkout that was not set up", folder)
	}
	if err := os.Mkdir(filepath.Join(dir, ".lab"), 0o755); err != nil {
		t.Fatal(err)
	}
	if folder, ok := Cache(); !ok || folder != filepath.Join(dir, ".lab", "cache") {
		t.Errorf("Cache() = %q, %v", folder, ok)
	}
	t.Setenv(RootVariable, filepath.Join(dir, "absent"))
	if folder, ok := Cache(); ok {
		t.Errorf("Cache() = %q without a checkout", folder)
	}
}
