package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sentencesOf splits text at spaces, one sentence for each argument.
func sentencesOf(sentences ...string) [][]string {
	var all [][]string
	for _, s := range sentences {
		all = append(all, strings.Fields(s))
	}
	return all
}

func mustVocabulary(t testing.TB, o VocabularyOptions, sentences ...string) *Vocabulary {
	t.Helper()
	v, err := NewVocabulary(slices.Values(sentencesOf(sentences...)), o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestNewVocabulary(t *testing.T) {
	text := []string{"b a c c", "c a d"}
	for _, c := range []struct {
		name string
		o    VocabularyOptions
		want []string // by id, from 4
		err  string
	}{
		{"all, ties in byte order", VocabularyOptions{}, []string{"c", "a", "b", "d"}, ""},
		{"minimum count", VocabularyOptions{MinCount: 2}, []string{"c", "a"}, ""},
		{"size", VocabularyOptions{MaxSize: 7}, []string{"c", "a", "b"}, ""},
		{"size larger than the text", VocabularyOptions{MaxSize: 70}, []string{"c", "a", "b", "d"}, ""},
		{"both", VocabularyOptions{MinCount: 3, MaxSize: 7}, []string{"c"}, ""},
		{"nothing is frequent enough", VocabularyOptions{MinCount: 4}, nil, "MinCount"},
		{"negative count", VocabularyOptions{MinCount: -1}, nil, "MinCount"},
		{"size of the special ids", VocabularyOptions{MaxSize: 4}, nil, "MaxSize"},
		{"negative size", VocabularyOptions{MaxSize: -1}, nil, "MaxSize"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := NewVocabulary(slices.Values(sentencesOf(text...)), c.o)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one that names %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v.Size() != 4+len(c.want) {
				t.Errorf("size %d, want %d", v.Size(), 4+len(c.want))
			}
			for i, w := range c.want {
				if id := v.ID(w); id != int32(4+i) || v.Word(id) != w {
					t.Errorf("%q has id %d, which is %q", w, id, v.Word(id))
				}
			}
		})
	}
	if _, err := NewVocabulary(slices.Values(sentencesOf("", "")), VocabularyOptions{}); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("empty corpus: error %v", err)
	}
	v := mustVocabulary(t, VocabularyOptions{MinCount: 2}, text...)
	if v.Count("c") != 3 || v.Count("a") != 2 || v.Count("b") != 0 || v.Count("</s>") != 0 {
		t.Errorf("counts %d %d %d", v.Count("c"), v.Count("a"), v.Count("b"))
	}
	if rate := v.UnknownRate(slices.Values(sentencesOf(text...))); rate != 2.0/7 {
		t.Errorf("unknown rate %g, want 2/7", rate)
	}
	if rate := v.UnknownRate(slices.Values(sentencesOf(""))); rate != 0 {
		t.Errorf("unknown rate of nothing %g", rate)
	}
}

func TestEncodeDecode(t *testing.T) {
	v := mustVocabulary(t, VocabularyOptions{}, "le café est fermé ici", "désolé")
	for _, c := range []struct{ text, want string }{
		{"le café est fermé", "le café est fermé"},
		{"zzz qqq", "<unk> <unk>"},
		{"desole", "<unk>"},
		{"", ""},
	} {
		ids := v.Encode(strings.Fields(c.text))
		if got := strings.Join(v.Decode(ids), " "); got != c.want {
			t.Errorf("%q became %v, %q, want %q", c.text, ids, got, c.want)
		}
	}
	le, ici := v.ID("le"), v.ID("ici")
	if got := v.Decode([]int32{BOS, le, PAD, UNK, EOS, ici}); !reflect.DeepEqual(got, []string{"le", "<unk>"}) {
		t.Errorf("decoded %q", got)
	}
	for _, id := range []int32{-1, int32(v.Size())} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), fmt.Sprint(id)) {
					t.Errorf("Word(%d) panicked with %v", id, r)
				}
			}()
			v.Word(id)
		}()
	}
}

// A word is one word in composed and in decomposed letters, whichever the text has.
func TestDecomposedWords(t *testing.T) {
	const composed, decomposed = "caf\u00e9", "cafe\u0301"
	for _, text := range []string{composed + " " + decomposed, decomposed + " " + decomposed} {
		v := mustVocabulary(t, VocabularyOptions{}, text)
		if v.Size() != firstWord+1 || v.Word(firstWord) != composed {
			t.Errorf("%q: words %q", text, v.words[firstWord:])
		}
		for _, w := range []string{composed, decomposed} {
			if v.ID(w) != firstWord || !v.Has(w) || v.Count(w) != 2 {
				t.Errorf("%q: id %d, count %d", w, v.ID(w), v.Count(w))
			}
		}
	}
}

// Strings that look like special symbols are words like others: no early stop, no shared id.
func TestReservedStrings(t *testing.T) {
	text := "tag </s> <unk> ||| ok <pad> <s>"
	v := mustVocabulary(t, VocabularyOptions{}, text)
	ids := v.Encode(strings.Fields(text))
	seen := map[int32]bool{PAD: true, BOS: true, EOS: true, UNK: true}
	for i, id := range ids {
		if seen[id] {
			t.Errorf("word %d has id %d, taken", i, id)
		}
		seen[id] = true
	}
	if got := strings.Join(v.Decode(append(ids, EOS)), " "); got != text {
		t.Errorf("decoded %q", got)
	}
	plain := mustVocabulary(t, VocabularyOptions{}, "a b")
	for _, w := range []string{"</s>", "<s>", "<pad>", "<unk>"} {
		if id := plain.ID(w); id != UNK {
			t.Errorf("unseen %s has id %d, want UNK", w, id)
		}
	}
}

func TestVocabularyWriteRead(t *testing.T) {
	odd := []string{"l'", "«\u00a0", "a b", "tab\there", "line\nbreak", "quote\"", `back\slash`, "мир", "bad\xffbyte", "</s>", ""}
	v, err := NewVocabulary(slices.Values([][]string{odd, {"l'", "l'"}}), VocabularyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := v.Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := ReadVocabulary(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("read %+v, wrote %+v", got, v)
	}
	if got.Fingerprint() != v.Fingerprint() || len(v.Fingerprint()) != 64 {
		t.Errorf("fingerprints %s and %s", got.Fingerprint(), v.Fingerprint())
	}
	if other := mustVocabulary(t, VocabularyOptions{}, "a b"); other.Fingerprint() == v.Fingerprint() {
		t.Error("two vocabularies with one fingerprint")
	}
	if err := v.Write(failingWriter{}); !errors.Is(err, errFull) {
		t.Errorf("write error %v was not passed on", err)
	}
}

var errFull = errors.New("disk full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestReadVocabularyDamaged(t *testing.T) {
	var file bytes.Buffer
	if err := mustVocabulary(t, VocabularyOptions{}, "a a b").Write(&file); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	for _, c := range []struct {
		name, text, line string
	}{
		{"empty", "", "line 1:"},
		{"another file", "hello\n", "line 1:"},
		{"another version", strings.Replace(good, "vocabulary 1", "vocabulary 2", 1), "line 1:"},
		{"no size", strings.Replace(good, "words 2", "words x", 1), "line 2:"},
		{"size too large", strings.Replace(good, "words 2", "words 2000000000", 1), "line 5:"},
		{"count of zero", strings.Replace(good, "2\t", "0\t", 1), "line 3:"},
		{"no count", strings.Replace(good, "2\t", "two\t", 1), "line 3:"},
		{"unquoted", strings.Replace(good, `"b"`, `b`, 1), "line 4:"},
		{"twice", strings.Replace(good, `"b"`, `"a"`, 1), "line 4:"},
		{"changed", strings.Replace(good, `"b"`, `"c"`, 1), "line 5:"},
		{"more behind", good + "x", "line 6:"},
	} {
		if _, err := ReadVocabulary(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.line) {
			t.Errorf("%s: error %v, want one that names %s", c.name, err, c.line)
		}
	}
	for end := range len(good) {
		if _, err := ReadVocabulary(strings.NewReader(good[:end])); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", end, len(good))
		}
	}
}

func FuzzReadVocabulary(f *testing.F) {
	var file bytes.Buffer
	if err := mustVocabulary(f, VocabularyOptions{}, "a a b").Write(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte("seq2attn vocabulary 1\nwords 1\n1\t\"\\xff\"\nsha256 \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ReadVocabulary(bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := v.Write(&again); err != nil || !bytes.Equal(again.Bytes(), text) {
			t.Errorf("read %q and wrote %q, %v", text, again.Bytes(), err)
		}
	})
}
