package plotting

import (
	"math"
	"testing"
)

// diagonal are weights of n target words over n source words, most of them on the anti-diagonal.
func diagonal(n int) [][]float64 {
	weights := make([][]float64, n)
	for i := range weights {
		weights[i] = make([]float64, n)
		total := 0.0
		for j := range weights[i] {
			weights[i][j] = math.Exp(-math.Abs(float64(i+j-n+1)) / (1 + float64(i%3)))
			total += weights[i][j]
		}
		for j := range weights[i] {
			weights[i][j] /= total
		}
	}
	return weights
}

func words(n int) []string {
	some := []string{"the", "agreement", "on", "the", "European", "Economic", "Area", "was", "signed", "in", "août", "."}
	all := make([]string, n)
	for i := range all {
		all[i] = some[i%len(some)]
	}
	return all
}

// falling is a loss curve of so many points.
func falling(n int) []Point {
	points := make([]Point, n)
	for i := range points {
		points[i] = Point{i + 1, 0.3 + 6*math.Exp(-float64(i)/float64(n)*5) + 0.2*math.Sin(float64(i*i))}
	}
	return points
}

func BenchmarkHeatmap60(b *testing.B) {
	for _, format := range []string{".png", ".svg", ".pdf"} {
		b.Run(format[1:], func(b *testing.B) {
			for b.Loop() {
				f, err := Heatmap{Title: "Sixty words", Source: words(60), Target: words(60), Weights: diagonal(60)}.Figure()
				if err != nil {
					b.Fatal(err)
				}
				data, err := encode(f, format)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(data))/1000, "kB")
			}
		})
	}
}

// BenchmarkLoss is one redraw of a curve that grows while a model trains.
func BenchmarkLoss(b *testing.B) {
	run := LossRun{Name: "Bahdanau", Train: falling(2000), Dev: falling(20)}
	for b.Loop() {
		f, err := Loss{Title: "Loss", Runs: []LossRun{run}, Updates: 3000}.Figure()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := encode(f, ".png"); err != nil {
			b.Fatal(err)
		}
	}
}
