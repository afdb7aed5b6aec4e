// Package project finds the checkout that the running program belongs to, and the folders in it
// that the other packages share.
//
// A notebook cell, a test and a command run in different working directories; all of them find the
// same folders here.
package project

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Module is the module path in the first line of the checkout's go.mod.
const Module = "seq2attn"

// RootVariable names the environment variable that overrides the search for the root.
const RootVariable = "SEQ2ATTN_ROOT"

// Root is the folder of the checkout: the one named by [RootVariable], else the nearest folder at or above the
// working directory whose go.mod declares [Module].
func Root() (string, error) {
	if root := os.Getenv(RootVariable); root != "" {
		if !declaresModule(root) {
			return "", fmt.Errorf("project: %s=%q holds no go.mod of module %s: name the folder of the checkout or unset the variable", RootVariable, root, Module)
		}
		return filepath.Abs(root)
	}
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("project: working directory: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if declaresModule(dir) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("project: no go.mod of module %s in %q or above: work inside the checkout or set %s", Module, start, RootVariable)
		}
	}
}

// Path joins elements to the root.
func Path(elements ...string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{root}, elements...)...), nil
}

// declaresModule tells whether dir/go.mod opens with "module seq2attn".
func declaresModule(dir string) bool {
	f, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "//") {
			return line == "module "+Module
		}
	}
	return false
}

// Runs is the folder of training runs: the one named by SEQ2ATTN_RUNS, else runs in the root.
func Runs() (string, error) {
	if dir := os.Getenv("SEQ2ATTN_RUNS"); dir != "" {
		return filepath.Abs(dir)
	}
	return Path("runs")
}

// Cache is the folder of what can be made again: cache in .lab, where set-up has made that; ok is false elsewhere.
func Cache() (folder string, ok bool) {
	lab, err := Path(".lab")
	if err != nil {
		return "", false
	}
	if info, err := os.Stat(lab); err != nil || !info.IsDir() {
		return "", false
	}
	return filepath.Join(lab, "cache"), true
}

// ErrNoData says that a data folder is absent; tests that need one skip on it.
var ErrNoData = errors.New("data folder not found")

// Data is the folder of downloaded corpora: the one named by SEQ2ATTN_DATA, else data in the root. The error wraps
// [ErrNoData] where name does not exist in it.
func Data(name string) (string, error) {
	dir := os.Getenv("SEQ2ATTN_DATA")
	if dir == "" {
		var err error
		if dir, err = Path("data"); err != nil {
			return "", err
		}
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("project: %w: %s (set SEQ2ATTN_DATA to the folder that holds %s)", ErrNoData, path, name)
	}
	return path, nil
}
