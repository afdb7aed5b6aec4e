package kept

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"seq2attn/pkg/project/projecttest"
)

type thing struct {
	Name    string
	Numbers []int
}

func TestWriteAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a folder", "file")
	var got thing
	if Read(path, &got) {
		t.Error("an absent file was read")
	}
	want := thing{"one", []int{1, 2}}
	for range 2 { // anew, and over an old one
		if err := Write(path, want); err != nil {
			t.Fatal(err)
		}
		got = thing{}
		if !Read(path, &got) || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if Read(path, new([]string)) {
		t.Error("a value of another type was read")
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"empty": nil, "short": whole[:7], "cut": whole[:len(whole)-1], "longer": append(append([]byte{}, whole...), 0),
		"changed sum": append([]byte{whole[0] ^ 1}, whole[1:]...), "changed end": append(append([]byte{}, whole[:len(whole)-1]...), whole[len(whole)-1]^1),
	} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if Read(path, &thing{}) {
			t.Errorf("%s: a damaged file was read", name)
		}
	}
}

// The files that were not used for longest go first, and folders stay.
func TestPrune(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"middle", "old", "new"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, make([]byte, 10), 0o644); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-[]time.Duration{2, 3, 1}[i] * time.Hour)
		if err := os.Chtimes(path, used, used); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		limit int64
		want  string
	}{{30, "folder middle new old"}, {29, "folder middle new"}, {20, "folder middle new"}, {15, "folder new"}, {0, "folder"}, {0, "folder"}} {
		if err := Prune(folder, test.limit); err != nil {
			t.Fatal(err)
		}
		var names []string
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("at most %d bytes: %s, want %s", test.limit, got, test.want)
		}
	}
	if err := Prune(filepath.Join(folder, "none"), 1); err == nil {
		t.Error("a folder that there is not was pruned")
	}
}

// What is too large, or no file at all, is refused before it takes any memory.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]string{4: "", 5: "12345", 6: "12345", 1 << 40: "12345"} {
		text, err := ReadFile(path, limit)
		if (err == nil) != (want != "") || err == nil && string(text) != want || err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("limit %d: %q, %v", limit, text, err)
		}
	}
	if err := os.Truncate(path, 1<<40); err != nil { // with nothing in it: a terabyte on paper
		t.Fatal(err)
	}
	if _, err := ReadFile(path, 1000); err == nil || !strings.Contains(err.Error(), "more than the 1000") {
		t.Errorf("a terabyte: %v", err)
	}
	for _, none := range []string{filepath.Dir(path), "/dev/zero"} {
		if _, err := ReadFile(none, 1000); err == nil || !strings.Contains(err.Error(), "no file") {
			t.Errorf("%s: %v", none, err)
		}
	}
}

// On a full disk the old file stays, nothing half written is left, and with room it is written again.
func TestFullDisk(t *testing.T) {
	disk := projecttest.Disk(t, 256<<10)
	path := filepath.Join(disk, "file")
	if err := Write(path, "old"); err != nil {
		t.Fatal(err)
	}
	empty := projecttest.Fill(t, disk, 16<<10)
	large := strings.Repeat("new", 10_000)
	if err := Write(path, large); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("written to a full disk: %v", err)
	}
	var got string
	if !Read(path, &got) || got != "old" {
		t.Errorf("%.10q is read", got)
	}
	if entries, _ := os.ReadDir(disk); len(entries) != 2 {
		t.Errorf("left over: %v", entries)
	}
	empty()
	if err := Write(path, large); err != nil || !Read(path, &got) || got != large {
		t.Errorf("%.10q is read, %v", got, err)
	}
	projecttest.ReadOnly(t, disk, true)
	if err := Write(path, "third"); !errors.Is(err, syscall.EROFS) || !Read(path, &got) || got != large {
		t.Errorf("read-only: %.10q is read, %v", got, err)
	}
}

// A file from elsewhere may have the right sum over any content. Whatever that is, nothing breaks and little memory is taken.
func FuzzRead(f *testing.F) {
	for _, value := range []any{thing{"one", []int{1, 2}}, map[string][]string{"a": {"b"}}, [][]float64{{1}, nil}, struct{ Name int }{3}} {
		var text bytes.Buffer
		if err := gob.NewEncoder(&text).Encode(value); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, text []byte) {
		sum := sha256.Sum256(text)
		if err := os.WriteFile(path, append(sum[:], text...), 0o644); err != nil {
			t.Fatal(err)
		}
		var got thing
		if !Read(path, &got) {
			return
		}
		var again thing
		if err := Write(path, got); err != nil || !Read(path, &again) || again.Name != got.Name || !slices.Equal(again.Numbers, got.Numbers) {
			t.Errorf("%+v comes back as %+v, %v", got, again, err)
		}
	})
}

func TestWriteErrors(t *testing.T) {
	folder := t.TempDir()
	if err := Write(filepath.Join(folder, "f"), func() {}); err == nil {
		t.Error("a function was kept")
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(file, "f"), 1); err == nil {
		t.Error("a file in a file was written")
	}
}

// Any change of the code, of a name, or of where one file ends and the next begins is another code; what is no code changes nothing.
func TestCode(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	code := func(sources fstest.MapFS) string {
		t.Helper()
		c, err := Code(sources)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := code(fstest.MapFS{"a.go": file("ab"), "b.go": file("c")})
	if again := code(fstest.MapFS{"a.go": file("ab"), "b.go": file("c"), "notes.md": file("n")}); again != first {
		t.Errorf("the same code has %s and %s", first, again)
	}
	for name, other := range map[string]fstest.MapFS{
		"text":   {"a.go": file("ab"), "b.go": file("d")},
		"name":   {"a.go": file("ab"), "c.go": file("c")},
		"border": {"a.go": file("a"), "b.go": file("bc")},
		"none":   {},
	} {
		if code(other) == first {
			t.Errorf("%s: the same code", name)
		}
	}
}
