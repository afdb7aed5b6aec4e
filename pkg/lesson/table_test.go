package lesson

import (
	"strings"
	"testing"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
)

func TestTable(t *testing.T) {
	seeds := []results.Seed{
		{Seed: 1, Updates: 10, Seconds: 60, Measures: results.Measures{results.BLEU: 40, results.AER: 0.25}},
		{Seed: 2, Updates: 10, Seconds: 120, Measures: results.Measures{results.BLEU: 50, results.AER: 0.35}},
	}
	models := []results.Model{
		{Name: "several", Parameters: 1234, Seeds: seeds},
		{Name: "one", Parameters: 12, Seeds: []results.Seed{{Seed: 1, Updates: 10, Seconds: 60, Measures: results.Measures{results.BLEU: 7}}}},
	}
	table, err := Table(models, results.BLEU, results.AER)
	if err != nil {
		t.Fatal(err)
	}
	text := table.Markdown()
	for _, want := range []string{"BLEU", "alignment error rate", "45.0 (40.0–50.0)", "0.300 (0.250–0.350)", "| 7.0 | – |", "1.5", "1,234"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := Table([]results.Model{{Name: "none"}}, results.BLEU); err == nil {
		t.Error("a model without seeds has a row")
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		s    metrics.Spread
		want string
	}{
		{metrics.Spread{N: 1, Mean: 71.23, Min: 71.23, Max: 71.23}, "71.2"},
		{metrics.Spread{N: 3, Mean: 71.23, Min: 68, Max: 74.5}, "71.2 (68.0–74.5)"},
		{metrics.Spread{N: 2, Mean: 0.5, Min: 0.4, Max: 0.6}, "0.500 (0.400–0.600)"},
	} {
		if got := Spread(c.s); got != c.want {
			t.Errorf("%+v is %q, want %q", c.s, got, c.want)
		}
	}
}
