package seq2seq

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seq2attn/pkg/engine"
	"seq2attn/pkg/engine/enginetest"
)

// The configuration, the data and nothing else name a run.
func TestKey(t *testing.T) {
	c := Bahdanau()
	same := key(c, "data")
	if key(Bahdanau(), "data") != same {
		t.Error("the same configuration and data have two keys")
	}
	if key(c, "other data") == same {
		t.Error("other data have the same key")
	}
	c.Hidden++
	if key(c, "data") == same {
		t.Error("another configuration has the same key")
	}
}

// A folder that is damaged, in any of its files, or of another version, is refused by name, and nothing in it is changed.
func TestDamagedRuns(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	d := mapped(60, 2, 4, 5)
	c := tiny(Bahdanau())
	file := func(pattern string) func(t *testing.T, folder string) string {
		return func(t *testing.T, folder string) string {
			found, _ := filepath.Glob(filepath.Join(folder, pattern))
			if len(found) != 1 {
				t.Fatalf("%d files %s", len(found), pattern)
			}
			return found[0]
		}
	}
	flip := func(data []byte) []byte { data[len(data)/2] ^= 1; return data }
	cut := func(data []byte) []byte { return data[:len(data)/2] }
	replace := func(from, to string) func([]byte) []byte {
		return func(data []byte) []byte { return bytes.Replace(data, []byte(from), []byte(to), 1) }
	}
	for _, test := range []struct {
		name   string
		file   func(t *testing.T, folder string) string
		change func([]byte) []byte // nil deletes
		says   string
	}{
		{"weights flipped", file("weights-*"), flip, "SHA-256"},
		{"weights cut", file("weights-*"), cut, "bytes where"},
		{"weights missing", file("weights-*"), nil, "missing"},
		{"vocabulary flipped", file("source.vocabulary"), flip, "SHA-256"},
		{"vocabulary missing", file("target.vocabulary"), nil, "missing"},
		{"manifest cut", file("run.json"), cut, "run.json"},
		{"manifest empty", file("run.json"), func([]byte) []byte { return nil }, "run.json"},
		{"other format", file("run.json"), replace(`"format": 1`, `"format": 99`), "format 99"},
		{"other configuration", file("run.json"), replace(`"Hidden": 8`, `"Hidden": 9`), "key"},
		{"invalid configuration", file("run.json"), replace(`"Hidden": 8`, `"Hidden": -8`), "Config.Hidden"},
		{"unknown field", file("run.json"), replace(`"data"`, `"dada"`), "dada"},
		{"file outside", file("run.json"), replace(`"source.vocabulary"`, `"../../etc/passwd"`), "names a file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			parent := t.TempDir()
			r, err := Train(context.Background(), c, d, on(t, e), Folder(parent), Quiet())
			if err != nil {
				t.Fatal(err)
			}
			path := test.file(t, r.Folder)
			if test.change == nil {
				err = os.Remove(path)
			} else {
				var data []byte
				if data, err = os.ReadFile(path); err == nil {
					err = os.WriteFile(path, test.change(data), 0o644)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			before := listing(t, r.Folder)
			_, err = Open(r.Folder)
			wantError(t, err, test.says, r.Folder, "nothing was changed", "delete", "Folder")
			_, err = Train(context.Background(), c, d, on(t, e), Folder(parent), Quiet())
			wantError(t, err, test.says, r.Folder)
			if after := listing(t, r.Folder); after != before {
				t.Errorf("the folder was\n%s\nand is\n%s", before, after)
			}
		})
	}
}

// The state of an unfinished training that is damaged is refused too.
func TestDamagedState(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	d := mapped(60, 2, 4, 5)
	c, parent := tiny(Bahdanau()), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Train(ctx, c, d, on(t, e), Folder(parent), Quiet(), everyUpdate(func(Progress) { cancel() }))
	if r == nil {
		t.Fatal(err)
	}
	state, _ := filepath.Glob(filepath.Join(r.Folder, "state-*"))
	if len(state) != 1 {
		t.Fatalf("%d states", len(state))
	}
	data, err := os.ReadFile(state[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(state[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = Train(context.Background(), c, d, on(t, e), Folder(parent), Quiet())
	wantError(t, err, state[0], "damaged")
}

// listing is what is in a folder, the lock aside.
func listing(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if entry.Name() != lockName {
			fmt.Fprintf(&b, "%s %d %x\n", entry.Name(), len(data), data[:min(len(data), 32)])
		}
	}
	return b.String()
}

func TestOpenNothing(t *testing.T) {
	folder := t.TempDir()
	_, err := Open(folder)
	wantError(t, err, folder, "no run", "run.json")
	if runs, err := Runs(filepath.Join(folder, "not there")); err != nil || len(runs) != 0 {
		t.Errorf("%v, %v", runs, err)
	}
}

// What a killed process left half written is swept away by the next training, and a folder that cannot be made is an error.
func TestFolders(t *testing.T) {
	e := enginetest.Open(t, engine.Go)
	d := mapped(60, 2, 4, 5)
	c := tiny(Cho())
	parent := filepath.Join(t.TempDir(), "with a space", "deep")
	r, err := Train(context.Background(), c, d, on(t, e), Folder(parent), Quiet())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(filepath.Base(r.Folder), "cho-") || len(filepath.Base(r.Folder)) != len("cho-")+12 {
		t.Errorf("the folder is named %s", filepath.Base(r.Folder))
	}
	notAFolder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notAFolder, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = Train(context.Background(), c, d, on(t, e), Folder(notAFolder), Quiet())
	wantError(t, err, notAFolder)
	c.Seed = 5
	other, err := runFolder(parent, c.Name, key(c, r.manifest.Fingerprint))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".weights-00000001.safetensors123", "weights-00000099.safetensors"} {
		if err := os.WriteFile(filepath.Join(other, name), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if r, err = Train(context.Background(), c, d, on(t, e), Folder(parent), Quiet()); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, r.Folder); strings.Contains(got, ".weights") || strings.Contains(got, "00000099") {
		t.Errorf("left in the folder:\n%s", got)
	}
}

// Whatever run.json says, it is refused or it is a run of this format with a valid configuration, whose key fits.
func FuzzReadManifest(f *testing.F) {
	c := tiny(Bahdanau())
	m := manifest{Format: formatVersion, Config: c, Data: "mapped", Fingerprint: "f", Key: key(c, "f"), Weights: stored{"weights-00000001.safetensors", 10, "aa"}}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(bytes.Replace(text, []byte("weights-"), []byte("../../"), 1))
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"config":{"Hidden":1e999}}`))
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(filepath.Join(folder, manifestName), text, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := readManifest(folder)
		if err == nil && (m.Format != formatVersion || m.Config.Validate() != nil || m.Key != key(m.Config, m.Fingerprint)) {
			t.Errorf("%+v is read", m)
		}
		if r, err := Open(folder); err == nil { // there is no other file
			t.Errorf("%+v is a run", r)
		}
	})
}
