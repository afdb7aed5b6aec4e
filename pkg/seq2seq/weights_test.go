package seq2seq

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

func all(*model.Variable) bool { return true }

func variables(t *testing.T, values map[string]any) *model.Store {
	t.Helper()
	s := model.NewStore()
	for name, value := range values {
		if _, err := s.CreateVariable(name, tensors.MustFromAnyValue(value)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Variables of every type that a training has come back as they were.
func TestWriteAndReadVariables(t *testing.T) {
	values := map[string]any{
		"/a/b": [][]float32{{1, -2, 3.5}, {0, 1e-30, 7}}, "/a/c": []float64{1, 2}, "/n": []int64{-1, 1 << 40}, "/i": []int32{-5}, "/r": []uint64{1 << 63, 2, 3},
	}
	var file bytes.Buffer
	if err := writeVariables(&file, variables(t, values), all); err != nil {
		t.Fatal(err)
	}
	for _, into := range []*model.Store{model.NewStore(), variables(t, map[string]any{"/a/b": [][]float32{{9, 9, 9}, {9, 9, 9}}})} {
		if err := readVariables(file.Bytes(), into); err != nil {
			t.Fatal(err)
		}
		for name, want := range values {
			if got := into.GetVariable(name).MustValue().Value(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
	}
	err := readVariables(file.Bytes(), variables(t, map[string]any{"/a/b": []float32{1}}))
	wantError(t, err, "/a/b", "shape")
	err = readVariables(file.Bytes(), variables(t, map[string]any{"/a/z": []float32{1}}))
	wantError(t, err, "/a/z", "missing")
	for n := range file.Len() {
		if readVariables(file.Bytes()[:n], model.NewStore()) == nil {
			t.Fatalf("the first %d of %d bytes are read without complaint", n, file.Len())
		}
	}
}

// Weights that are not finite are not written: what was stored before stays.
func TestNotFinite(t *testing.T) {
	folder := t.TempDir()
	good := []byte("good")
	if _, err := store(folder, "weights", func(w io.Writer) error { _, err := w.Write(good); return err }); err != nil {
		t.Fatal(err)
	}
	zero := float32(0)
	for _, bad := range []float32{1 / zero, -1 / zero, zero / zero} {
		s := variables(t, map[string]any{"/w": []float32{1, bad}})
		_, err := store(folder, "weights", func(w io.Writer) error { return writeVariables(w, s, all) })
		if !errors.Is(err, errNotFinite) {
			t.Errorf("%v is written: %v", bad, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(folder, "weights")); err != nil || !bytes.Equal(got, good) {
		t.Errorf("%q, %v", got, err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}
}

// What store wrote is what load reads; a name that leads out of the folder is refused.
func TestStoreAndLoad(t *testing.T) {
	folder := t.TempDir()
	s, err := store(folder, "file", func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.load(folder); err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
	for _, name := range []string{"", "../file", "a/b"} {
		s.Name = name
		_, err := s.load(folder)
		wantError(t, err, "names a file")
	}
}

// Whatever a file of weights holds, it is refused or its variables are as large as the file says and no larger than it is.
func FuzzReadVariables(f *testing.F) {
	var file bytes.Buffer
	values := map[string]any{"/a/b": [][]float32{{1, -2, 3.5}, {0, 1e-30, 7}}, "/n": []int64{-1, 1 << 40}, "/r": []uint64{3}}
	s := model.NewStore()
	for name, value := range values {
		if _, err := s.CreateVariable(name, tensors.MustFromAnyValue(value)); err != nil {
			f.Fatal(err)
		}
	}
	if err := writeVariables(&file, s, all); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	header := func(text string, data int) []byte {
		return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), make([]byte, data)...)
	}
	f.Add(header(`{"/a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}`, 0))
	f.Add(header(`{"/a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`, 4))
	f.Add(header(`{"/a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0))
	f.Add(header(`{"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a//b/":{"dtype":"F64","shape":[1,1,1],"data_offsets":[4,12]}}`, 12))
	f.Fuzz(func(t *testing.T, data []byte) {
		into := model.NewStore()
		if err := readVariables(data, into); err != nil {
			return
		}
		size := 0
		for v := range into.IterVariables() {
			size += int(v.Shape().ByteSize())
		}
		if size > len(data) {
			t.Errorf("%d bytes hold variables of %d bytes", len(data), size)
		}
	})
}
