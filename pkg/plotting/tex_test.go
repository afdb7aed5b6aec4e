package plotting

import (
	"regexp"
	"strings"
	"testing"
)

func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"":              "",
		"café":          `caf\'{e}`,
		"cafe\u0301":    `caf\'{e}`,
		"Šaš":           `\v{S}a\v{s}`,
		"100 % of $x_1": `100 \% of \$x\_1`,
		`\input{a}`:     `\textbackslash{}input\{a\}`,
		"a<b>c|d~e^f#&": `a\textless{}b\textgreater{}c\textbar{}d\textasciitilde{}e\textasciicircum{}f\#\&`,
		"1–10":          `1--10`,
		"--":            `-{}-{}`,
		"−5":            `--5`,
		"l'œuvre":       `l'\oe{}uvre`,
		"ïı":            `\"{i}\i{}`,
	} {
		if got, ok := escaped(text); got != want || !ok {
			t.Errorf("%q is %q, not %q (%v)", text, got, want, ok)
		}
	}
	for _, text := range []string{"мир", "船", "שלום", `"`, "a\u0301\u0302", "\u0301", "a\tb", "ệ", "„a“"} {
		if got, ok := escaped(text); ok {
			t.Errorf("%q is %q, which not every LaTeX has", text, got)
		}
	}
}

// Whatever is in a figure, its file is ASCII but for the comment, has as many opening braces as closing ones, and no command but those meant.
func TestTeXSyntax(t *testing.T) {
	f, err := Heatmap{Title: `\input{secret} % $`, Caption: "a\nb", Source: []string{"a{b", "船", `\`}, Target: []string{"é\x00\xff", "%"},
		Weights: [][]float64{{0.1, 0.9, 0}, {0.8, 0.2, 0}}, Numbers: true}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]Option{nil, {In(Dark)}, {Transparent(), Size(8, 0)}} {
		data, err := encode(f, ".tex", options...)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		if !strings.HasPrefix(lines[0], "% ") || !strings.HasPrefix(lines[1], `% \input`) {
			t.Errorf("%.300s", data)
		}
		text := strings.Join(lines[2:], "\n")
		for _, r := range text {
			if r > 126 {
				t.Errorf("the letter %q", r)
			}
		}
		bare := regexp.MustCompile(`\\[{}%\\]`).ReplaceAllString(text, "")
		if open, closed := strings.Count(bare, "{"), strings.Count(bare, "}"); open != closed || open < 100 {
			t.Errorf("%d opening braces, %d closing", open, closed)
		}
		for _, command := range regexp.MustCompile(`\\[a-zA-Z]+`).FindAllString(bare, -1) {
			if !strings.HasPrefix(command, `\pgf`) && !strings.HasPrefix(command, `\plotting`) && !strings.HasPrefix(command, `\text`) && !strings.Contains(
				` \begingroup \endgroup \begin \end \providecommand \ifx \Umathchar \undefined \fontfamily \selectfont \else \sffamily \fi \def \fontsize \setbox \hbox \ifdim \wd \resizebox \height \hfil \unhbox \definecolor \bfseries \ldots \ensuremath \times \cdot `, " "+command+" ") {
				t.Errorf("the command %s", command)
			}
		}
		if strings.Contains(text, `\input`) {
			t.Error("a title has become a command")
		}
	}
}
