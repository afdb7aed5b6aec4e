package plotting_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/plotting"
)

func TestHeatmapErrors(t *testing.T) {
	two := []string{"a", "b"}
	valid := [][]float64{{0.5, 0.5}, {1, 0}}
	many := strings.Fields(strings.Repeat("w ", 101))
	for _, c := range []struct {
		heatmap plotting.Heatmap
		want    string
	}{
		{plotting.Heatmap{Source: two, Target: two, Weights: valid}, ""},
		{plotting.Heatmap{Target: two, Weights: valid}, "Source is empty"},
		{plotting.Heatmap{Source: two, Weights: valid}, "Target is empty"},
		{plotting.Heatmap{Source: two, Target: two}, "Weights is empty"},
		{plotting.Heatmap{Source: two, Target: two, Weights: valid[:1]}, "1 rows for 2 words in Target"},
		{plotting.Heatmap{Source: two[:1], Target: two[:1], Weights: [][]float64{{1, 0, 0}}}, "3 columns for 1 words in Source"},
		{plotting.Heatmap{Source: two, Target: two, Weights: [][]float64{{}, {}}}, "0 columns for 2 words"},
		{plotting.Heatmap{Source: two, Target: two, Weights: [][]float64{{0.2, 0.3, 0.5}, {1, 0}}}, "row 1 of Weights has 2 columns, row 0 has 3"},
		{plotting.Heatmap{Source: two, Target: two, Weights: [][]float64{{0.5, 0.5}, {1, math.Inf(-1)}}}, "row 1 of Weights has -Inf in column 1"},
		{plotting.Heatmap{Source: two, Target: two, Weights: [][]float64{{0.5, math.NaN()}, {1, 0}}}, "row 0 of Weights has NaN in column 1"},
		{plotting.Heatmap{Source: two, Target: two, Weights: [][]float64{{0.5, 1.2}, {1, 0}}}, "row 0 of Weights has 1.2"},
		{plotting.Heatmap{Source: two, Target: two, Weights: [][]float64{{1.00001, 0}, {1, 0}}}, ""},
		{plotting.Heatmap{Source: two, Target: two, Weights: valid, Gold: []corpus.Link{{Source: 1, Target: 2}}}, "Gold[0] links source word 1 to target word 2"},
		{plotting.Heatmap{Source: two, Target: two, Weights: valid, Gold: []corpus.Link{{Source: -1, Target: 0}}}, "Gold[0]"},
		{plotting.Heatmap{Source: many, Target: two, Weights: rows(2, 101, 0)}, "Source has 101 words"},
		{plotting.Heatmap{Source: two, Target: many, Weights: rows(101, 2, 0)}, "Target has 101 words"},
		{plotting.Heatmap{Source: []string{"", "\n"}, Target: []string{" ", "a\tb"}, Weights: valid}, ""},
	} {
		_, err := c.heatmap.Figure()
		wantError(t, err, c.want)
	}
}

// wantError checks that an error says what it must, or that there is none.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("unexpected: %v", err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%v, want an error with %q", err, want)
	}
}

// matrix finds the place of each label's row and column.
func matrix(t *testing.T, drawn plotting.Drawn, target, source []string) (y, x []float64) {
	t.Helper()
	middle := func(text string) plotting.Spot {
		i := slices.IndexFunc(drawn.Labels, func(l plotting.Label) bool { return l.Text == text })
		if i < 0 {
			t.Fatalf("no label %q", text)
		}
		c := drawn.Labels[i].Corners
		return plotting.Spot{X: (c[0].X + c[2].X) / 2, Y: (c[0].Y + c[2].Y) / 2}
	}
	for _, w := range target {
		y = append(y, middle(w).Y)
	}
	for _, w := range source {
		x = append(x, middle(w).X)
	}
	return y, x
}

// The first target word is on top, the first source word at the left, and a cell stands where its labels say: in every format.
func TestOrientation(t *testing.T) {
	source, target := []string{"s1", "s2", "s3", "s4"}, []string{"t1", "t2", "t3", "t4"}
	weights := rows(4, 4, 0)
	for i := range weights {
		weights[i][i] = 1
	}
	weights[0][3] = 0.5
	figure, err := plotting.Heatmap{Source: source, Target: target, Weights: weights}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	ys, xs := matrix(t, plotting.DrawnOf(figure), target, source)
	if !slices.IsSorted(ys) || !slices.IsSorted(xs) {
		t.Fatalf("rows at %.0f, columns at %.0f", ys, xs)
	}
	for _, extension := range []string{".png", ".svg", ".pdf"} {
		t.Run(extension, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "identity"+extension)
			if err := figure.Save(file); err != nil {
				t.Fatal(err)
			}
			img := look(t, file, 2)
			for i, y := range ys {
				for j, x := range xs {
					dark := luma(img.At(int(x*192/72), int(y*192/72)))
					if w := weights[i][j]; w == 1 && dark > 60 || w == 0 && dark != 255 || w == 0.5 && (dark < 60 || dark > 200) {
						t.Errorf("cell %d, %d of weight %g has brightness %d", i, j, w, dark)
					}
				}
			}
		})
	}
}

func look(t *testing.T, file string, scale float64) image.Image {
	t.Helper()
	if filepath.Ext(file) == ".png" {
		return decode(t, read(t, file))
	}
	return rasterise(t, file, scale)
}

func luma(c color.Color) int { return int(color.GrayModel.Convert(c).(color.Gray).Y) }

// A constant matrix has cells of its full colour.
func TestConstant(t *testing.T) {
	figure, err := plotting.Heatmap{Source: []string{"patate"}, Target: []string{"t1", "t2", "t3"}, Weights: rows(3, 1, 1)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "constant.png")
	if err := figure.Save(file); err != nil {
		t.Fatal(err)
	}
	img := look(t, file, 2)
	ys, xs := matrix(t, plotting.DrawnOf(figure), []string{"t1", "t2", "t3"}, []string{"patate"})
	for _, y := range ys {
		if dark := luma(img.At(int(xs[0]*192/72), int(y*192/72))); dark > 60 {
			t.Errorf("brightness %d", dark)
		}
	}
}

// No light falls through between cells, at any zoom: neither between those of one shade nor of two that are next to each other.
func TestHairlines(t *testing.T) {
	if testing.Short() {
		t.Skip("renders pages at five zooms")
	}
	names := make([]string, 40)
	for i := range names {
		names[i] = fmt.Sprint("w", i)
	}
	chequered := rows(40, 40, 0.8)
	for i := range chequered {
		for j := range chequered[i] {
			chequered[i][j] += 0.02 * float64((i+j)%2)
		}
	}
	for name, weights := range map[string][][]float64{"constant": rows(40, 40, 0.8), "chequered": chequered} {
		figure, err := plotting.Heatmap{Source: names, Target: names, Weights: weights}.Figure()
		if err != nil {
			t.Fatal(err)
		}
		drawn := plotting.DrawnOf(figure)
		top, bottom := row(drawn, "w0"), row(drawn, "w39")
		left, right := column(drawn, "w0"), column(drawn, "w39")
		for in, draws := range map[string]func(*testing.T, string, float64) image.Image{"rsvg.svg": rasterise, "poppler.pdf": rasterise, "chromium.svg": browse} {
			t.Run(name+"/"+in, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), in)
				if err := figure.Save(file); err != nil {
					t.Fatal(err)
				}
				for _, zoom := range []float64{1, 1.37, 2, 3, 4} {
					img := draws(t, file, zoom)
					dots := func(v float64) int { return int(v * zoom * 96 / 72) }
					lightest, darkest := 0, 255
					for y := dots(top); y < dots(bottom); y++ {
						for x := dots(left); x < dots(right); x++ {
							v := luma(img.At(x, y))
							lightest, darkest = max(lightest, v), min(darkest, v)
						}
					}
					// 0.80 and 0.82 are five steps of brightness apart.
					if limit := map[string]int{"constant": 1, "chequered": 8}[name]; lightest-darkest > limit {
						t.Errorf("at %g%%: brightness from %d to %d", 100*zoom, darkest, lightest)
					}
				}
			})
		}
	}
}

// browse draws an SVG as a browser does.
func browse(t *testing.T, file string, zoom float64) image.Image {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine: the file is not looked at in it")
	}
	out := strings.TrimSuffix(file, ".svg") + fmt.Sprint(zoom, ".png")
	command := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1000,1000", fmt.Sprint("--force-device-scale-factor=", zoom),
		"--screenshot="+out, "file://"+file)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return decode(t, read(t, out))
}

// row is the middle of a row by its level label.
func row(drawn plotting.Drawn, text string) float64 {
	for _, l := range drawn.Labels {
		if l.Text == text && l.Angle == 0 {
			return (l.Corners[0].Y + l.Corners[2].Y) / 2
		}
	}
	return math.NaN()
}

// column is the middle of a column by its upright label.
func column(drawn plotting.Drawn, text string) float64 {
	for _, l := range drawn.Labels {
		if l.Text == text && l.Angle != 0 {
			return (l.Corners[0].X + l.Corners[2].X) / 2
		}
	}
	return math.NaN()
}

// The end of a sentence is shown where the weights have it, and said to be left out where it is hidden.
func TestEndOfSentence(t *testing.T) {
	h := plotting.Heatmap{Source: []string{"a"}, Target: []string{"b"}, Weights: [][]float64{{0.6, 0.4}, {0.1, 0.9}}}
	figure, err := h.Figure()
	if err != nil {
		t.Fatal(err)
	}
	ends := func(f *plotting.Figure) (n int, said bool) {
		for _, l := range plotting.DrawnOf(f).Labels {
			if l.Text == plotting.EndOfSentence {
				n++
			}
			said = said || strings.Contains(l.Text, "left out")
		}
		return n, said
	}
	if n, said := ends(figure); n != 2 || said {
		t.Errorf("%d labels of the end of the sentence, said to be left out: %v", n, said)
	}
	h.HideEnd = true
	if figure, err = h.Figure(); err != nil {
		t.Fatal(err)
	}
	if n, said := ends(figure); n != 0 || !said {
		t.Errorf("hidden: %d labels of the end of the sentence, said to be left out: %v", n, said)
	}
	// Where there is none, there is nothing to hide.
	h.Weights = [][]float64{{1}}
	if figure, err = h.Figure(); err != nil {
		t.Fatal(err)
	}
	if n, said := ends(figure); n != 0 || said {
		t.Errorf("without: %d labels, said to be left out: %v", n, said)
	}
}

// Letters that no font has are named.
func TestMissingLetters(t *testing.T) {
	figure, err := plotting.Heatmap{Source: []string{"船"}, Target: []string{"мир"}, Weights: [][]float64{{1}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	w := figure.Warnings()
	if len(w) != 1 || !strings.Contains(w[0], "'船' (U+8239)") || !strings.Contains(w[0], plotting.FontsVariable) {
		t.Errorf("%q", w)
	}
	// In every text of a figure, and in one of several panels.
	line := []plotting.Line{{Name: "名", Values: plotting.Once([]float64{1, 2})}}
	if figure, err = (plotting.Curves{Title: "題", Caption: "注", At: []float64{1, 2}, X: plotting.Axis{Label: "横"}, Y: plotting.Axis{Label: "縦"}, Lines: line,
		Marks: []plotting.Mark{{At: 1.5, Label: "印"}}}).Figure(); err != nil {
		t.Fatal(err)
	}
	if figure, err = (plotting.Panels{Panels: []*plotting.Figure{figure}}).Figure(); err != nil {
		t.Fatal(err)
	}
	for _, char := range "題注横縦名印" {
		if w := strings.Join(figure.Warnings(), " "); !strings.Contains(w, fmt.Sprintf("%q", char)) {
			t.Errorf("no %q in %q", char, w)
		}
	}
}

// A target word that attends to nothing is not said to attend to the first word.
func TestNoAttention(t *testing.T) {
	figure, err := plotting.Heatmap{Source: []string{"s1", "s2"}, Target: []string{"t1", "t2"}, Weights: [][]float64{{0, 0}, {0.2, 0.8}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if alt := figure.Alt(); !strings.Contains(alt, "t1 – none, t2 – s2 0.80.") {
		t.Error(alt)
	}
}

// Links without weights are told as links.
func TestLinksAlone(t *testing.T) {
	figure, err := plotting.Heatmap{Title: "Gold", Source: []string{"the", "house"}, Target: []string{"la", "maison"}, Weights: [][]float64{{0, 0}, {0, 0}},
		Gold: []corpus.Link{{Source: 0, Target: 0, Possible: true}, {Source: 1, Target: 1}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	want := "Gold. Links between 2 target words down and 2 source words across: la – the (possible), maison – house."
	if got := figure.Alt(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a weight is, is said on the scale and in the words.
func TestWeightName(t *testing.T) {
	h := plotting.Heatmap{Source: []string{"s1"}, Target: []string{"t1"}, Weights: [][]float64{{0.5}}}
	for name, want := range map[string]string{"": "Heatmap of attention weights from 0 to 1", "posterior probability": "Heatmap of posterior probability from 0 to 1"} {
		h.WeightName = name
		figure, err := h.Figure()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(figure.Alt(), want) {
			t.Errorf("%q, want %q", figure.Alt(), want)
		}
	}
}
