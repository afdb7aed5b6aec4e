package corpus

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// gzipped compresses text.
func gzipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

// stored writes a file into the test's folder and returns its path.
func stored(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// drain is all that a stream yields, and the error that ends it.
func drain(text iter.Seq2[Bitext, error]) (all []Bitext, err error) {
	for b, err := range text {
		if err != nil {
			return all, err
		}
		all = append(all, b)
	}
	return all, nil
}

func TestReadTSV(t *testing.T) {
	long := strings.Repeat("x", 70000)
	for _, c := range []struct {
		name, text string
		want       []Bitext
	}{
		{"plain", "Go.\tVa !\nHi.\tSalut.\n", []Bitext{{1, "Go.", "Va !"}, {2, "Hi.", "Salut."}}},
		{"no end of line at the end", "a\tb", []Bitext{{1, "a", "b"}}},
		{"third column", "Go.\tVa !\tCC-BY 2.0 (France)\tmore\n", []Bitext{{1, "Go.", "Va !"}}},
		{"70,000 characters", "a\tb\n" + long + "\tc\nd\te\n", []Bitext{{1, "a", "b"}, {2, long, "c"}, {3, "d", "e"}}},
		{"CR LF, a lone CR, a byte-order mark", "\ufeffa\tb\r\nc\rd\te\r\nf\tg\r\n", []Bitext{{1, "a", "b"}, {2, "c\rd", "e"}, {3, "f", "g"}}},
		{"blank lines and sides", "a\tb\n\n\tc\nd\t\n \ne\tf\n", []Bitext{{1, "a", "b"}, {2, "", ""}, {3, "", "c"}, {4, "d", ""}, {5, "", ""}, {6, "e", "f"}}},
		{"empty", "", nil},
	} {
		for form, path := range map[string]string{
			"plain": stored(t, "a.tsv", []byte(c.text)), "gzip": stored(t, "a.tsv.gz", gzipped(c.text)),
			"gzip by another name": stored(t, "a.txt", gzipped(c.text)), "plain by gzip's name": stored(t, "b.gz", []byte(c.text)),
		} {
			got, err := drain(ReadTSV(path))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, %s: %.200s, %v", c.name, form, fmt.Sprint(got), err)
			}
		}
	}
}

func TestReadTSVErrors(t *testing.T) {
	whole := gzipped(strings.Repeat("some\ttext\n", 1000))
	noise := make([]byte, 2000)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-6]++ // in the checksum
	for _, c := range []struct {
		name    string
		content []byte
		want    string
		lines   int // read before the error; -1: any number
	}{
		{"one column", []byte("a\tb\nonly one\nc\td\n"), "file:2: no tab", 1},
		{"CR alone", []byte("\ufeffa\tb\rc\td\r"), "file:1: the lines end in CR alone", 0},
		{"Latin-1", []byte("a\tb\nc\td\ncaf\xe9\tx\n"), "file:3: the line is not UTF-8 at byte 4", 2},
		{"UTF-16", []byte("\xff\xfea\x00\t\x00b\x00\n\x00"), "file:1: the line is not UTF-8 at byte 1", 0},
		{"an endless line", append([]byte("a\tb\n"), bytes.Repeat([]byte{'x'}, MaxLine+1)...), "file:2: the line is longer", 1},
		{"gzip cut short", whole[:len(whole)-20], "cut short", -1},
		{"gzip cut in its head", whole[:5], "damaged gzip", 0},
		{"gzip with a wrong checksum", damaged, "checksum", -1},
		{"gzip with noise behind", append(bytes.Clone(whole), noise...), "file:1001:", -1},
	} {
		got, err := drain(ReadTSV(stored(t, "file", c.content)))
		if err == nil || !strings.Contains(err.Error(), c.want) || c.lines >= 0 && len(got) != c.lines {
			t.Errorf("%s: %d lines, error %v, want %d with %q", c.name, len(got), err, c.lines, c.want)
		}
	}
	absent := filepath.Join(t.TempDir(), "absent.tsv")
	if _, err := drain(ReadTSV(absent)); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), absent) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := drain(ReadTSV(t.TempDir())); err == nil {
		t.Error("a folder was read")
	}
	broken := errors.New("broken")
	if _, err := drain(readTSV("file", io.MultiReader(strings.NewReader("a\tb\nc"), iotest.ErrReader(broken)))); !errors.Is(err, broken) || !strings.Contains(err.Error(), "file:2:") {
		t.Errorf("read error: %v", err)
	}
}

func TestLongestLine(t *testing.T) {
	line := strings.Repeat("x", MaxLine-4)
	got, err := drain(readTSV("file", strings.NewReader(line+"\ty\r\nend\tz")))
	if err != nil || len(got) != 2 || got[0].Source != line {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

func TestStreamsStopWhenAsked(t *testing.T) {
	path := stored(t, "file", []byte("a\tb\nc\td\n"))
	for _, text := range []iter.Seq2[Bitext, error]{ReadTSV(path), ReadTwoFiles(path, path), readZip(zipped(t, "fra.txt", "a\tb\nc\td\n"), "fra.txt"), behind(ReadTSV(path), ReadTSV(path))} {
		for range text {
			break
		}
	}
}

func TestReadTwoFiles(t *testing.T) {
	for _, c := range []struct {
		name, source, target string
		want                 []Bitext
		err                  []string
	}{
		{"blank on one side", "a\nb\nc\nd\ne\n", "A\nB\n\nD\nE\n", []Bitext{{1, "a", "A"}, {2, "b", "B"}, {3, "c", ""}, {4, "d", "D"}, {5, "e", "E"}}, nil},
		{"CR LF on one side", "a\r\nb\r\n", "A\nB", []Bitext{{1, "a", "A"}, {2, "b", "B"}}, nil},
		{"a tab", "a\tb\n", "A\n", []Bitext{{1, "a\tb", "A"}}, nil},
		{"shorter target", "a\nb\nc\nd\n", "A\nB\n", []Bitext{{1, "a", "A"}, {2, "b", "B"}}, []string{"source has 4 lines", "target has 2"}},
		{"shorter source", "a\n", "A\nB\nC", []Bitext{{1, "a", "A"}}, []string{"source has 1 lines", "target has 3"}},
		{"CR alone in the target", "a\nb\n", "A\rB\r", nil, []string{"target:1: the lines end in CR alone"}},
		{"empty source", "", "A\n", nil, []string{"source has 0 lines", "target has 1"}},
		{"bad UTF-8 in the target", "a\nb\n", "A\n\xff\n", []Bitext{{1, "a", "A"}}, []string{"target:2:", "UTF-8"}},
		{"bad UTF-8 behind the other's end", "a\n", "A\nB\n\xff\n", []Bitext{{1, "a", "A"}}, []string{"target:3:"}},
		{"both empty", "", "", nil, nil},
	} {
		source, target := stored(t, "source", []byte(c.source)), stored(t, "target", gzipped(c.target))
		got, err := drain(ReadTwoFiles(source, target))
		if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		for _, part := range c.err {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v lacks %q", c.name, err, part)
			}
		}
	}
	here := stored(t, "source", []byte("a\n"))
	for _, paths := range [][2]string{{here, "absent"}, {"absent", here}} {
		if _, err := drain(ReadTwoFiles(paths[0], paths[1])); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("absent file: %v", err)
		}
	}
}

// zipped stores an archive with one file.
func zipped(t testing.TB, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return stored(t, "archive.zip", b.Bytes())
}

func TestReadZip(t *testing.T) {
	path := zipped(t, "fra.txt", "Go.\tVa !\tCC-BY\r\nHi.\tSalut.\r\n")
	got, err := drain(readZip(path, "fra.txt"))
	if err != nil || !reflect.DeepEqual(got, []Bitext{{1, "Go.", "Va !"}, {2, "Hi.", "Salut."}}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := drain(readZip(path, "deu.txt")); err == nil || !strings.Contains(err.Error(), "holds no deu.txt") {
		t.Errorf("another member: %v", err)
	}
	if _, err := drain(readZip(zipped(t, "../fra.txt", "a\tb\n"), "fra.txt")); err == nil {
		t.Error("a member outside the archive's folder was read")
	}
	if _, err := drain(readZip(zipped(t, "fra.txt", "a\tb\nc\n"), "fra.txt")); err == nil || !strings.Contains(err.Error(), "fra.txt:2:") {
		t.Errorf("one column: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drain(readZip(stored(t, "cut.zip", whole[:len(whole)/2]), "fra.txt")); err == nil || !strings.Contains(err.Error(), "fetch it again") {
		t.Errorf("cut short: %v", err)
	}
	damaged := bytes.Clone(whole)
	damaged[bytes.Index(damaged, []byte("fra.txt"))+12] ^= 0x55 // in the compressed text
	if _, err := drain(readZip(stored(t, "damaged.zip", damaged), "fra.txt")); err == nil {
		t.Error("a damaged member was read")
	}
	// A claim of more than is read at most.
	central := bytes.LastIndex(whole, []byte("PK\x01\x02"))
	huge := bytes.Clone(whole)
	copy(huge[central+24:], []byte{0xff, 0xff, 0xff, 0x7f})
	if _, err := drain(readZip(stored(t, "huge.zip", huge), "fra.txt")); err == nil || !strings.Contains(err.Error(), "2147483647 bytes") {
		t.Errorf("huge member: %v", err)
	}
}

func TestFilterPairs(t *testing.T) {
	english, french := Tokenizer{Language: "en", Lower: true}, Tokenizer{Language: "fr", Lower: true}
	text := "Go.\tVa !\nBlank\t \u200b\nA long sentence, this.\tUne longue phrase que voilà.\n\t\nHi\tL'ami\n"
	read := func(f Filter, text string) ([]Pair, Report, error) {
		f.Source, f.Target = english, french
		return f.Pairs(readTSV("file", strings.NewReader(text)))
	}
	pairs, report, err := read(Filter{MaxLength: 3}, text)
	want := []Pair{{Source: []string{"go", "."}, Target: []string{"va", "!"}}, {Source: []string{"hi"}, Target: []string{"l'", "ami"}}}
	if err != nil || !reflect.DeepEqual(pairs, want) || report != (Report{Lines: 5, Kept: 2, Blank: 2, TooLong: 1}) {
		t.Errorf("%v, %+v, %v", pairs, report, err)
	}
	if s := report.String(); s != "kept 2 of 5 lines, skipped 2 blank on a side and 1 too long" {
		t.Errorf("report %q", s)
	}
	pairs, report, err = read(Filter{MaxPairs: 1}, text)
	if err != nil || len(pairs) != 1 || report.Lines != 1 {
		t.Errorf("%v, %+v, %v", pairs, report, err)
	}
	// What is blank on one side goes, and shifts nothing.
	pairs, report, err = Filter{}.Pairs(readTwo(newLines("source", strings.NewReader("a\nb\nc\nd\ne\n")), newLines("target", strings.NewReader("A\nB\n\nD\nE\n"))))
	if want := bitext("a=A", "b=B", "d=D", "e=E"); err != nil || !reflect.DeepEqual(pairs, want) || report != (Report{Lines: 5, Kept: 4, Blank: 1}) {
		t.Errorf("%v, %+v, %v", pairs, report, err)
	}
	// Neither carriage returns nor a byte-order mark become tokens.
	pairs, _, err = read(Filter{}, "\ufeffa\tb\r\nc\rd\te\r\n")
	if want := bitext("a=b", "c d=e"); err != nil || !reflect.DeepEqual(pairs, want) {
		t.Errorf("%v, %v", pairs, err)
	}
	for _, c := range []struct {
		name string
		f    Filter
		text string
		want string
	}{
		{"a filter that drops everything", Filter{MaxLength: 5}, strings.Repeat("a b c d e f\ta b c d e f\n", 7), "kept 0 of 7 lines, skipped 0 blank on a side and 7 too long"},
		{"blank only", Filter{}, "\n\n", "2 blank"},
		{"nothing", Filter{}, "", "empty"},
		{"negative length", Filter{MaxLength: -1}, text, "MaxLength"},
		{"negative number", Filter{MaxPairs: -1}, text, "MaxPairs"},
		{"an error on the way", Filter{}, "a\tb\nc\n", "file:2:"},
	} {
		if pairs, _, err := read(c.f, c.text); err == nil || pairs != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", c.name, pairs, err)
		}
	}
	// Words of a script without spaces: a warning, and none in character mode.
	chinese := "I like it\t我喜欢红色的船\nGo\tGo\n"
	_, report, err = Filter{Source: english}.Pairs(readTSV("file", strings.NewReader(chinese)))
	if err != nil || report.Unspaced != 1 || !strings.Contains(report.String(), "warning: 1 kept") {
		t.Errorf("%+v, %v", report, err)
	}
	pairs, report, err = Filter{Source: english, Target: Tokenizer{Characters: true}}.Pairs(readTSV("file", strings.NewReader(chinese)))
	if err != nil || report.Unspaced != 0 || len(pairs[0].Target) != 7 {
		t.Errorf("%v, %+v, %v", pairs, report, err)
	}
}

// A file that unpacks to more than is read ends in an error, whatever it was asked for at once.
func TestBounded(t *testing.T) {
	for limit, want := range map[int64]bool{0: false, 4: false, 5: true, 6: true} {
		text, err := io.ReadAll(iotest.OneByteReader(&bounded{strings.NewReader("12345"), limit}))
		if (err == nil) != want || want && string(text) != "12345" {
			t.Errorf("limit %d: %q, %v", limit, text, err)
		}
	}
	bomb, err := plainText(bytes.NewReader(gzipped(strings.Repeat("a\tb\n", 1000))))
	if err != nil {
		t.Fatal(err)
	}
	bomb.(*bounded).left = 1000
	if got, err := drain(readTSV("file", bomb)); err == nil || !strings.Contains(err.Error(), "file:") || !strings.Contains(err.Error(), "unpacks to too much") || len(got) > 250 {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

func FuzzReadTSV(f *testing.F) {
	for _, s := range []string{"", "a\tb\n", "\ufeffa\tb\r\n\r\n\tc\td", "\x1f\x8b", "\xff\xfe\t", "a\rb\t\r"} {
		f.Add([]byte(s))
	}
	f.Add(gzipped("a\tb\nc\td\te\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		text, err := plainText(bytes.NewReader(content))
		if err != nil {
			return
		}
		got, err := drain(readTSV("file", text))
		for i, b := range got {
			if b.Line != i+1 || !utf8.ValidString(b.Source+b.Target) || strings.ContainsAny(b.Source+b.Target, "\t\n") {
				t.Errorf("line %d: %+v", i+1, b)
			}
		}
		if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) && err == nil && len(content) > 0 {
			if n := bytes.Count(content, []byte("\n")); len(got) != n && len(got) != n+1 {
				t.Errorf("%d lines of %q", len(got), content)
			}
		}
	})
}

func FuzzReadTwoFiles(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("A\nB"))
	f.Add([]byte("a\n\xff"), []byte("\ufeff\r\n\r\n\r\n"))
	f.Add([]byte(""), []byte("\n"))
	f.Fuzz(func(t *testing.T, source, target []byte) {
		got, err := drain(readTwo(newLines("source", bytes.NewReader(source)), newLines("target", bytes.NewReader(target))))
		count := func(text []byte) int {
			n := bytes.Count(text, []byte("\n"))
			if len(text) > 0 && text[len(text)-1] != '\n' {
				n++
			}
			return n
		}
		s, l := count(source), count(target)
		text := func(file []byte) bool { // valid, and with line ends that are known
			line := bytes.TrimSuffix(file, []byte("\r"))
			return utf8.Valid(file) && (bytes.ContainsRune(file, '\n') || !bytes.ContainsRune(line, '\r'))
		}
		valid := text(source) && text(target)
		if valid && (err == nil) != (s == l) || valid && len(got) != min(s, l) || len(got) > min(s, l) || !valid && err == nil {
			t.Errorf("%d and %d lines: %d pairs, %v", s, l, len(got), err)
		}
		if valid && err != nil && !strings.Contains(err.Error(), fmt.Sprintf("source has %d lines, but target has %d", s, l)) {
			t.Errorf("%d and %d lines: %v", s, l, err)
		}
	})
}

func FuzzReadZip(f *testing.F) {
	whole, err := os.ReadFile(zipped(f, "fra.txt", "a\tb\nc\td\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:30])
	path := filepath.Join(f.TempDir(), "fuzzed.zip")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		drain(readZip(path, "fra.txt"))
	})
}
