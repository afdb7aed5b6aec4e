package results

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/project/projecttest"
)

func TestWriteLoad(t *testing.T) {
	root := projecttest.Checkout(t)
	want := example()
	if err := Write(want); err != nil {
		t.Fatal(err)
	}
	got, err := Load(want.Name)
	if err != nil {
		t.Fatal(err)
	}
	if got.Checksum == "" {
		t.Error("no checksum")
	}
	got.Checksum = ""
	// JSON escapes "<" in both, so that the checksum does not depend on it.
	want.Models[1].Config = []byte(strings.ReplaceAll(string(want.Models[1].Config), "<", `\u003c`))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, wrote\n%+v", got, want)
	}
	file := filepath.Join(root, "docs", "results", want.Name+".json")
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(got); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(file); err != nil || !bytes.Equal(first, second) {
		t.Errorf("what was read is not written as it was: %v", err)
	}
	for _, line := range []string{"\n{\"name\":\"Cho\"", "\n{\"seed\":2,", "\n{\"low\":21,", "\n{\"update\":200,"} {
		if !bytes.Contains(first, []byte(line)) {
			t.Errorf("no line begins with %q in\n%s", line, first)
		}
	}
	// Line ends that version control may change are no change by hand.
	if err := os.WriteFile(file, bytes.ReplaceAll(first, []byte("\n"), []byte("\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(want.Name); err != nil {
		t.Errorf("with other line ends: %v", err)
	}
}

// A result that is refused leaves what was there.
func TestWriteRefused(t *testing.T) {
	root := projecttest.Checkout(t)
	if err := Write(example()); err != nil {
		t.Fatal(err)
	}
	before, err := Load(example().Name)
	if err != nil {
		t.Fatal(err)
	}
	for part, change := range faulty() {
		r := example()
		change(&r)
		if err := Write(r); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one with %q", err, part)
		}
	}
	r := example()
	r.Command = "bad \xff bytes"
	if err := Write(r); err == nil {
		t.Error("bad UTF-8: want an error")
	}
	if after, err := Load(example().Name); err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("%+v, %v", after, err)
	}
	entries, err := os.ReadDir(filepath.Join(root, "docs", "results"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestLoadErrors(t *testing.T) {
	root := projecttest.Checkout(t)
	if _, err := Load("absent"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "make results") {
		t.Errorf("an absent result: %v", err)
	}
	for _, name := range []string{"", "../go", "A", "a.json", "-a"} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), "lower-case") {
			t.Errorf("name %q: %v", name, err)
		}
	}
	r := example()
	if err := Write(r); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs", "results", r.Name+".json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(old, new string) []byte {
		changed := bytes.Replace(text, []byte(old), []byte(new), 1)
		if bytes.Equal(changed, text) {
			t.Fatalf("no %q in\n%s", old, text)
		}
		return changed
	}
	for _, c := range []struct {
		name string
		text []byte
		part string
	}{
		{"empty", nil, "unexpected end"},
		{"cut off", text[:len(text)/2], "unexpected end"},
		{"with something behind", append(bytes.Clone(text), '}'), "invalid character"},
		{"broken in line 2", replace(`"command":`, `"command"`), "line 2"},
		{"a word for a number in line 3", replace(`"cores":2`, `"cores":"two"`), "line 3"},
		{"another format", replace(`"format":1`, `"format":99`), "format 99, this program reads 1"},
		{"an unknown field", replace(`"cores":2`, `"cores":2,"colour":1`), `"colour"`},
		{"a better score", replace(`"bleu":40`, `"bleu":99`), "checksum"},
		{"without checksum", replace(`"checksum":"`, `"checksum":"0`), "checksum"},
	} {
		if err := os.WriteFile(file, c.text, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(r.Name); err == nil || !strings.Contains(err.Error(), c.part) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, %v, want an error with %q and the file", c.name, got.Name, err, c.part)
		}
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "copy.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load("copy"); err == nil || !strings.Contains(err.Error(), r.Name) {
		t.Errorf("a copied file: %v", err)
	}
}

// Results are objects, damaged ones included; the lists of benchmarks are none.
func TestNames(t *testing.T) {
	root := projecttest.Checkout(t)
	if names, err := Names(); err != nil || len(names) != 0 {
		t.Errorf("in a checkout without results: %v, %v", names, err)
	}
	folder := filepath.Join(root, "docs", "results")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"grammar.json": "{}", "bench.json": "\n[ {} ]", "damaged.json": "<", "bench.md": "# x"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := Names(); err != nil || !slices.Equal(names, []string{"damaged", "grammar"}) {
		t.Errorf("%v, %v", names, err)
	}
}

// TestShipped reads every result in the checkout: none is damaged, of another format or changed by hand.
func TestShipped(t *testing.T) {
	names, err := Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, err := Load(name); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d results", len(names))
}

// Whatever a file holds, it is refused, with a line where that helps, or it is a valid result that can be written again.
func FuzzDecode(f *testing.F) {
	r := example()
	var err error
	if r.Checksum, err = checksum(r); err != nil {
		f.Fatal(err)
	}
	text, err := encode(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	for _, s := range []string{"", "{}", "[]", `{"format":1}`, `{"format":1,"models":[{"config":null}]}`, `{"format":1e400}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decode(text)
		if err != nil {
			return
		}
		if err := r.valid(); err != nil {
			t.Errorf("what is read is not valid: %v", err)
		}
		again, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := decode(again); err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%+v comes back as %+v, %v", r, back, err)
		}
	})
}
