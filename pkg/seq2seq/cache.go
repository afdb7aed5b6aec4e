package seq2seq

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"time"
)

// request is all that the answer of a run depends on, besides the run.
type request struct {
	Kind             string
	Sources, Targets [][]string
	Caps             []int
	Width            int
	Alpha            float64
	Format           int
	Weights          string // SHA-256 of their file
}

// cacheName is the folder of stored translations in a run's folder. It can be deleted at any time.
const cacheName = "translations"

// worthStoring is the time from which on translations are kept on the disk: a notebook's figure cell run again, in a process of its own,
// then neither compiles nor computes anything.
const worthStoring = time.Second

// cached is what compute returns, from the disk where the same was computed before. A file that cannot be read or written is no error.
func (r *Run) cached(q request, compute func() ([][]Translation, error)) ([][]Translation, error) {
	q.Format, q.Weights = formatVersion, r.manifest.Weights.SHA256
	var asked bytes.Buffer
	if err := gob.NewEncoder(&asked).Encode(q); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(asked.Bytes())
	folder, name := filepath.Join(r.Folder, cacheName), hex.EncodeToString(sum[:])[:24]+".gob"
	if found, ok := readCache(filepath.Join(folder, name), q); ok {
		return found, nil
	}
	begin := time.Now()
	translations, err := compute()
	if err != nil || time.Since(begin) < worthStoring || q.Weights == "" {
		return translations, err
	}
	var answer bytes.Buffer
	if gob.NewEncoder(&answer).Encode(translations) == nil && os.MkdirAll(folder, 0o755) == nil {
		check := sha256.Sum256(answer.Bytes())
		_, _ = store(folder, name, func(w io.Writer) error {
			_, err := w.Write(append(check[:], answer.Bytes()...))
			return err
		})
	}
	return translations, nil
}

func readCache(path string, q request) ([][]Translation, bool) {
	data, err := os.ReadFile(path)
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
