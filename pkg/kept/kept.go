// Package kept keeps what took long to compute in files that can be deleted at any time, and tells one that is damaged from one that is whole.
package kept

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

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
	text, err := os.ReadFile(path)
	if err != nil || len(text) < sha256.Size {
		return false
	}
	check, text := text[:sha256.Size], text[sha256.Size:]
	sum := sha256.Sum256(text)
	return bytes.Equal(sum[:], check) && gob.NewDecoder(bytes.NewReader(text)).Decode(value) == nil
}
