package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Fingerprint is the SHA-256, in hexadecimal, of the names, pairs and links of d, in their order. Run folders carry it, so that a
// model is never taken for one that was trained on other data.
func Fingerprint(d Data) string {
	sum := sha256.New()
	var b []byte // a pair at a time: a call of sum for every word would take four times as long
	number := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	words := func(tokens []string) {
		number(len(tokens))
		for _, t := range tokens {
			text(t)
		}
	}
	text("seq2attn corpus 1")
	words([]string{d.Name, d.Source, d.Target})
	for _, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
		number(len(pairs))
		for _, p := range pairs {
			sum.Write(b)
			b = b[:0]
			words(p.Source)
			words(p.Target)
			number(len(p.Links))
			for _, l := range p.Links {
				number(l.Source)
				number(l.Target)
				if l.Possible {
					number(1)
				} else {
					number(0)
				}
			}
		}
	}
	sum.Write(b)
	return fmt.Sprintf("%x", sum.Sum(nil))
}
