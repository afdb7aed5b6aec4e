package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// The form of the NAACL 2003 shared task (Mihalcea and Pedersen, "An Evaluation Exercise for Word Alignment") has a line for each link:
// the number of the sentence pair, of the source word and of the target word, all from 1, then S or P; S where it is left out. A
// confidence may follow. Word 0 is NULL. Its text is a file for each language with lines <s snum=1> tokens </s>.

// ReadNAACL gives each pair the links of its number, from a file, UTF-8, plain or gzip-compressed. A link to word 0 says that a word
// belongs to nothing: it makes no link, and nulls counts it. A pair with no line has no link. A malformed line, and a pair or word that there is
// not, are errors with the line's number; one that counts from 0 is found by that, mostly.
func ReadNAACL(path string, pairs []Pair) (linked []Pair, nulls int, err error) {
	file, err := openText(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	return readNAACL(newLines(path, file), pairs)
}

func readNAACL(lines *lines, pairs []Pair) (linked []Pair, nulls int, err error) {
	linked = make([]Pair, len(pairs))
	for i, p := range pairs {
		p.Links = []Link{}
		linked[i] = p
	}
	for {
		text, err := lines.next()
		if err == io.EOF {
			return linked, nulls, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		n, l, err := parseNAACL(text)
		if err != nil {
			return nil, 0, lines.errorf("%w", err)
		}
		if n < 1 || n > len(linked) {
			return nil, 0, lines.errorf("sentence pair %d: there are %d, counted from 1", n, len(linked))
		}
		if l.Source == -1 || l.Target == -1 {
			nulls++
			l.Source, l.Target = max(l.Source, 0), max(l.Target, 0)
			if err := l.Within(linked[n-1]); err != nil {
				return nil, 0, lines.errorf("a link to NULL (0), beside it from %w", err)
			}
			continue
		}
		if err := l.Within(linked[n-1]); err != nil {
			return nil, 0, lines.errorf("link (as counted from 1: %d %d) from %w", l.Source+1, l.Target+1, err)
		}
		linked[n-1].Links = append(linked[n-1].Links, l)
	}
}

// parseNAACL reads one line; the link's places are counted from 0, so that NULL is -1.
func parseNAACL(text string) (sentence int, l Link, err error) {
	fields := strings.Fields(text)
	if len(fields) < 3 || len(fields) > 5 {
		return 0, l, fmt.Errorf("%d fields: write sentence, source word, target word and S or P", len(fields))
	}
	var numbers [3]int
	for i := range numbers {
		if numbers[i], err = place(fields[i]); err != nil {
			return 0, l, fmt.Errorf("field %d: %w", i+1, err)
		}
	}
	l = Link{Source: numbers[1] - 1, Target: numbers[2] - 1}
	if l.Source == -1 && l.Target == -1 {
		return 0, l, errors.New("a link from NULL (0) to NULL (0)")
	}
	rest := fields[3:]
	if len(rest) > 0 && (rest[0] == "S" || rest[0] == "P") {
		l.Possible = rest[0] == "P"
		rest = rest[1:]
	}
	if len(rest) > 0 {
		confidence, err := strconv.ParseFloat(rest[0], 64)
		if err != nil || !(confidence >= 0 && confidence <= 1) || len(rest) > 1 {
			return 0, l, fmt.Errorf("%q: S or P is expected, and a confidence of 0 to 1 may follow", strings.Join(fields[3:], " "))
		}
	}
	return numbers[0], l, nil
}

// WriteNAACL writes a line for each link of each sentence pair. Words that belong to nothing are left out.
func WriteNAACL(w io.Writer, alignments [][]Link) error {
	b := bufio.NewWriter(w)
	for i, links := range alignments {
		for _, l := range links {
			fmt.Fprintf(b, "%d %d %d %c\n", i+1, l.Source+1, l.Target+1, "SP"[possible(l)])
		}
	}
	return b.Flush()
}

// ReadNAACLText reads the tokenised sentences of two files whose numbers correspond, UTF-8, plain or gzip-compressed. Tokens are what
// white space separates; nothing is normalised. A line of another form, a number that is not the next one from 1, an empty sentence
// and an unequal number of sentences are errors, with the line's number.
func ReadNAACLText(source, target string) ([]Pair, error) {
	var sides [2][][]string
	for i, path := range []string{source, target} {
		file, err := openText(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if sides[i], err = readNAACLText(newLines(path, file)); err != nil {
			return nil, err
		}
	}
	if len(sides[0]) != len(sides[1]) {
		return nil, fmt.Errorf("corpus: %s has %d sentences, but %s has %d: the files do not belong together, or one is cut short",
			source, len(sides[0]), target, len(sides[1]))
	}
	pairs := make([]Pair, len(sides[0]))
	for i := range pairs {
		pairs[i] = Pair{Source: sides[0][i], Target: sides[1][i]}
	}
	return pairs, nil
}

var sentenceLine = regexp.MustCompile(`^\s*<s\s+snum="?([0-9]{1,9})"?\s*>(.*)</s>\s*$`)

func readNAACLText(lines *lines) (sentences [][]string, err error) {
	for {
		text, err := lines.next()
		if err == io.EOF {
			return sentences, nil
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		parts := sentenceLine.FindStringSubmatch(text)
		if parts == nil {
			return nil, lines.errorf("no sentence: write <s snum=%d> tokens </s>", len(sentences)+1)
		}
		if n, _ := strconv.Atoi(parts[1]); n != len(sentences)+1 {
			return nil, lines.errorf("sentence %d stands where %d is expected: they are numbered from 1, without gaps", n, len(sentences)+1)
		}
		tokens := strings.Fields(parts[2])
		if len(tokens) == 0 {
			return nil, lines.errorf("sentence %d is empty", len(sentences)+1)
		}
		sentences = append(sentences, tokens)
	}
}

// WriteNAACLText writes the sentences of one side, [Sources] or [Targets] of pairs, as [ReadNAACLText] reads them. A sentence that would
// not come back is an error.
func WriteNAACLText(w io.Writer, sentences func(yield func([]string) bool)) error {
	b := bufio.NewWriter(w)
	n := 0
	for s := range sentences {
		n++
		if err := writable(s, "</s>"); err != nil {
			return fmt.Errorf("corpus: sentence %d: %w", n, err)
		}
		fmt.Fprintf(b, "<s snum=%d> %s </s>\n", n, strings.Join(s, " "))
	}
	return b.Flush()
}
