package plotting_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
	"seq2attn/pkg/plotting"
)

// folder is where the examples save their figures, in all formats; TestGolden looks at them there.
var folder = os.TempDir()

func save(name string, figure *plotting.Figure, err error) {
	for _, extension := range []string{".png", ".svg", ".pdf", ".tex"} {
		if err == nil {
			err = figure.Save(filepath.Join(folder, name+extension))
		}
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(figure.Alt())
}

// Three seeds of three models, with no sentence of 31 to 40 words.
func ExampleCurves() {
	gap := math.NaN()
	seeds := func(runs ...[]float64) []metrics.Spread {
		values, err := plotting.Seeds(runs)
		if err != nil {
			panic(err)
		}
		return values
	}
	bins, err := metrics.Bins(10, 50)
	if err != nil {
		panic(err)
	}
	figure, err := plotting.Curves{
		Title:   "BLEU against sentence length",
		Caption: "Made-up numbers.",
		Bins:    bins,
		N:       []int{1200, 980, 300, 0, 120},
		X:       plotting.Axis{Label: "source length (words)"},
		Y:       plotting.BLEU(),
		Lines: []plotting.Line{
			{Name: "Bahdanau", Values: seeds([]float64{97, 95, 88, gap, 71}, []float64{98, 94, 90, gap, 76}, []float64{96, 95, 85, gap, 67})},
			{Name: "LSTM, source reversed", Values: seeds([]float64{90, 71, 40, gap, 9}, []float64{92, 76, 47, gap, 14}, []float64{89, 68, 36, gap, 6})},
			{Name: "RNN", Values: seeds([]float64{61, 30, 11, gap, 3}, []float64{70, 41, 17, gap, 4}, []float64{57, 26, 9, gap, 2})},
		},
		Marks: []plotting.Mark{{At: 20.5, Label: "longest in training"}},
	}.Figure()
	save("curves", figure, err)
	// Output:
	// BLEU against sentence length. Curves of BLEU against source length (words). Bahdanau: 97 at 1–10, 94.7 at 11–20, 87.7 at 21–30, 71.3 at 41–50. LSTM, source reversed: 90.3 at 1–10, 71.7 at 11–20, 41 at 21–30, 9.67 at 41–50. RNN: 62.7 at 1–10, 32.3 at 11–20, 12.3 at 21–30, 3 at 41–50. A vertical line at 20.5: longest in training.
}

// One run of one's own before the shipped results.
func ExampleCurves_shipped() {
	figure, err := plotting.Curves{
		Title: "How often is the first word right?",
		Bins:  []metrics.Bin{{Low: 1, High: 10}, {Low: 11, High: 20}, {Low: 21, High: 30}, {Low: 31, High: 40}},
		N:     []int{200, 200, 200, 200},
		X:     plotting.Axis{Label: "source length (words)"},
		Y:     plotting.Share("share of sentences with the first word right"),
		Lines: []plotting.Line{
			{Name: "bottleneck", Values: plotting.Once([]float64{0.92, 0.7, 0.44, 0.31})},
			{Name: "Bahdanau", Values: plotting.Once([]float64{0.99, 0.98, 0.97, 0.95})},
			{Name: "bottleneck", Shipped: true, Values: []metrics.Spread{
				{N: 5, Mean: 0.95, Min: 0.93, Max: 0.97}, {N: 5, Mean: 0.78, Min: 0.72, Max: 0.84},
				{N: 5, Mean: 0.55, Min: 0.47, Max: 0.64}, {N: 5, Mean: 0.4, Min: 0.34, Max: 0.49}}},
		},
	}.Figure()
	save("survival", figure, err)
	// Output:
	// How often is the first word right? Curves of share of sentences with the first word right against source length (words). bottleneck: 0.92 at 1–10, 0.70 at 11–20, 0.44 at 21–30, 0.31 at 31–40. Bahdanau: 0.99 at 1–10, 0.98 at 11–20, 0.97 at 21–30, 0.95 at 31–40. bottleneck (shipped): 0.95 at 1–10, 0.78 at 11–20, 0.55 at 21–30, 0.40 at 31–40.
}

// Against anything that is a number, here on a logarithmic axis.
func ExampleCurves_numbers() {
	figure, err := plotting.Curves{
		Title: "What fits into one vector?",
		At:    []float64{16, 32, 64, 128, 256},
		X:     plotting.Axis{Label: "hidden units H", Log: true},
		Y:     plotting.BLEU(),
		Lines: []plotting.Line{
			{Name: "10 words", Values: plotting.Once([]float64{41, 63, 84, 93, 96})},
			{Name: "30 words", Values: plotting.Once([]float64{4, 9, 21, 43, 58})},
		},
		Marks: []plotting.Mark{{At: 64, Label: "default"}, {At: 72, Label: "half the vocabulary"}},
	}.Figure()
	save("capacity", figure, err)
	// Output:
	// What fits into one vector? Curves of BLEU against hidden units H. 10 words: 41 at 16, 63 at 32, 84 at 64, 93 at 128, 96 at 256. 30 words: 4 at 16, 9 at 32, 21 at 64, 43 at 128, 58 at 256. A vertical line at 64: default. A vertical line at 72: half the vocabulary.
}

// Two trainings, one of them not finished.
func ExampleLoss() {
	// train and dev stand for the points of a seq2seq.Report.
	train := func(floor, pace float64, last int) (points []plotting.Point) {
		for u := 10; u <= last; u += 10 {
			points = append(points, plotting.Point{Update: u, Loss: floor + 6*math.Exp(-float64(u)/pace) + 0.1*math.Sin(0.61*float64(u))})
		}
		return points
	}
	dev := func(floor, pace float64, last int) (points []plotting.Point) {
		for u := 100; u <= last; u += 100 {
			points = append(points, plotting.Point{Update: u, Loss: floor + 0.2 + 6*math.Exp(-float64(u)/pace)})
		}
		return points
	}
	figure, err := plotting.Loss{
		Title:   "Loss while training",
		Updates: 2000,
		Runs: []plotting.LossRun{
			{Name: "bottleneck", Train: train(1.2, 500, 2000), Dev: dev(1.2, 500, 2000)},
			{Name: "Bahdanau", Train: train(0.3, 300, 1400), Dev: dev(0.3, 300, 1400)},
		},
	}.Figure()
	save("loss", figure, err)
	// Output:
	// Loss while training. Curves of loss (nats a token) against updates. bottleneck, train: 7.06 at 10, 1.40 at 2,000, lowest 1.26 at 1,810. bottleneck, dev: 6.31 at 100, 1.51 at 2,000, lowest 1.51 at 2,000. Bahdanau, train: 6.09 at 10, 0.31 at 1,400, lowest 0.31 at 1,400. Bahdanau, dev: 4.80 at 100, 0.56 at 1,400, lowest 0.56 at 1,400.
}

// The adjectives change places with the noun. The frames are the gold alignment; the row and the column more than there are words are
// those of the end of the sentence.
func ExampleHeatmap() {
	figure, err := plotting.Heatmap{
		Title:  "Where does the decoder look?",
		Source: strings.Fields("the european economic area"),
		Target: strings.Fields("la zone économique européenne"),
		Weights: [][]float64{
			{0.81, 0.03, 0.04, 0.10, 0.02},
			{0.05, 0.06, 0.10, 0.76, 0.03},
			{0.02, 0.11, 0.79, 0.05, 0.03},
			{0.01, 0.88, 0.06, 0.03, 0.02},
			{0.00, 0.01, 0.02, 0.05, 0.92},
		},
		Gold: []corpus.Link{{Source: 0, Target: 0, Possible: true}, {Source: 3, Target: 1}, {Source: 2, Target: 2}, {Source: 1, Target: 3}},
	}.Figure()
	save("heatmap", figure, err)
	// Output:
	// Where does the decoder look? Heatmap of attention weights from 0 to 1: 5 target words down, 5 source words across. Each target word with the source word of most weight: la – the 0.81, zone – area 0.76, économique – economic 0.79, européenne – european 0.88, <EOS> – <EOS> 0.92.
}

// Two heatmaps with one scale, and the weights in their cells.
func ExamplePanels() {
	digits := strings.Fields("7 1 4 9")
	before, err := plotting.Heatmap{
		Title: "after 5 epochs", Source: digits, Target: strings.Fields("9 4 4 7"), Numbers: true, SourceName: "input", TargetName: "output",
		Weights: [][]float64{{0.2, 0.21, 0.25, 0.34}, {0.22, 0.24, 0.29, 0.25}, {0.24, 0.26, 0.26, 0.24}, {0.3, 0.26, 0.23, 0.21}},
	}.Figure()
	if err != nil {
		panic(err)
	}
	after, err := plotting.Heatmap{
		Title: "after 40 epochs", Source: digits, Target: strings.Fields("9 4 1 7"), Numbers: true, SourceName: "input", TargetName: "output",
		Weights: [][]float64{{0, 0.01, 0.04, 0.95}, {0.01, 0.05, 0.91, 0.03}, {0.02, 0.9, 0.07, 0.01}, {0.97, 0.02, 0.01, 0}},
	}.Figure()
	if err != nil {
		panic(err)
	}
	figure, err := plotting.Panels{Title: "Reversal is learned", Panels: []*plotting.Figure{before, after}}.Figure()
	save("panels", figure, err)
	// Output:
	// Reversal is learned. after 5 epochs. Heatmap of attention weights from 0 to 1: 4 target words down, 4 source words across. Each target word with the source word of most weight: 9 – 9 0.34, 4 – 4 0.29, 4 – 1 0.26, 7 – 7 0.30. after 40 epochs. Heatmap of attention weights from 0 to 1: 4 target words down, 4 source words across. Each target word with the source word of most weight: 9 – 9 0.95, 4 – 4 0.91, 1 – 1 0.90, 7 – 7 0.97.
}

// Bars with whiskers over seeds; one model was not measured on long sentences.
func ExampleBars() {
	figure, err := plotting.Bars{
		Title:  "Which cell remembers best?",
		Groups: []string{"short", "medium", "long"},
		N:      []int{500, 500, 140},
		X:      "test sentences",
		Y:      plotting.BLEU(),
		Series: []plotting.Series{
			{Name: "RNN", Values: []metrics.Spread{{N: 5, Mean: 58, Min: 49, Max: 66}, {N: 5, Mean: 27, Min: 20, Max: 33}, {}}},
			{Name: "GRU", Values: []metrics.Spread{{N: 5, Mean: 83, Min: 80, Max: 86}, {N: 5, Mean: 61, Min: 55, Max: 67}, {N: 5, Mean: 22, Min: 17, Max: 30}}},
			{Name: "LSTM", Values: []metrics.Spread{{N: 5, Mean: 86, Min: 84, Max: 88}, {N: 5, Mean: 66, Min: 63, Max: 70}, {N: 5, Mean: 25, Min: 19, Max: 28}}},
		},
	}.Figure()
	save("bars", figure, err)
	// Output:
	// Which cell remembers best? Bars of BLEU. RNN: short 58, medium 27. GRU: short 83, medium 61, long 22. LSTM: short 86, medium 66, long 25.
}

// What models gain in each length bin: one hue for more, one for less, and a ring around the largest.
func ExampleMatrix() {
	figure, err := plotting.Matrix{
		Title: "Gain over the bottleneck",
		Rows:  []string{"source reversed", "Bahdanau"}, RowsName: "model",
		Columns: []string{"1–10", "11–20", "21–30", "31–40"}, ColumnsName: "source length (words)",
		Values:    [][]float64{{-6, 4, 3, 2}, {3, 21, 48, math.NaN()}},
		Scale:     plotting.Axis{Label: "difference in BLEU", Min: -50, Max: 50},
		Highlight: []plotting.Cell{{Row: 1, Column: 2}}, HighlightName: "largest gain",
	}.Figure()
	save("matrix", figure, err)
	// Output:
	// Gain over the bottleneck. Matrix of difference in BLEU: 2 rows, 4 columns. source reversed: 1–10 −6.0, 11–20 4.0, 21–30 3.0, 31–40 2.0. Bahdanau: 1–10 3.0, 11–20 21.0, 21–30 48.0, 31–40 not measured.
}

// How fast models learn: a measure against updates, with the spread over seeds.
func ExampleCurves_convergence() {
	values, err := plotting.Seeds([][]float64{{2, 31, 70, 91, 94}, {1, 22, 66, 90, 95}, {2, 40, 75, 92, 94}})
	if err != nil {
		panic(err)
	}
	figure, err := plotting.Curves{
		Title: "When does attention learn to align?",
		At:    []float64{100, 200, 400, 800, 1600}, X: plotting.Axis{Label: "updates of the weights", Log: true}, Y: plotting.BLEU(),
		Lines: []plotting.Line{{Name: "Bahdanau", Values: values}, {Name: "bottleneck", Values: plotting.Once([]float64{1, 4, 12, 30, 48})}},
	}.Figure()
	save("convergence", figure, err)
	// Output:
	// When does attention learn to align? Curves of BLEU against updates of the weights. Bahdanau: 1.67 at 100, 31 at 200, 70.3 at 400, 91 at 800, 94.3 at 1,600. bottleneck: 1 at 100, 4 at 200, 12 at 400, 30 at 800, 48 at 1,600.
}

// Boxes and arrows. The package diagram makes such a drawing of a model's configuration.
func ExampleDiagram() {
	figure, err := plotting.Diagram{
		Title: "A recurrent step",
		Boxes: []plotting.Box{
			{Name: "before", Label: "h_{j−1}", Kind: plotting.State},
			{Name: "cell", Label: "cell", Note: "h_j = f(x_j, h_{j−1})", At: plotting.Place{X: 1}, Kind: plotting.Focus},
			{Name: "after", Label: "h_j", At: plotting.Place{X: 2}, Kind: plotting.State},
			{Name: "word", Label: "x_j", At: plotting.Place{X: 1, Y: -1}},
		},
		Arrows: []plotting.Arrow{{From: "before", To: "cell"}, {From: "cell", To: "after"}, {From: "word", To: "cell"}, {From: "after", To: "cell", Label: "next step",
			Via: []plotting.Place{{X: 2, Y: 0.8}, {X: 1, Y: 0.8}}, Dashed: true}},
	}.Figure()
	save("step", figure, err)
	// Output:
	// A recurrent step. Diagram of 4 parts. h_j−1 leads to cell (h_j = f(x_j, h_j−1)). cell (h_j = f(x_j, h_j−1)) leads to h_j. x_j leads to cell (h_j = f(x_j, h_j−1)). h_j leads to cell (h_j = f(x_j, h_j−1)): next step.
}

// One figure for a slide, for a column of a paper, and for a dark page of a browser.
func ExampleFigure_Save() {
	figure, err := plotting.Heatmap{Source: []string{"red", "boats"}, Target: []string{"bateaux", "rouges"}, Weights: [][]float64{{0.1, 0.9}, {0.8, 0.2}}}.Figure()
	if err != nil {
		panic(err)
	}
	fmt.Println(figure.Save(filepath.Join(folder, "boats.png"), plotting.In(plotting.Slide)))
	fmt.Println(figure.Save(filepath.Join(folder, "boats.tex"), plotting.Size(8, 0)))
	fmt.Println(figure.Save(filepath.Join(folder, "boats.svg"), plotting.In(plotting.Dark), plotting.Transparent()))
	// Output:
	// <nil>
	// <nil>
	// <nil>
}

func ExampleTable() {
	table := plotting.Table{Caption: "Test BLEU, one seed.", Columns: []string{"model", "parameters", "BLEU", "seconds"}}
	table.Add("bottleneck", 412_160, 61.27, 38.0)
	table.Add("Bahdanau", 446_976, 93.4, math.NaN())
	fmt.Print(table)
	// Output:
	// model       parameters  BLEU  seconds
	// bottleneck     412,160  61.3     38.0
	// Bahdanau       446,976  93.4        –
	// Test BLEU, one seed.
}
