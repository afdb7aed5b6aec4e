package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// examples are an entry of each sort.
func examples() []entry {
	date := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	return []entry{
		{Case: "update", Unit: inSeconds, Ours: 0.01, Peer: 0.02, Ratio: 0.5, RatioMin: 0.4, RatioMax: 0.6, Words: 768, PeerWords: 768, Rounds: 5, Date: date},
		{Case: "memory", Unit: inMegabytes, Ours: 100, Peer: 400, Ratio: 0.25, RatioMin: 0.25, RatioMax: 0.25, Rounds: 5, Date: date},
		{Case: "first", Unit: inSeconds, Ours: 2, Rounds: 5, Date: date},
	}
}

func TestWrite(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "results")
	path := filepath.Join(folder, "bench.json")
	if got, err := load(path); err != nil || got != nil {
		t.Errorf("a file that does not exist: %v, %v", got, err)
	}
	if err := write(folder, examples()); err != nil {
		t.Fatal(err)
	}
	if got, err := load(path); err != nil || !reflect.DeepEqual(got, examples()) {
		t.Errorf("read back: %+v, %v", got, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var raw []map[string]any
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for i, names := range []string{"case ours_s peer_s ratio ratio_min ratio_max date machine versions", "ours_mb peer_mb ratio", "ours_s"} {
		for _, name := range strings.Fields(names) {
			if _, ok := raw[i][name]; !ok {
				t.Errorf("entry %d has no %s: %v", i, name, raw[i])
			}
		}
	}
	if _, ok := raw[2]["peer_s"]; ok {
		t.Errorf("a peer that was not measured: %v", raw[2])
	}
	if page, err := os.ReadFile(filepath.Join(folder, "bench.md")); err != nil || len(page) == 0 {
		t.Errorf("bench.md: %d bytes, %v", len(page), err)
	}
}

func TestMerge(t *testing.T) {
	old := []entry{{Case: "gone"}, {Case: "b", Ours: 1}, {Case: "a", Ours: 2}}
	got := merge(old, []entry{{Case: "b", Ours: 3}, {Case: "c", Ours: 4}}, []string{"a", "b", "c", "d"})
	if want := []entry{{Case: "a", Ours: 2}, {Case: "b", Ours: 3}, {Case: "c", Ours: 4}}; !reflect.DeepEqual(got, want) {
		t.Errorf("merge: %+v, want %+v", got, want)
	}
}
