package corpus

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The four ids that every vocabulary begins with.
const (
	PAD = iota // fills a column behind its sentence
	BOS        // what a decoder reads before its first word
	EOS        // ends every target, and the source where the model reads it
	UNK        // stands for every word outside the vocabulary
	firstWord
)

// special are the names of the four ids. They only show ids to people: the same strings in a text are ordinary words.
var special = [firstWord]string{PAD: "<pad>", BOS: "<s>", EOS: "</s>", UNK: "<unk>"}

// Vocabulary maps words to ids and back. The ids of words start at 4, the most frequent first, equally frequent ones in the
// byte order of their spelling, so that the order of the sentences does not matter. Words are the same in composed and in decomposed
// letters, and spelled in composed ones (NFC). A vocabulary never changes once made.
type Vocabulary struct {
	words  []string // by id; the first four are special
	counts []int    // by id; 0 for the first four
	ids    map[string]int32
}

// VocabularyOptions says which words get an id of their own; the zero value takes all.
type VocabularyOptions struct {
	// MinCount is how often a word must occur; 0 and 1 take every word.
	MinCount int
	// MaxSize is the largest Size, the four special ids included; 0 sets no limit.
	MaxSize int
}

// NewVocabulary counts the words of sentences. It fails where the options make no sense or there is no word at all.
func NewVocabulary(sentences iter.Seq[[]string], o VocabularyOptions) (*Vocabulary, error) {
	if o.MinCount < 0 {
		return nil, fmt.Errorf("corpus: VocabularyOptions.MinCount is %d: give 0 or more", o.MinCount)
	}
	if o.MaxSize != 0 && o.MaxSize <= firstWord {
		return nil, fmt.Errorf("corpus: VocabularyOptions.MaxSize is %d, but %d ids are reserved: give more, or 0 for no limit", o.MaxSize, firstWord)
	}
	count := map[string]int{}
	for sentence := range sentences {
		for _, word := range sentence {
			count[norm.NFC.String(word)]++
		}
	}
	if len(count) == 0 {
		return nil, errors.New("corpus: no words to make a vocabulary of: the corpus is empty")
	}
	words := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	if o.MaxSize != 0 && len(words) > o.MaxSize-firstWord {
		words = words[:o.MaxSize-firstWord]
	}
	rare := slices.IndexFunc(words, func(w string) bool { return count[w] < o.MinCount })
	if rare == 0 {
		return nil, fmt.Errorf("corpus: no word occurs %d times, the commonest, %q, only %d: lower VocabularyOptions.MinCount", o.MinCount, words[0], count[words[0]])
	}
	if rare > 0 {
		words = words[:rare]
	}
	v := emptyVocabulary(len(words))
	for _, w := range words {
		v.add(w, count[w])
	}
	return v, nil
}

func emptyVocabulary(words int) *Vocabulary {
	return &Vocabulary{
		words:  append(make([]string, 0, firstWord+words), special[:]...),
		counts: make([]int, firstWord, firstWord+words),
		ids:    make(map[string]int32, words),
	}
}

func (v *Vocabulary) add(word string, count int) {
	v.ids[word] = int32(len(v.words))
	v.words = append(v.words, word)
	v.counts = append(v.counts, count)
}

// Size is the number of ids, the four special ones included.
func (v *Vocabulary) Size() int { return len(v.words) }

// ID is the id of word, [UNK] where it has none. No word has the id PAD, BOS or EOS, not even "</s>".
func (v *Vocabulary) ID(word string) int32 {
	if id, ok := v.find(word); ok {
		return id
	}
	return UNK
}

func (v *Vocabulary) find(word string) (id int32, ok bool) {
	if id, ok = v.ids[word]; !ok && !norm.NFC.IsNormalString(word) {
		id, ok = v.ids[norm.NFC.String(word)]
	}
	return id, ok
}

// Has tells whether word has an id of its own.
func (v *Vocabulary) Has(word string) bool {
	_, ok := v.find(word)
	return ok
}

// Word is the word of an id, or one of "<pad>", "<s>", "</s>", "<unk>". It panics where id is outside [0, Size).
func (v *Vocabulary) Word(id int32) string {
	if id < 0 || int(id) >= len(v.words) {
		panic(fmt.Sprintf("corpus: id %d is outside the vocabulary of size %d", id, len(v.words)))
	}
	return v.words[id]
}

// Count is how often word occurred in the text that the vocabulary was made of; 0 for a word outside it.
func (v *Vocabulary) Count(word string) int {
	if id, ok := v.find(word); ok {
		return v.counts[id]
	}
	return 0
}

// Encode turns words into ids, one each, without BOS or EOS.
func (v *Vocabulary) Encode(words []string) []int32 {
	ids := make([]int32, len(words))
	for i, w := range words {
		ids[i] = v.ID(w)
	}
	return ids
}

// Decode turns ids into words, up to the first EOS; PAD and BOS are left out, UNK becomes "<unk>". It panics where an id is
// outside [0, Size).
func (v *Vocabulary) Decode(ids []int32) []string {
	words := make([]string, 0, len(ids))
	for _, id := range ids {
		switch id {
		case EOS:
			return words
		case PAD, BOS:
		default:
			words = append(words, v.Word(id))
		}
	}
	return words
}

// UnknownRate is the part of the words of sentences that have no id of their own, in [0,1]; 0 where there are no words.
func (v *Vocabulary) UnknownRate(sentences iter.Seq[[]string]) float64 {
	var unknown, all int
	for sentence := range sentences {
		all += len(sentence)
		for _, w := range sentence {
			if !v.Has(w) {
				unknown++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(unknown) / float64(all)
}

// vocabularyHeader opens a stored vocabulary. The number is the version of the format.
const vocabularyHeader = "seq2attn vocabulary 1"

// Write stores the vocabulary as text: a header, the number of words, a line `count<TAB>"word"` for each in the order of the
// ids, with the word quoted as in Go, and the SHA-256 of all that.
func (v *Vocabulary) Write(w io.Writer) error {
	sum := sha256.New()
	b := bufio.NewWriter(w)
	v.write(io.MultiWriter(b, sum)) // b keeps the first error for Flush
	fmt.Fprintf(b, "sha256 %x\n", sum.Sum(nil))
	if err := b.Flush(); err != nil {
		return fmt.Errorf("corpus: write vocabulary: %w", err)
	}
	return nil
}

func (v *Vocabulary) write(w io.Writer) {
	fmt.Fprintf(w, "%s\nwords %d\n", vocabularyHeader, len(v.words)-firstWord)
	for id := firstWord; id < len(v.words); id++ {
		fmt.Fprintf(w, "%d\t%s\n", v.counts[id], strconv.Quote(v.words[id]))
	}
}

// Fingerprint is the SHA-256, in hexadecimal, of the words, their ids and their counts.
func (v *Vocabulary) Fingerprint() string {
	sum := sha256.New()
	v.write(sum)
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// ReadVocabulary reads what [Vocabulary.Write] wrote. A damaged or truncated text, or one of another version, is an error
// that names the line.
func ReadVocabulary(r io.Reader) (*Vocabulary, error) {
	in := &vocabularyReader{lines: bufio.NewReader(r), sum: sha256.New()}
	v, err := in.read()
	if err != nil {
		return nil, fmt.Errorf("corpus: vocabulary, line %d: %w", in.line, err)
	}
	return v, nil
}

type vocabularyReader struct {
	lines *bufio.Reader
	line  int       // number of the line last read, from 1
	sum   hash.Hash // over all lines before the last
	last  string
}

// next is the next line, without its end.
func (in *vocabularyReader) next() (string, error) {
	in.sum.Write([]byte(in.last))
	in.line++
	var err error
	if in.last, err = in.lines.ReadString('\n'); err == io.EOF {
		return "", errors.New("the file ends too early: write the vocabulary anew")
	}
	return strings.TrimSuffix(in.last, "\n"), err
}

func (in *vocabularyReader) read() (*Vocabulary, error) {
	header, err := in.next()
	if err != nil {
		return nil, err
	}
	if header != vocabularyHeader {
		return nil, fmt.Errorf("%.40q is not %q: another kind of file or another version", header, vocabularyHeader)
	}
	size, err := in.next()
	if err != nil {
		return nil, err
	}
	words, ok := strings.CutPrefix(size, "words ")
	n, err := strconv.Atoi(words)
	if !ok || err != nil || n <= 0 {
		return nil, fmt.Errorf("%.40q is not \"words N\"", size)
	}
	v := emptyVocabulary(0) // n is not to be trusted with memory
	for range n {
		line, err := in.next()
		if err != nil {
			return nil, err
		}
		number, quoted, _ := strings.Cut(line, "\t")
		count, err := strconv.Atoi(number)
		if err != nil || count <= 0 {
			return nil, fmt.Errorf("%.40q does not begin with a count above 0", line)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil || quoted != strconv.Quote(word) {
			return nil, fmt.Errorf("%.40q does not hold a quoted word", line)
		}
		if v.Has(word) {
			return nil, fmt.Errorf("the word %.40q stands a second time", word)
		}
		v.add(word, count)
	}
	sum, err := in.next()
	if err != nil {
		return nil, err
	}
	if want := fmt.Sprintf("sha256 %x", in.sum.Sum(nil)); sum != want {
		return nil, fmt.Errorf("the checksum is not that of the lines above (%s): the file was changed", want)
	}
	if _, err := in.lines.ReadByte(); err != io.EOF {
		in.line++
		return nil, errors.New("text after the checksum")
	}
	return v, nil
}
