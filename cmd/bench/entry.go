package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"

	"seq2attn/pkg/results"
)

// entry is one line of the table. Numbers are medians over the rounds; the ratio is ours to the peer's, taken in each round. Without a
// peer its fields are 0, and left out of the file.
type entry struct {
	Case       string
	Unit       string // of Ours and Peer
	Ours, Peer float64
	Ratio      float64
	RatioMin   float64
	RatioMax   float64
	// Words are target words, EOS included: of an update, or of all translations that each side wrote. 0 where that is not counted.
	Words, PeerWords int
	Rounds, Threads  int
	Date             time.Time
	Machine          results.Machine
	Versions         map[string]string
}

// stored is an entry as docs/results/bench.json has it, where the unit is in the names of the fields.
type stored struct {
	Case      string            `json:"case"`
	OursS     float64           `json:"ours_s,omitempty"`
	PeerS     float64           `json:"peer_s,omitempty"`
	OursMB    float64           `json:"ours_mb,omitempty"`
	PeerMB    float64           `json:"peer_mb,omitempty"`
	Ratio     float64           `json:"ratio,omitempty"`
	RatioMin  float64           `json:"ratio_min,omitempty"`
	RatioMax  float64           `json:"ratio_max,omitempty"`
	Words     int               `json:"ours_words,omitempty"`
	PeerWords int               `json:"peer_words,omitempty"`
	Rounds    int               `json:"rounds"`
	Threads   int               `json:"threads"`
	Date      time.Time         `json:"date"`
	Machine   results.Machine   `json:"machine"`
	Versions  map[string]string `json:"versions"`
}

func (e entry) MarshalJSON() ([]byte, error) {
	s := stored{Case: e.Case, Ratio: e.Ratio, RatioMin: e.RatioMin, RatioMax: e.RatioMax, Words: e.Words, PeerWords: e.PeerWords,
		Rounds: e.Rounds, Threads: e.Threads, Date: e.Date, Machine: e.Machine, Versions: e.Versions}
	if e.Unit == inMegabytes {
		s.OursMB, s.PeerMB = e.Ours, e.Peer
	} else {
		s.OursS, s.PeerS = e.Ours, e.Peer
	}
	return json.Marshal(s)
}

func (e *entry) UnmarshalJSON(text []byte) error {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*e = entry{Case: s.Case, Unit: inSeconds, Ours: s.OursS, Peer: s.PeerS, Ratio: s.Ratio, RatioMin: s.RatioMin, RatioMax: s.RatioMax,
		Words: s.Words, PeerWords: s.PeerWords, Rounds: s.Rounds, Threads: s.Threads, Date: s.Date, Machine: s.Machine, Versions: s.Versions}
	if s.OursMB > 0 {
		e.Unit, e.Ours, e.Peer = inMegabytes, s.OursMB, s.PeerMB
	}
	return nil
}

// load reads the entries of a file; none where it does not exist.
func load(path string) (list []entry, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w; take it from version control or remove it", path, err)
	}
	return list, nil
}

// merge puts new entries in the place of those with the same case, in the order of the cases. Others, whose case there is no
// longer, go.
func merge(old, fresh []entry, cases []string) (all []entry) {
	for _, c := range cases {
		is := func(e entry) bool { return e.Case == c }
		if i := slices.IndexFunc(fresh, is); i >= 0 {
			all = append(all, fresh[i])
		} else if i := slices.IndexFunc(old, is); i >= 0 {
			all = append(all, old[i])
		}
	}
	return all
}

// write stores the entries as bench.json and as the page bench.md in a folder.
func write(folder string, entries []entry) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var text bytes.Buffer
	text.WriteString("[")
	for i, e := range entries { // a line each
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		text.WriteString(strings.Repeat(",", min(i, 1)) + "\n")
		text.Write(line)
	}
	text.WriteString("\n]\n")
	for name, content := range map[string][]byte{"bench.json": text.Bytes(), "bench.md": page(entries)} {
		if err := renameio.WriteFile(filepath.Join(folder, name), content, 0o644, renameio.WithTempDir(folder)); err != nil {
			return err
		}
	}
	return nil
}
