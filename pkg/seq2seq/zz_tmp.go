package seq2seq

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"seq2attn/pkg/corpus"
)

func fingerprint(d corpus.Data) string {
	h := sha256.New()
	_ = json.NewEncoder(h).Encode(d)
	return hex.EncodeToString(h.Sum(nil))
}
