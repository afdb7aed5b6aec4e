package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"seq2attn/pkg/project"
)

// path is the file of a result in docs/results of the checkout.
func path(name string) (string, error) {
	if !fileName.MatchString(name) {
		return "", fmt.Errorf("results: name %q: lower-case letters, digits and - between them", name)
	}
	return project.Path("docs", "results", name+".json")
}

// Write stores the result as docs/results/NAME.json, in place of an earlier one of that name: whole, or not at all. A result that
// lacks something, or holds a number that is none, is an error that says where.
func Write(r Result) error {
	if err := r.valid(); err != nil {
		return fmt.Errorf("results: %q is not written: %w", r.Name, err)
	}
	target, err := path(r.Name)
	if err != nil {
		return err
	}
	if r.Checksum, err = checksum(r); err != nil {
		return err
	}
	text, err := encode(r)
	if err != nil {
		return err
	}
	if _, err := decode(text); err != nil {
		return fmt.Errorf("results: %q is not written, it could not be read back: %w", r.Name, err)
	}
	folder := filepath.Dir(target)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if err := renameio.WriteFile(target, text, 0o644, renameio.WithTempDir(folder)); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

// Load reads docs/results/NAME.json. The error wraps [fs.ErrNotExist] where there is none, and says what is wrong and where in a file that
// is damaged, of another format or changed by hand.
func Load(name string) (Result, error) {
	source, err := path(name)
	if err != nil {
		return Result{}, err
	}
	text, err := os.ReadFile(source)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, fmt.Errorf("results: nothing is measured under the name %q; make results measures what the course shows: %w", name, err)
	}
	if err != nil {
		return Result{}, fmt.Errorf("results: %w", err)
	}
	r, err := decode(text)
	if err == nil && r.Name != name {
		err = fmt.Errorf("it is called %q inside: was it copied?", r.Name)
	}
	if err != nil {
		return Result{}, fmt.Errorf("results: %s: %w; take the file from version control or measure it again", source, err)
	}
	return r, nil
}

// Names are those of all results in docs/results, in their order. A result is a JSON object. The benchmarks keep lists of their own beside them, such
// as bench.json: a file that begins with a bracket is no result.
func Names() ([]string, error) {
	folder, err := project.Path("docs", "results")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("results: %w", err)
		}
		if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
			names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
		}
	}
	return names, nil
}

// encode gives every model, seed, bin and point a line of its own, so that a file of thousands of numbers stays small and its
// changes can be read. No name of a field can occur within a string, as JSON escapes the quotes there.
func encode(r Result) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	lines := strings.NewReplacer(
		`"command":`, "\n\"command\":", `"machine":`, "\n\"machine\":", `"versions":`, "\n\"versions\":", `"data":`, "\n\"data\":", `"models":`, "\n\"models\":",
		`{"name":`, "\n{\"name\":", `{"seed":`, "\n{\"seed\":", `{"low":`, "\n{\"low\":", `{"update":`, "\n{\"update\":", `"checksum":`, "\n\"checksum\":",
	)
	return []byte(lines.Replace(string(text)) + "\n"), nil
}

func decode(text []byte) (r Result, err error) {
	// The format first: the fields of another one may differ.
	var head struct{ Format int }
	if err := json.Unmarshal(text, &head); err != nil {
		return r, atLine(text, err)
	}
	if head.Format != Format {
		return r, fmt.Errorf("format %d, this program reads %d", head.Format, Format)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, atLine(text, err)
	}
	sum, err := checksum(r)
	if err != nil {
		return r, err
	}
	if sum != r.Checksum {
		return r, errors.New("its checksum does not fit: a command must write it, not a hand")
	}
	for i := range r.Models {
		var config bytes.Buffer
		if err := json.Compact(&config, r.Models[i].Config); err != nil {
			return r, err
		}
		r.Models[i].Config = config.Bytes()
	}
	return r, r.valid()
}

// atLine adds the line to an error of package json.
func atLine(text []byte, err error) error {
	var offset int64
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	default:
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(int(offset), len(text))], []byte("\n")), err)
}

// checksum is the SHA-256 of the result without its checksum. Spaces and line ends of the file do not matter.
func checksum(r Result) (string, error) {
	r.Checksum = ""
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("results: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
