package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// line is an entry as a line on the terminal.
func (e entry) line() string {
	if e.Peer == 0 {
		return fmt.Sprintf("%-72s %10s", e.Case, e.value(e.Ours))
	}
	return fmt.Sprintf("%-72s %10s %10s %6.2f %6.2f %6.2f", e.Case, e.value(e.Ours), e.value(e.Peer), e.Ratio, e.RatioMin, e.RatioMax)
}

// heading is the line above all lines.
func heading() string {
	return fmt.Sprintf("%-72s %10s %10s %6s %6s %6s", "case", "ours", "PyTorch", "ratio", "min", "max")
}

// value is a number with its unit.
func (e entry) value(v float64) string {
	switch {
	case e.Unit == inMegabytes:
		return fmt.Sprintf("%.0f MB", v)
	case v < 1:
		return fmt.Sprintf("%.1f ms", v*1e3)
	}
	return fmt.Sprintf("%.2f s", v)
}

// page is the text of bench.md: the entries in tables, and what they were measured on.
func page(entries []entry) []byte {
	var p bytes.Buffer
	p.WriteString("# Speed, measured\n\nWritten by `make bench`; do not edit. [speed.md](../speed.md) says what each case is and how it is measured; " +
		"every number, with its date, machine and versions, is in [bench.json](bench.json). Times and memory are medians over the rounds, the ratio " +
		"is ours to PyTorch's in the same round: below 1 we are quicker.\n")
	p.WriteString("\n## Against PyTorch\n\n| case | ours | PyTorch | ratio | min | max | words, ours | words, PyTorch |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, e := range entries {
		if e.Peer > 0 {
			fmt.Fprintf(&p, "| %s | %s | %s | **%.2f** | %.2f | %.2f | %s | %s |\n", e.Case, e.value(e.Ours), e.value(e.Peer), e.Ratio, e.RatioMin, e.RatioMax,
				count(e.Words), count(e.PeerWords))
		}
	}
	p.WriteString("\nWords are target words, EOS included: of an update, or of all translations.\n")
	p.WriteString("\n## Ours alone\n\n| case | ours | a word |\n|---|---:|---:|\n")
	for _, e := range entries {
		if e.Peer == 0 {
			each := ""
			if e.Words > 0 {
				each = fmt.Sprintf("%.2f µs", e.Ours/float64(e.Words)*1e6)
			}
			fmt.Fprintf(&p, "| %s | %s | %s |\n", e.Case, e.value(e.Ours), each)
		}
	}
	p.WriteString("\n## Measured on\n\n")
	for _, on := range conditions(entries) {
		fmt.Fprintf(&p, "- %s\n", on)
	}
	return p.Bytes()
}

// count is a number of words; nothing for none.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// conditions are the different dates, machines and versions of entries.
func conditions(entries []entry) (list []string) {
	for _, e := range entries {
		m := e.Machine
		text := fmt.Sprintf("%s, %d rounds, %d threads: %d cores (%s), %s/%s", e.Date.Format(time.DateOnly), e.Rounds, e.Threads, m.Cores, m.CPU, m.OS, m.Architecture)
		for _, name := range slices.Sorted(maps.Keys(e.Versions)) {
			text += fmt.Sprintf(", %s %s", strings.TrimPrefix(name, "github.com/"), e.Versions[name])
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
