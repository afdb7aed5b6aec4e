package grammar

import (
	"path/filepath"
	"reflect"
	"testing"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/project/projecttest"
)

// What comes from the cache folder is what would be made, for every option.
func TestCached(t *testing.T) {
	root := projecttest.Checkout(t, ".lab")
	files := func() int {
		names, err := filepath.Glob(filepath.Join(root, ".lab", "cache", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	for i, o := range []Options{
		{Train: 30, Dev: 5, Test: 5},
		{Train: 30, Dev: 5, Test: 5, Seed: 1},
		{Train: 31, Dev: 5, Test: 5},
		{Train: 30, Dev: 5, Test: 5, MaxLength: 20},
		{Train: 30, Dev: 5, Test: 5, Lengths: Uniform()},
		{Train: 30, Dev: 5, Test: 5, Lengths: Exponential(3)},
	} {
		whole, err := o.complete()
		if err != nil {
			t.Fatal(err)
		}
		want, err := whole.produce()
		if err != nil {
			t.Fatal(err)
		}
		for _, time := range []string{"made", "read"} {
			if got, err := New(o); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %s: %v, or other data", o, time, err)
			}
		}
		if files() != i+1 {
			t.Errorf("%+v: %d files for %d corpora", o, files(), i+1)
		}
	}
	before := files()
	for i, bins := range [][]metrics.Bin{{{Low: 3, High: 9}}, {{Low: 3, High: 10}}} {
		want, err := byLength(1, bins, 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, time := range []string{"made", "read"} {
			if got, err := ByLength(Options{Seed: 1}, bins, 4); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %s: %v, or other pairs", bins, time, err)
			}
		}
		if files() != before+i+1 {
			t.Errorf("%v: %d files", bins, files())
		}
	}
}
