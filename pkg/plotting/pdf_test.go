package plotting_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"seq2attn/pkg/plotting"
)

// Letters of every script can be searched and copied, whether or not a font has them, and along every side of a matrix.
// savePDF saves a figure and reads its text back.
func savePDF(t *testing.T, figure *plotting.Figure) (file, text string) {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext on this machine (Debian: poppler-utils)")
	}
	file = filepath.Join(t.TempDir(), "text.pdf")
	if err := figure.Save(file); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", "-raw", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return file, string(out)
}

func TestPDFText(t *testing.T) {
	tilted := []string{"café", "Šaš", "船", "европейская", "ψυχή", "naïve"}
	level := []string{"Привет", "ё", "l'œuvre", "„Straße“", "cafe\u0301", "▁the", "a<b&c"}
	figure, err := plotting.Heatmap{Title: "Zażółć gęślą jaźń", Caption: "Fußnote.", Source: tilted, Target: level, Weights: rows(7, 6, 0.1)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	file, text := savePDF(t, figure)
	lines := strings.Split(text, "\n")
	for _, want := range append(append([]string{"Zażółć gęślą jaźń", "Fußnote.", "attention weight", "0.5"}, tilted...), level...) {
		if want = norm.NFC.String(want); !contains(lines, want) {
			t.Errorf("no line %q in %q", want, lines)
		}
	}
	fonts, err := exec.Command("pdffonts", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range strings.Split(strings.TrimSpace(string(fonts)), "\n")[2:] {
		if !regexp.MustCompile(`Identity-H +yes`).MatchString(f) {
			t.Errorf("a font is not in the file: %s", f)
		}
	}
	info, err := exec.Command("pdfinfo", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Zażółć gęślą jaźń", "Each target word with the source word of most weight", "Pages:           1\n"} {
		if !strings.Contains(string(info), want) {
			t.Errorf("no %q in %s", want, info)
		}
	}
}

// Hebrew and Arabic come out of a PDF in the order of reading, within other text and around it.
func TestPDFRightToLeft(t *testing.T) {
	figure, err := plotting.Heatmap{Title: "a שלום b", Source: []string{"abc"}, Target: []string{"שלום", "السلام"}, Weights: rows(2, 1, 0.3)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	_, text := savePDF(t, figure)
	// It marks the direction with characters of no width.
	lines := strings.Split(regexp.MustCompile("[\u200e\u200f\u202a-\u202e]").ReplaceAllString(text, ""), "\n")
	for _, want := range []string{"a שלום b", "שלום", "السلام"} {
		if !contains(lines, want) {
			t.Errorf("no line %q in %q", want, lines)
		}
	}
}

func contains(lines []string, want string) bool {
	for _, l := range lines {
		if strings.TrimSpace(l) == want {
			return true
		}
	}
	return false
}
