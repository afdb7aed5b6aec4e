package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The Pharaoh form of an alignment has a line for each sentence pair, in it a field i-j for each link: source word i, target word j,
// counted from 0. A possible link is i?j or ipj. A line without links is blank. Its text is tokenised, "source ||| target".

// ParsePharaoh reads the links of one sentence pair: "0-0 1-2 2?1 3p3". It does not know the sentences; [ReadPharaoh] does.
func ParsePharaoh(line string) ([]Link, error) {
	links := []Link{}
	for _, field := range strings.Fields(line) {
		at := strings.IndexAny(field, "-?p")
		if at < 0 {
			return nil, fmt.Errorf("link %q: write i-j, or i?j where it is possible only", field)
		}
		source, err := place(field[:at])
		if err != nil {
			return nil, fmt.Errorf("link %q: source word %w", field, err)
		}
		target, err := place(field[at+1:])
		if err != nil {
			return nil, fmt.Errorf("link %q: target word %w", field, err)
		}
		links = append(links, Link{Source: source, Target: target, Possible: field[at] != '-'})
	}
	return links, nil
}

// place reads a number that has digits only.
func place(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of words", text)
	}
	return int(n), nil
}

// FormatPharaoh writes links as [ParsePharaoh] reads them, in the order they have: "0-0 1?2".
func FormatPharaoh(links []Link) string {
	fields := make([]string, len(links))
	for i, l := range links {
		fields[i] = fmt.Sprintf("%d%c%d", l.Source, "-?"[possible(l)], l.Target)
	}
	return strings.Join(fields, " ")
}

// ReadPharaoh gives each pair the links in its line of a file, UTF-8, plain or gzip-compressed. A malformed link, a word that the pair
// does not have, and more or fewer lines than pairs are errors with the line's number. The pairs themselves stay as they are.
func ReadPharaoh(path string, pairs []Pair) ([]Pair, error) {
	file, err := openText(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readPharaoh(newLines(path, file), pairs)
}

func readPharaoh(lines *lines, pairs []Pair) ([]Pair, error) {
	var linked []Pair
	for {
		text, err := lines.next()
		if err == io.EOF {
			if len(linked) != len(pairs) {
				return nil, fmt.Errorf("corpus: %s has %d lines, but there are %d sentence pairs: the files do not belong together, or one is cut short",
					lines.name, lines.line, len(pairs))
			}
			return linked, nil
		}
		if err != nil {
			return nil, err
		}
		if len(linked) == len(pairs) {
			return nil, lines.errorf("there are only %d sentence pairs", len(pairs))
		}
		p := pairs[len(linked)]
		if p.Links, err = ParsePharaoh(text); err != nil {
			return nil, lines.errorf("%w", err)
		}
		for _, l := range p.Links {
			if err := l.Within(p); err != nil {
				return nil, lines.errorf("link from %w", err)
			}
		}
		linked = append(linked, p)
	}
}

// WritePharaoh writes a line of links for each sentence pair.
func WritePharaoh(w io.Writer, alignments [][]Link) error {
	b := bufio.NewWriter(w)
	for _, links := range alignments {
		b.WriteString(FormatPharaoh(links))
		b.WriteByte('\n')
	}
	return b.Flush()
}

// ReadPharaohText reads tokenised pairs, one a line: "source ||| target", UTF-8, plain or gzip-compressed. Tokens are what white space
// separates, as links count them; nothing is normalised. A line without the mark or with two, and an empty side, are errors with the
// line's number, because links are told apart by lines.
func ReadPharaohText(path string) ([]Pair, error) {
	file, err := openText(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readPharaohText(newLines(path, file))
}

// barrier stands between the sides of a pair.
const barrier = "|||"

func readPharaohText(lines *lines) ([]Pair, error) {
	var pairs []Pair
	for {
		text, err := lines.next()
		if err == io.EOF {
			return pairs, nil
		}
		if err != nil {
			return nil, err
		}
		var sides [][]string
		tokens := strings.Fields(text)
		start := 0
		for i := 0; i <= len(tokens); i++ {
			if i == len(tokens) || tokens[i] == barrier {
				sides = append(sides, tokens[start:i:i])
				start = i + 1
			}
		}
		switch {
		case len(sides) != 2:
			return nil, lines.errorf("%d marks %s: write source %s target", len(sides)-1, barrier, barrier)
		case len(sides[0]) == 0:
			return nil, lines.errorf("the source is empty")
		case len(sides[1]) == 0:
			return nil, lines.errorf("the target is empty")
		}
		pairs = append(pairs, Pair{Source: sides[0], Target: sides[1]})
	}
}

// WritePharaohText writes pairs as [ReadPharaohText] reads them. A pair that would not come back is an error.
func WritePharaohText(w io.Writer, pairs []Pair) error {
	b := bufio.NewWriter(w)
	for i, p := range pairs {
		for _, side := range [][]string{p.Source, p.Target} {
			if err := writable(side, barrier); err != nil {
				return fmt.Errorf("corpus: pair %d: %w", i, err)
			}
		}
		fmt.Fprintf(b, "%s %s %s\n", strings.Join(p.Source, " "), barrier, strings.Join(p.Target, " "))
	}
	return b.Flush()
}

// writable reports tokens that cannot be told apart again where spaces separate them and a reserved one has a meaning of its own.
func writable(tokens []string, reserved string) error {
	if len(tokens) == 0 {
		return errors.New("a side is empty")
	}
	for _, t := range tokens {
		if fields := strings.Fields(t); len(fields) != 1 || fields[0] != t || t == reserved {
			return fmt.Errorf("token %q cannot be written: it is empty, has spaces, or is the mark %q", t, reserved)
		}
	}
	return nil
}
