package corpus

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Fingerprint is the SHA-256, in hexadecimal, of the names, pairs and links of d, in their order. Run folders carry it, so that a
// model is never taken for one that was trained on other data.
func Fingerprint(d Data) string {
	sum := sha256.New()
	w := bufio.NewWriter(sum) // a hash returns no errors
	number := func(n int) {
		var b [binary.MaxVarintLen64]byte
		w.Write(b[:binary.PutVarint(b[:], int64(n))])
	}
	text := func(s string) {
		number(len(s))
		w.WriteString(s)
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
	w.Flush()
	return fmt.Sprintf("%x", sum.Sum(nil))
}
