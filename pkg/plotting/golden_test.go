package plotting_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
)

// Golden images are the PNG files in testdata. Look at every one that changes before you keep it:
//
//	go test ./pkg/plotting -run Golden -update
var update = flag.Bool("update", false, "write the golden images that are missing or differ")

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	folder = dir
	os.Setenv(plotting.FontsVariable, "") // the machine's own fonts would change the images
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// kind is what makes a figure: the options of one kind.
type kind interface {
	Figure() (*plotting.Figure, error)
}

// figures are the examples and more of each kind, with their inputs at the limits.
func figures() map[string]kind {
	once := plotting.Once
	ladder := func(n int) (weights [][]float64) { // of a word and its right neighbour, from the last to the first
		for i := range n {
			row := make([]float64, n)
			row[n-1-i] += 0.5 + 0.5*float64(i)/float64(n)
			row[(n-i)%n] += 0.5 - 0.5*float64(i)/float64(n)
			weights = append(weights, row)
		}
		return weights
	}
	german := strings.Fields("die Donaudampfschifffahrt hat ihren Kapitän auf dem Rathausplatz nach dem Ende der Saison und trotz der Proteste vieler Matrosen wegen Unpünktlichkeit fristlos entlassen .")
	long := make([]string, 60)
	for i := range long {
		long[i] = german[i%len(german)]
	}
	near := func(shift float64) []float64 {
		return []float64{90 + shift, 71 - shift, 52 + shift, 44 + shift, 40 - shift}
	}
	return map[string]kind{
		"heatmap-identity": plotting.Heatmap{Title: "Identity", Source: []string{"s1", "s2", "s3", "s4"}, Target: []string{"t1", "t2", "t3", "t4"},
			Weights: [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}},
		"heatmap-1x1":      plotting.Heatmap{Source: []string{"go"}, Target: []string{"va"}, Weights: [][]float64{{0.5}}},
		"heatmap-constant": plotting.Heatmap{Title: "One word for three", Source: []string{"potato"}, Target: []string{"pomme", "de", "terre"}, Weights: [][]float64{{1}, {1}, {1}}},
		"heatmap-wide":     plotting.Heatmap{Title: "Summary", Source: german[:12], Target: []string{"entlassen"}, Weights: ladder(12)[3:4], Numbers: true},
		"heatmap-25":       plotting.Heatmap{Title: "Long words", Source: german, Target: german, Weights: ladder(len(german))},
		"heatmap-60": plotting.Heatmap{Title: "Sixty words", Source: long, Target: long, Weights: ladder(60),
			Gold: []corpus.Link{{Source: 59, Target: 0}, {Source: 30, Target: 30, Possible: true}}},
		"heatmap-end": plotting.Heatmap{Title: "Without the end of the sentence", Source: []string{"red", "boats"}, Target: []string{"bateaux", "rouges"}, HideEnd: true,
			Weights: [][]float64{{0.1, 0.7, 0.2}, {0.8, 0.15, 0.05}, {0, 0, 1}}, Caption: "Two of three rows and columns."},
		"heatmap-scripts": plotting.Heatmap{Title: "Café, Šaš, мир, ψυχή, שלום, سلام", SourceName: "πηγή", TargetName: "цель",
			Source: []string{"café", "Šaš", "cafe\u0301", "ﬁn", "▁the", "ψυχή", "naïve"}, Target: []string{"мир", "Привет", "שלום", "سلام", "ё", "l'œuvre", "„Straße“"},
			Weights: ladder(7)},
		"curves-near": plotting.Curves{Title: "Three models that differ little", Bins: bins("1-10,11-20,21-30,31-40,41-50"), N: []int{20, 20, 20, 20, 20},
			X: plotting.Axis{Label: "source length (words)"}, Y: plotting.BLEU(), Lines: []plotting.Line{
				{Name: "bidirectional GRU with additive attention, 256 units", Values: once(near(0))},
				{Name: "bidirectional GRU with additive attention, 512 units", Values: once(near(0.8))},
				{Name: "bidirectional GRU with additive attention, 1,024 units, dropout 0.2", Values: once(near(1.5))}}},
		"curves-seven": plotting.Curves{Title: "As many curves as can be told apart", At: []float64{1, 2, 3, 4}, X: plotting.Axis{Label: "beam width"},
			Y: plotting.Axis{Label: "BLEU"}, Lines: []plotting.Line{
				{Name: "one", Values: once([]float64{31, 32, 33, 33})}, {Name: "two", Values: once([]float64{29, 30.5, 31, 30.5})},
				{Name: "three", Values: once([]float64{27, 28, 28.4, 28.9})}, {Name: "four", Values: once([]float64{25, 26, 27, 27.5})},
				{Name: "five", Values: once([]float64{24, 24.5, 25, 26})}, {Name: "six", Values: once([]float64{22, 23, 23.6, 23.5})},
				{Name: "seven", Values: once([]float64{20, 21, 22, 21.5})}}},
		"curves-ends": plotting.Curves{Title: "Sentences of 3 and of 45 words only", Caption: "Two sentences.", Bins: bins("1-10,11-20,21-30,31-40,41-50,51-60,61-70,71-100"),
			N: []int{1, 0, 0, 0, 1, 0, 0, 0}, X: plotting.Axis{Label: "source length (words)"}, Y: plotting.BLEU(), Lines: []plotting.Line{
				{Name: "Bahdanau", Values: []metrics.Spread{{N: 3, Mean: 71, Min: 50, Max: 100}, {}, {}, {}, {N: 3, Mean: 20, Min: 10, Max: 40}, {}, {}, {}}}}},
		"curves-ulp": plotting.Curves{Title: "One ulp apart", At: []float64{1, 2}, X: plotting.Axis{Label: "seed"}, Y: plotting.Axis{Label: "accuracy (%)"},
			Lines: []plotting.Line{{Name: "copy", Values: once([]float64{99.99999999999996, 100})}}},
		"loss-log":   plotting.Loss{Title: "Loss, logarithmic", Y: plotting.Axis{Log: true}, Runs: []plotting.LossRun{{Name: "digits", Train: fall(4000)}}},
		"loss-begin": plotting.Loss{Title: "Before the first update", Updates: 1500, Runs: []plotting.LossRun{{Name: "Bahdanau"}}},
		"matrix-signs": plotting.Matrix{Title: "Gain over the bottleneck", Rows: []string{"source reversed", "Bahdanau", "general score"}, Columns: []string{"1–10", "11–20", "21–30", "31–40"},
			RowsName: "model", ColumnsName: "source length (words)", Scale: plotting.Axis{Label: "difference in BLEU"},
			Values:    [][]float64{{-1.5, 4.2, 3, 2}, {3, 21, 48.4, math.NaN()}, {2.5, 19, 44, 60.3}},
			Highlight: []plotting.Cell{{Row: 2, Column: 3}}, HighlightName: "largest gain"},
		"diagram": plotting.Diagram{Title: "A loop", Caption: "The state goes round.",
			Boxes: []plotting.Box{{Name: "x", Label: "x_1 … x_{T−1}", At: plotting.Place{X: 1}},
				{Name: "cell", Label: "cell", Note: "s_i = f(x_i, s_{i−1})\nH = 128", At: plotting.Place{X: 1, Y: 1}, Kind: plotting.Focus},
				{Name: "s", Label: "s_0", At: plotting.Place{Y: 1}, Kind: plotting.State}, {Name: "y", Label: "every y_i", At: plotting.Place{X: 1, Y: 2}, Columns: 2, Kind: plotting.Value}},
			Arrows: []plotting.Arrow{{From: "x", To: "cell"}, {From: "s", To: "cell", Label: "start"}, {From: "cell", To: "y"}, {From: "s", To: "y"},
				{From: "cell", To: "cell", Via: []plotting.Place{{X: 2.2, Y: 1}, {X: 2.2, Y: 1.5}, {X: 1.3, Y: 1.5}}, Dashed: true}}},
		"matrix-1x1": plotting.Matrix{Rows: []string{"a"}, Columns: []string{"b"}, Values: [][]float64{{0}}},
		"heatmap-rings": plotting.Heatmap{Title: "Two rings", Source: []string{"s1", "s2", "s3"}, Target: []string{"t1", "t2", "t3"}, Weights: ladder(3), Numbers: true,
			Gold: []corpus.Link{{Source: 2, Target: 0}}, Highlight: []plotting.Cell{{Row: 0, Column: 2}, {Row: 1, Column: 0}}},
		"heatmap-links": plotting.Heatmap{Title: "Links alone", Source: []string{"he", "did", "not", "go"}, Target: []string{"il", "n'", "est", "pas", "allé"}, Weights: [][]float64{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
			Gold: []corpus.Link{{Source: 0, Target: 0}, {Source: 2, Target: 1, Possible: true}, {Source: 1, Target: 2}, {Source: 2, Target: 3}, {Source: 3, Target: 4}}},
		"bars-signs": plotting.Bars{Title: "Gain over the bottleneck", Groups: []string{"1–10 words", "11–20 words"}, Y: plotting.Axis{Label: "difference in BLEU"}, Series: []plotting.Series{
			{Name: "source reversed", Values: []metrics.Spread{{N: 2, Mean: -1.5, Min: -3, Max: 0}, {N: 2, Mean: 4, Min: 3, Max: 5}}},
			{Name: "attention", Values: []metrics.Spread{{N: 2, Mean: 3, Min: 1, Max: 5}, {N: 2, Mean: 21, Min: 20, Max: 22}}}}},
	}
}

// themed are the figures that are kept in other themes and on other pages too.
func themed() map[string][]plotting.Option {
	pages := map[string][]plotting.Option{}
	for _, name := range []string{"heatmap-rings", "matrix-signs", "curves-near", "bars-signs", "loss-log", "diagram"} {
		pages[name+"@slide"] = []plotting.Option{plotting.In(plotting.Slide), plotting.DPI(96)}
		pages[name+"@dark"] = []plotting.Option{plotting.In(plotting.Dark)}
	}
	pages["bars-signs@darkslide"] = []plotting.Option{plotting.In(plotting.DarkSlide), plotting.DPI(96)}
	pages["curves-near@column"] = []plotting.Option{plotting.Size(8, 6)}
	pages["heatmap-60@column"] = []plotting.Option{plotting.Size(8, 0)}
	return pages
}

func bins(s string) []metrics.Bin {
	b, err := metrics.ParseBins(s)
	if err != nil {
		panic(err)
	}
	return b
}

func fall(n int) []plotting.Point {
	points := make([]plotting.Point, n)
	for i := range points {
		u := float64(i + 1)
		points[i] = plotting.Point{Update: i + 1, Loss: 0.02 + 2.3*math.Exp(-u/700)*(1+0.2*math.Sin(u*u))}
	}
	return points
}

func TestGolden(t *testing.T) {
	quietly(t, func() {
		for _, example := range []func(){ExampleCurves, ExampleCurves_shipped, ExampleCurves_numbers, ExampleLoss, ExampleHeatmap, ExamplePanels, ExampleBars,
			ExampleMatrix, ExampleCurves_convergence, ExampleDiagram} {
			example()
		}
	})
	names := []string{"curves", "survival", "capacity", "loss", "heatmap", "panels", "bars", "matrix", "convergence", "step"}
	for name, k := range figures() {
		figure, err := k.Figure()
		for _, extension := range []string{".png", ".svg", ".pdf", ".tex"} {
			if err == nil {
				err = figure.Save(filepath.Join(folder, name+extension))
			}
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if w := figure.Warnings(); len(w) > 0 {
			t.Errorf("%s: %q", name, w)
		}
		names = append(names, name)
	}
	for name, options := range themed() {
		of, _, _ := strings.Cut(name, "@")
		figure, err := figures()[of].Figure()
		for _, extension := range []string{".png", ".svg", ".pdf", ".tex"} {
			if err == nil {
				err = figure.Save(filepath.Join(folder, name+extension), options...)
			}
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		names = append(names, name)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(folder, name)
			golden := filepath.Join("testdata", name+".png")
			got := read(t, file+".png")
			// Another processor may round a colour otherwise; an edge by a tenth of a dot is already more.
			const share = 0.0005
			want, err := os.ReadFile(golden)
			if *update && (err != nil || difference(decode(t, want), decode(t, got), 16) > share) {
				want, err = got, os.WriteFile(golden, got, 0o644)
			}
			if err != nil {
				t.Fatalf("%v: run with -update and look at it", err)
			}
			picture := decode(t, want)
			if d := difference(picture, decode(t, got), 16); d > share {
				keep := filepath.Join("testdata", "failed-"+name+".png")
				os.WriteFile(keep, got, 0o644)
				t.Errorf("%.2f%% of the dots differ from %s; see %s", 100*d, golden, keep)
			}
			if len(got) > 200_000 {
				t.Errorf("the PNG has %d bytes, more than 200 kB", len(got))
			}
			for extension, limit := range map[string]int64{".svg": 500_000, ".pdf": 500_000, ".tex": 500_000} {
				if info, err := os.Stat(file + extension); err != nil || info.Size() > limit {
					t.Errorf("%s: %d bytes, more than %d: %v", extension, info.Size(), limit, err)
				}
			}
			for _, format := range []string{"svg", "pdf", "tex"} {
				t.Run(format, func(t *testing.T) {
					if testing.Short() {
						t.Skip("draws every file again")
					}
					scale, limit := 2.0, 0.006
					if strings.HasSuffix(name, "slide") {
						scale = 1
					}
					if strings.Contains(name, "@") && !strings.HasSuffix(name, "@dark") {
						limit *= 2 // a smaller page has more edges to a dot
					}
					// Every renderer has its own way with the dots that an edge goes through.
					if format == "tex" {
						limit *= 4 // the letters are those of another font
					}
					if d := difference(picture, rasterise(t, file+"."+format, scale), 96); d > limit {
						t.Errorf("%.2f%% of the dots differ from the PNG", 100*d)
					}
				})
			}
		})
	}
}

// quietly runs what prints.
func quietly(t *testing.T, f func()) {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	stdout := os.Stdout
	os.Stdout = null
	defer func() { os.Stdout = stdout }()
	f()
}

// rasterise draws an SVG or PDF file with scale dots to a pixel of a screen, by what the machine has for it.
func rasterise(t *testing.T, file string, scale float64) image.Image {
	t.Helper()
	out := strings.TrimSuffix(file, filepath.Ext(file)) + fmt.Sprintf("-%s-%g", filepath.Ext(file)[1:], scale)
	if filepath.Ext(file) == ".tex" {
		file = typeset(t, file)
	}
	var command *exec.Cmd
	if filepath.Ext(file) == ".svg" {
		command = exec.Command("rsvg-convert", "-d", "96", "-p", "96", "-z", fmt.Sprint(scale), "-o", out+".png", file)
	} else {
		command = exec.Command("pdftoppm", "-r", fmt.Sprint(96*scale), "-png", "-singlefile", file, out)
	}
	if _, err := exec.LookPath(command.Path); err != nil {
		t.Skipf("no %s on this machine (Debian: librsvg2-bin, poppler-utils): the file is not looked at", command.Path)
	}
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, said)
	}
	return decode(t, read(t, out+".png"))
}

// typeset is the PDF that LaTeX makes of a page with nothing but the picture.
func typeset(t *testing.T, file string) string {
	t.Helper()
	if _, err := exec.LookPath("pdflatex"); err != nil {
		t.Skip("no pdflatex on this machine (Debian: texlive-pictures, texlive-fonts-recommended): the file is not typeset")
	}
	dir := t.TempDir()
	document := `\documentclass{article}\usepackage{tikz}\setlength\parindent{0pt}\begin{document}\pagestyle{empty}\setbox0\hbox{\input{` + filepath.Base(file) + `}}
\pdfpagewidth\wd0 \pdfpageheight\ht0 \pdfhorigin0pt \pdfvorigin0pt \shipout\box0 \end{document}`
	if err := os.WriteFile(filepath.Join(dir, "page.tex"), []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex")
	command.Dir, command.Env = dir, append(os.Environ(), "TEXINPUTS="+filepath.Dir(file)+":")
	said, err := command.CombinedOutput()
	if err != nil || strings.Contains(string(said), "undefined") {
		t.Fatalf("%v\n%s", err, said)
	}
	return filepath.Join(dir, "page.pdf")
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(plain, plain.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(plain, plain.Bounds(), img, img.Bounds().Min, draw.Over)
	return plain
}

// difference is the share of dots that differ in a channel by more than the tolerance, or 1 for another size.
func difference(a, b image.Image, tolerance int) float64 {
	size := a.Bounds().Size()
	if d := size.Sub(b.Bounds().Size()); d.X*d.X > 1 || d.Y*d.Y > 1 { // a renderer may round the page up
		return 1
	}
	differ := 0
	p, q := a.(*image.RGBA), b.(*image.RGBA)
	area := p.Bounds().Intersect(q.Bounds())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i, j := p.PixOffset(x, y), q.PixOffset(x, y)
			for k := range 4 {
				if d := int(p.Pix[i+k]) - int(q.Pix[j+k]); d > tolerance || d < -tolerance {
					differ++
					break
				}
			}
		}
	}
	return float64(differ) / float64(size.X*size.Y)
}
