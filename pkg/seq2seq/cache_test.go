package seq2seq

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// Translations are kept on the disk where they took long, belong to the weights that made them, and a damaged file is made anew.
func TestCache(t *testing.T) {
	folder := t.TempDir()
	answer := [][]Translation{
		{{Source: []string{"a"}, Target: []string{"b"}, Attention: [][]float64{{0.25, 0.75}}, LogProb: -1.5, Score: -1.5}},
		{{Source: []string{}, Target: []string{}, Ended: true}},
	}
	q := request{Kind: "greedy", Sources: [][]string{{"a"}, {}}, Caps: []int{12, 10}}
	computed := 0
	ask := func(c cache, q request) {
		t.Helper()
		got, err := c.get(q, func() ([][]Translation, error) {
			computed++
			return answer, nil
		})
		if err != nil || !reflect.DeepEqual(got, answer) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	ask(cache{folder, "one", time.Hour}, q)
	ask(cache{folder, "", 0}, q)
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(files) != 0 || computed != 2 {
		t.Errorf("computed %d times, %d files: a quick answer is kept, or one of no weights", computed, len(files))
	}
	one := cache{folder, "one", 0}
	ask(one, q)
	ask(one, q)
	if computed != 3 {
		t.Errorf("computed %d times, want 3", computed)
	}
	files, _ = filepath.Glob(filepath.Join(folder, "*"))
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(files[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
	ask(one, q)
	ask(one, q)
	if computed != 4 {
		t.Errorf("computed %d times: a damaged file is read, or not replaced", computed)
	}
	ask(cache{folder, "two", 0}, q)
	q.Width = 2
	ask(one, q)
	if computed != 6 {
		t.Errorf("computed %d times: other weights or another width get an old answer", computed)
	}
}
