package grammar

import (
	"embed"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/kept"
)

// ownSources is the code of this package, a part of its keys.
//
//go:embed *.go
var ownSources embed.FS

// cached is what produce makes of the key, see [corpus.Cached].
func cached(produce func() (corpus.Data, error), key ...any) (corpus.Data, error) {
	code, err := kept.Code(ownSources)
	if err != nil {
		return corpus.Data{}, err
	}
	return corpus.Cached(produce, append(key, code)...)
}
