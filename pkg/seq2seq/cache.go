package seq2seq

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"seq2attn/pkg/kept"
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
		_ = kept.Write(filepath.Join(c.folder, name), translations) // without it the next asks again, no more
	}
	return translations, err
}

func (c cache) read(name string, q request) ([][]Translation, bool) {
	var translations [][]Translation
	if !kept.Read(filepath.Join(c.folder, name), &translations) || len(translations) != len(q.Sources) {
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
