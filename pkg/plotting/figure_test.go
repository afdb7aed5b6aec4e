package plotting

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// encode is the figure as a file of the format.
func encode(f *Figure, extension string, options ...Option) ([]byte, error) {
	s, err := f.on(options...)
	if err != nil {
		return nil, err
	}
	return s.encode(extension)
}

func small(t *testing.T) *Figure {
	t.Helper()
	f, err := Heatmap{Title: "A <title> & more", Source: []string{"red", "boat"}, Target: []string{"bateau", "rouge"},
		Weights: [][]float64{{0.1, 0.9}, {0.8, 0.2}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	f := small(t)
	for extension, begin := range map[string]string{".png": "\x89PNG", ".svg": "<svg", ".pdf": "%PDF", ".tex": "% A figure", ".PNG": "\x89PNG"} {
		path := filepath.Join(dir, "a new", "folder", "été"+extension)
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		first, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(first, []byte(begin)) {
			t.Errorf("%s begins with %.8q: %v", extension, first, err)
		}
		// The same figure is the same file.
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		if second, err := os.ReadFile(path); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs when saved again: %v", extension, err)
		}
	}
	files, err := os.ReadDir(filepath.Join(dir, "a new", "folder"))
	if err != nil || len(files) != 5 {
		t.Errorf("%d files are left of 5: %v", len(files), err)
	}
}

func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := small(t)
	for path, want := range map[string]string{
		"figure.gif":                      `extension ".gif" is none of .pdf, .png, .svg, .tex`,
		"figure":                          `extension "" is none of`,
		filepath.Join(file, "x", "a.pdf"): "not a directory",
		filepath.Join(dir, ".png", "a"):   `extension "" is none of`,
	} {
		err := f.Save(path)
		wantError(t, err, want)
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name %q", err, path)
		}
	}
	// A folder of the file's name stands in the way: nothing is left beside it.
	if err := os.MkdirAll(filepath.Join(dir, "taken.svg", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantError(t, f.Save(filepath.Join(dir, "taken.svg")), "taken.svg")
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v: %v", files, err)
	}
}

func TestSentence(t *testing.T) {
	for title, want := range map[string]string{"": "", " A title ": "A title. ", "Why?": "Why? ", "Done.": "Done. "} {
		if got := sentence(title); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
}

func TestDots(t *testing.T) {
	for wide, want := range map[vg.Length]vg.Length{0: 0, 1: 1, 1.2: 2, 7.9999999: 8, 8.0000001: 8} {
		if got := dots(wide*dot) / dot; got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%g dots become %g", wide, got)
		}
	}
}
