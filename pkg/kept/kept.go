// Package kept keeps what took long to compute in files that can be deleted at any time, and tells one that is damaged from one that is whole.
package kept

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2"
)

// mostBytes is the size of the largest file that Read takes.
const mostBytes = 1 << 30

// ReadFile is os.ReadFile for files that may come from elsewhere: one of more than limit bytes, or one that is no file, such as a device that never
// ends, is an error.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("kept: %s is no file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	n, err := text.ReadFrom(io.LimitReader(file, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("kept: %s has %d bytes, more than the %d that are read", path, info.Size(), limit)
	}
	return text.Bytes(), err
}

// Code is the SHA-256 of the .go files of sources, to be a part of a key: what another version of a package made is not taken for its work.
func Code(sources fs.FS) (string, error) {
	files, err := fs.Glob(sources, "*.go")
	if err != nil {
		return "", fmt.Errorf("kept: %w", err)
	}
	sum := sha256.New()
	for _, name := range files {
		text, err := fs.ReadFile(sources, name)
		if err != nil {
			return "", fmt.Errorf("kept: %w", err)
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// Write keeps a value in a file, which is there whole or not at all; its folder is made.
func Write(path string, value any) error {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(value); err != nil {
		return fmt.Errorf("kept: %s: %w", path, err)
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("kept: %w", err)
	}
	sum := sha256.Sum256(text.Bytes())
	if err := renameio.WriteFile(path, append(sum[:], text.Bytes()...), 0o644, renameio.WithTempDir(folder)); err != nil {
		return fmt.Errorf("kept: %w", err)
	}
	return nil
}

// Read puts what Write kept into the value that is pointed to; ok is false where the file is absent, damaged, or of something else. Gob does not tell an
// empty slice from none.
func Read(path string, value any) (ok bool) {
	text, err := ReadFile(path, mostBytes)
	if err != nil || len(text) < sha256.Size {
		return false
	}
	check, text := text[:sha256.Size], text[sha256.Size:]
	sum := sha256.Sum256(text)
	return bytes.Equal(sum[:], check) && gob.NewDecoder(bytes.NewReader(text)).Decode(value) == nil
}

// Prune removes the files of a folder that have been written or touched least lately, until the others take at most limit bytes. Files that another process
// removes meanwhile are removed.
func Prune(folder string, limit int64) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("kept: %w", err)
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	total := int64(0)
	for _, f := range files {
		if total += f.Size(); total <= limit {
			continue
		}
		if err := os.Remove(filepath.Join(folder, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("kept: %w", err)
		}
	}
	return nil
}
