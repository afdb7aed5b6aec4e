package kept

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
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
