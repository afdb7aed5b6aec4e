package seq2seq

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"
)

// cache keeps translations that took long on the disk: a notebook's figure cell run again, in a process of its own, then neither compiles
// nor computes anything. Its folder can be deleted at any time.
type cache struct {
	folder  string
	weights string        // SHA-256 of the weights that translate; where empty nothing is kept
	after   time.Duration // what took less is not kept
}

// request is all that an answer depends on, besides the weights.
type request struct {
	Kind             string
	Sources, Targets [][]string
	Caps             []int
	Width            int
	Ranking          ranking
}

func (r *Run) cache() cache {
	return cache{filepath.Join(r.Folder, "translations"), r.manifest.Weights.SHA256, time.Second}
}

// get is what compute returns, from the disk where the same was computed before. A file that cannot be read or written is no error.
func (c cache) get(q request, compute func() ([][]Translation, error)) ([][]Translation, error) {
	// Not gob: the numbers that it gives to types depend on what else the process has encoded.
	asked, err := json.Marshal(struct {
		Format  int
		Weights string
		Request request
	}{formatVersion, c.weights, q})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(asked)
	name := hex.EncodeToString(sum[:])[:24] + ".gob"
	if found, ok := c.read(name, q); ok {
		return found, nil
	}
	begin := time.Now()
	translations, err := compute()
	if err == nil && c.weights != "" && time.Since(begin) >= c.after {
		c.write(name, translations)
	}
	return translations, err
}

func (c cache) write(name string, translations [][]Translation) {
	var answer bytes.Buffer
	if gob.NewEncoder(&answer).Encode(translations) != nil || os.MkdirAll(c.folder, 0o755) != nil {
		return
	}
	check := sha256.Sum256(answer.Bytes())
	_, _ = store(c.folder, name, func(w io.Writer) error {
		_, err := w.Write(append(check[:], answer.Bytes()...))
		return err
	})
}

func (c cache) read(name string, q request) ([][]Translation, bool) {
	data, err := os.ReadFile(filepath.Join(c.folder, name))
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	check, answer := data[:sha256.Size], data[sha256.Size:]
	if sum := sha256.Sum256(answer); !bytes.Equal(check, sum[:]) {
		return nil, false
	}
	var translations [][]Translation
	if gob.NewDecoder(bytes.NewReader(answer)).Decode(&translations) != nil || len(translations) != len(q.Sources) {
		return nil, false
	}
	for i, list := range translations {
		for k := range list {
			list[k].Source = q.Sources[i]
			if list[k].Target == nil { // gob does not tell an empty list from none
				list[k].Target = []string{}
			}
		}
	}
	return translations, true
}
