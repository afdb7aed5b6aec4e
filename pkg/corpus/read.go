package corpus

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxLine is the length, in bytes, of the longest line that a reader accepts.
const MaxLine = 1 << 20

// Bitext is one line of parallel text as it was read, before [Normalize]. Either side may be blank.
type Bitext struct {
	// Line is its number in the file, from 1.
	Line           int
	Source, Target string
}

// ReadTSV streams a file with the source in the first column and the target in the second, both UTF-8, plain or
// gzip-compressed, whatever its name. Further columns are ignored (Tatoeba has an attribution there); a line of one column is
// an error. Lines end in LF or CR LF; a file whose lines all end in CR alone is an error. An error names file and line and ends the
// stream.
func ReadTSV(path string) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		file, err := openText(path)
		if err != nil {
			yield(Bitext{}, err)
			return
		}
		defer file.Close()
		readTSV(path, file)(yield)
	}
}

func readTSV(name string, r io.Reader) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		for lines := newLines(name, r); ; {
			line, err := lines.next()
			if err == io.EOF {
				return
			}
			columns := strings.SplitN(line, "\t", 3)
			if err == nil && len(columns) < 2 && strings.TrimSpace(line) != "" {
				err = lines.errorf("no tab: give source<TAB>target")
			}
			if err != nil {
				yield(Bitext{}, err)
				return
			}
			b := Bitext{Line: lines.line}
			if len(columns) > 1 {
				b.Source, b.Target = columns[0], columns[1]
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

// ReadTwoFiles streams two files whose lines correspond, both UTF-8, plain or gzip-compressed, whatever their names. Lines end in
// LF or CR LF. Where one file has more lines than the other the stream ends in an error with both numbers; other errors name
// file and line.
func ReadTwoFiles(source, target string) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		s, err := openText(source)
		if err != nil {
			yield(Bitext{}, err)
			return
		}
		defer s.Close()
		t, err := openText(target)
		if err != nil {
			yield(Bitext{}, err)
			return
		}
		defer t.Close()
		readTwo(newLines(source, s), newLines(target, t))(yield)
	}
}

func readTwo(source, target *lines) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		for {
			s, errS := source.next()
			t, errT := target.next()
			switch {
			case errS == io.EOF && errT == io.EOF:
				return
			case errS == io.EOF || errT == io.EOF:
				err := errors.Join(source.skip(errS), target.skip(errT))
				if err == nil {
					err = fmt.Errorf("corpus: %s has %d lines, but %s has %d: the files do not belong together, or one is cut short",
						source.name, source.line, target.name, target.line)
				}
				yield(Bitext{}, err)
				return
			case errS != nil || errT != nil:
				yield(Bitext{}, errors.Join(errS, errT))
				return
			}
			if !yield(Bitext{source.line, s, t}, nil) {
				return
			}
		}
	}
}

// maxMember is the most, in bytes, that is read of a file in a zip archive.
const maxMember = 256 << 20

// readZip streams a TSV file in a zip archive, as ReadTSV does. Nothing is unpacked to disk.
func readZip(path, member string) iter.Seq2[Bitext, error] {
	return func(yield func(Bitext, error) bool) {
		fail := func(err error) { yield(Bitext{}, fmt.Errorf("corpus: %s: %w", path, err)) }
		archive, err := zip.OpenReader(path)
		if err != nil {
			fail(fmt.Errorf("%w: remove the file and fetch it again", err))
			return
		}
		defer archive.Close()
		i := slices.IndexFunc(archive.File, func(f *zip.File) bool { return f.Name == member })
		if i < 0 {
			fail(fmt.Errorf("the archive holds no %s", member))
			return
		}
		if size := archive.File[i].UncompressedSize64; size > maxMember {
			fail(fmt.Errorf("%s has %d bytes unpacked, more than the %d that are read", member, size, maxMember))
			return
		}
		text, err := archive.File[i].Open() // checks size and CRC
		if err != nil {
			fail(err)
			return
		}
		defer text.Close()
		readTSV(path+"/"+member, text)(yield)
	}
}

// openText opens a plain or gzip-compressed file, told apart by its first bytes.
func openText(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	text, err := plainText(file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("corpus: %s: %w", path, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{text, file}, nil
}

// plainText decompresses r if it is gzip.
func plainText(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	magic, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("damaged gzip file: %w", err)
	}
	return &bounded{z, maxUnpacked}, nil
}

// maxUnpacked is the most, in bytes, that is read of a gzip file: a small one can unpack to more than any memory holds.
const maxUnpacked = 2 << 30

// bounded ends in an error where there is more to read than left.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errors.New("the file unpacks to too much: is it what it says?")
	}
	return n, err
}

// lines reads text line by line.
type lines struct {
	name string
	r    *bufio.Reader
	line int // number of the line last read
}

func newLines(name string, r io.Reader) *lines {
	return &lines{name: name, r: bufio.NewReaderSize(r, 1<<16)}
}

func (l *lines) errorf(format string, args ...any) error {
	return fmt.Errorf("corpus: %s:%d: %w", l.name, l.line, fmt.Errorf(format, args...))
}

// next is the next line, without its end and without a byte-order mark; io.EOF follows the last.
func (l *lines) next() (string, error) {
	var long []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if err == io.EOF && len(part)+len(long) == 0 {
			return "", io.EOF
		}
		if long == nil {
			l.line++
		}
		if len(long)+len(part) > MaxLine {
			return "", l.errorf("the line is longer than %d bytes: is this a text file?", MaxLine)
		}
		switch {
		case err == bufio.ErrBufferFull:
			long = append(long, part...)
			continue
		case errors.Is(err, io.ErrUnexpectedEOF):
			return "", l.errorf("the compressed file is cut short: fetch it again")
		case err != nil && err != io.EOF:
			return "", l.errorf("%w", err)
		}
		if long != nil {
			part = append(long, part...)
		}
		if l.line == 1 {
			part = bytes.TrimPrefix(part, []byte("\ufeff"))
		}
		part = bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))
		if err == io.EOF && l.line == 1 && bytes.ContainsRune(part, '\r') { // all of it would be one line
			return "", l.errorf("the lines end in CR alone: convert the file to line ends of LF")
		}
		if !utf8.Valid(part) {
			return "", l.errorf("the line is not UTF-8 at byte %d: convert the file to UTF-8", badByte(part)+1)
		}
		return string(part), nil
	}
}

// skip reads on to the end, to count the lines; err is what next returned last.
func (l *lines) skip(err error) error {
	for err == nil {
		_, err = l.next()
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// badByte is where the first invalid UTF-8 of text begins.
func badByte(text []byte) int {
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// Filter says how lines become pairs.
type Filter struct {
	// Source and Target tokenise the two sides.
	Source, Target Tokenizer
	// MaxLength skips pairs with more tokens than that on either side, without EOS; 0 sets no limit.
	MaxLength int
	// MaxPairs ends the reading after so many pairs; 0 sets no limit.
	MaxPairs int
}

// Report counts what became of the lines of a text.
type Report struct {
	// Lines were read, Kept of them became pairs.
	Lines, Kept int
	// Blank lines, with nothing on one side or both, and lines that are TooLong were skipped.
	Blank, TooLong int
	// Unspaced counts kept pairs with a side that was cut into words although its script has no spaces between them; see
	// [Tokenizer.Characters].
	Unspaced int
}

// String says it in a sentence.
func (r Report) String() string {
	s := fmt.Sprintf("kept %d of %d lines, skipped %d blank on a side and %d too long", r.Kept, r.Lines, r.Blank, r.TooLong)
	if r.Unspaced > 0 {
		s += fmt.Sprintf("; warning: %d kept lines are in a script without spaces between words: tokenise characters", r.Unspaced)
	}
	return s
}

// Pairs reads text into tokenised pairs. It is an error where none is left, one that says why.
func (f Filter) Pairs(text iter.Seq2[Bitext, error]) ([]Pair, Report, error) {
	var pairs []Pair
	var r Report
	if f.MaxLength < 0 || f.MaxPairs < 0 {
		return nil, r, fmt.Errorf("corpus: MaxLength is %d and MaxPairs %d: give 0 or more", f.MaxLength, f.MaxPairs)
	}
	for b, err := range text {
		if err != nil {
			return nil, r, err
		}
		r.Lines++
		p := Pair{Source: f.Source.Tokenize(b.Source), Target: f.Target.Tokenize(b.Target)}
		switch {
		case len(p.Source) == 0 || len(p.Target) == 0:
			r.Blank++
			continue
		case f.MaxLength > 0 && max(len(p.Source), len(p.Target)) > f.MaxLength:
			r.TooLong++
			continue
		case !f.Source.Characters && Unspaced(b.Source), !f.Target.Characters && Unspaced(b.Target):
			r.Unspaced++
		}
		r.Kept++
		if pairs = append(pairs, p); len(pairs) == f.MaxPairs {
			break
		}
	}
	switch {
	case r.Lines == 0:
		return nil, r, errors.New("corpus: the text has no lines: the corpus is empty")
	case r.Kept == 0:
		return nil, r, fmt.Errorf("corpus: no pair is left (%v): raise MaxLength (%d) or look at the text", r, f.MaxLength)
	}
	return pairs, r, nil
}
