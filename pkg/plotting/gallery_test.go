package plotting_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// kinds are the sections of docs/figures.md: of each kind of figure its text, its Example and its picture.
var kinds = []struct{ title, text, example, picture string }{
	{"Alignment heatmap", "`Heatmap`: the attention of a translation, the first target word on top. Gold links as frames, highlighted cells as rings, the end of the sentence shown or hidden, weights in numbers.", "ExampleHeatmap", "heatmap"},
	{"Panels", "`Panels`: any figures in one, with one colour scale; curves side by side are small multiples.", "ExamplePanels", "panels"},
	{"Alignment explorer", "`Explorer`: one piece of HTML without scripts, to be explored with mouse, finger or keyboard. Where a page drops styles (JupyterLab in a notebook that is not trusted, GitHub) its heatmaps stand in, with each target word's source words under them, and on paper the heatmaps alone.", "ExampleExplorer", "explorer"},
	{"Curves over length", "`Curves`: a measure in length bins, with the number of sentences in each and a band over seeds.", "ExampleCurves", "curves"},
	{"Curves over shipped results", "`Line.Shipped`: a run of one's own before the pale results of the course.", "ExampleCurves_shipped", "survival"},
	{"Curves over numbers", "`Curves.At`: against anything that is a number, logarithmic or not, with marks.", "ExampleCurves_numbers", "capacity"},
	{"Convergence", "`Curves.At` with updates: how fast models learn.", "ExampleCurves_convergence", "convergence"},
	{"Loss", "`Loss`: trainings, finished or not, as they are drawn while they run.", "ExampleLoss", "loss"},
	{"Bars", "`Bars`: models side by side, with whiskers over seeds.", "ExampleBars", "bars"},
	{"Matrix of scores", "`Matrix`: a score for every pair; a scale of both signs has a hue for each.", "ExampleMatrix", "matrix"},
	{"Diagram", "`Diagram`: boxes and arrows.", "ExampleDiagram", "step"},
}

// The page of all kinds of figures is true: its pictures are the golden images.
func TestGallery(t *testing.T) {
	source := string(read(t, "example_test.go")) + string(read(t, "explorer_test.go"))
	var b strings.Builder
	b.WriteString(`# Every kind of figure

Made by ` + "`go test ./pkg/plotting -run Gallery -update`" + ` from the Examples beside the code; the pictures are the ones that tests compare.
Numbers in them are made up.

A figure is made by its struct's method ` + "`Figure`" + `, shown in the notebook by ` + "`Show`" + ` and saved by ` + "`Save`" + `, which takes a name that ends in ` + "`.png`, `.svg`, `.pdf`" + `
or ` + "`.tex`" + ` (PGF, for ` + "`\\input`" + ` in LaTeX). Both take the same options:

| option | what it changes | without it |
|---|---|---|
| ` + "`In(theme)`" + ` | ` + "`Paper`, `Slide`, `Dark`, `DarkSlide`" + ` | ` + "`Paper`" + ` |
| ` + "`Size(8.5, 0)`" + ` | the page in centimetres; 0 follows from the other side | the figure's own size, 16:9 on slides |
| ` + "`Pixels(1920, 1080)`" + ` | the page of a PNG in pixels | |
| ` + "`DPI(600)`" + ` | dots an inch of a PNG | 192 |
| ` + "`Transparent()`" + ` | leaves the ground out | the theme's ground |

Text is drawn as outlines, in every script; letters that no font has are named in a warning. Name a font that has them in ` + "`SEQ2ATTN_FONTS`" + `.
`)
	picture := func(title, file string) {
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%v: run the test of golden images with -update", err)
		}
		fmt.Fprintf(&b, "\n![%s](../pkg/%s)\n", title, strings.TrimPrefix(filepath.ToSlash(file), "../"))
	}
	for _, k := range kinds {
		if !strings.Contains(source, "func "+k.example+"()") {
			t.Errorf("no %s", k.example)
		}
		file := "example_test.go"
		if k.picture == "explorer" {
			file = "explorer_test.go"
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s [%s](../pkg/plotting/%s)\n", k.title, k.text, k.example, file)
		picture(k.title, filepath.Join("..", "plotting", "testdata", k.picture+".png"))
	}
	b.WriteString("\n## Architectures\n\n`diagram.Of` draws a model's configuration. [ExampleOf](../pkg/diagram/diagram_test.go)\n")
	for _, name := range []string{"sutskever", "cho", "bahdanau", "luong", "vaswani"} {
		picture(name, filepath.Join("..", "diagram", "testdata", name+".png"))
	}
	b.WriteString("\n## Themes\n\nOne figure on a slide, and on dark grounds.\n")
	for _, name := range []string{"heatmap-rings@slide", "curves-near@slide", "matrix-signs@dark", "bars-signs@darkslide"} {
		picture(name, filepath.Join("..", "plotting", "testdata", name+".png"))
	}
	page := filepath.Join("..", "..", "docs", "figures.md")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, page)) != b.String() {
		t.Errorf("%s is not what the Examples say: run with -update", page)
	}
	// No kind is left out.
	for _, file := range []string{"heatmap", "panels", "explorer", "curves", "loss", "bars", "matrix", "diagram"} {
		for _, kind := range regexp.MustCompile(`(?m)^func \(o (\w+)\) (?:Figure|HTML)\(`).FindAllStringSubmatch(string(read(t, file+".go")), -1) {
			if !strings.Contains(b.String(), "`"+kind[1]) {
				t.Errorf("the page says nothing of %s", kind[1])
			}
		}
	}
}
