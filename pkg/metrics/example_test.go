package metrics_test

import (
	"fmt"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/metrics"
)

func ExampleCorpusBLEU() {
	hypotheses := [][]string{{}, {"two", "cats", "sleep", "on", "the", "mat"}}
	references := [][]string{{"red", "boats"}, {"two", "cats", "sleep", "on", "the", "mat"}}
	score, err := metrics.CorpusBLEU(hypotheses, metrics.OneReference(references))
	if err != nil {
		panic(err)
	}
	fmt.Println(score)
	fmt.Println(score.Scoring)
	// Output:
	// BLEU = 71.65 100.0/100.0/100.0/100.0 (BP = 0.717 ratio = 0.750 hyp_len = 6 ref_len = 8)
	// case:mixed|eff:no|tok:none|smooth:exp
}

func ExampleSentenceBLEU() {
	boat := []string{"the", "red", "boat"}
	with, err := metrics.SentenceBLEU(boat, [][]string{boat})
	if err != nil {
		panic(err)
	}
	without, err := metrics.SentenceBLEU(boat, [][]string{boat}, metrics.EffectiveOrder(false))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f with effective order, %.2f without\n", with.Score, without.Score)
	// Output: 100.00 with effective order, 0.00 without
}

func ExampleBLEUByLength() {
	sources := [][]string{{"go", "."}, {"the", "cat", "sleeps", "on", "the", "mat"}}
	targets := [][]string{{"va", "!"}, {"le", "chat", "dort", "sur", "le", "tapis"}}
	bins, err := metrics.ParseBins("1-3,4-9,10-20")
	if err != nil {
		panic(err)
	}
	scores, _, err := metrics.BLEUByLength(bins, metrics.Lengths(sources), targets, metrics.OneReference(targets), metrics.EffectiveOrder(true))
	if err != nil {
		panic(err)
	}
	for _, s := range scores {
		if s.Empty() {
			fmt.Println(s.Bin, "has no sentence")
			continue
		}
		fmt.Printf("%v has %d, BLEU %.2f\n", s.Bin, s.N, s.BLEU.Score)
	}
	// Output:
	// 1-3 has 1, BLEU 100.00
	// 4-9 has 1, BLEU 100.00
	// 10-20 has no sentence
}

func ExampleFirstWordSurvival() {
	hypotheses := [][]string{{"le", "chat", "dort"}, {"le", "chien", "dort"}, {"la", "chat", "dort"}}
	references := [][]string{{"le", "chat", "dort"}, {"le", "chat", "dort"}, {"le", "chat", "dort"}}
	lengths := []int{3, 3, 3} // of the sources
	for k := 1; k <= 2; k++ {
		survivals, _, err := metrics.FirstWordSurvival(k, []metrics.Bin{{Low: 1, High: 10}}, lengths, hypotheses, references)
		if err != nil {
			panic(err)
		}
		interval, err := survivals[0].Sentences.Wilson(0.95)
		if err != nil {
			panic(err)
		}
		fmt.Println(k, survivals[0].Sentences, interval)
	}
	// Output:
	// 1 0.67 (2 of 3) [0.21, 0.94] at 95%
	// 2 0.33 (1 of 3) [0.06, 0.79] at 95%
}

// The adjectives come after the noun, and EOS is the last column and row.
func ExampleAlignmentOfAttention() {
	pair := corpus.Pair{
		Source: []string{"european", "economic", "area"},
		Target: []string{"zone", "économique", "européenne"},
		Links:  []corpus.Link{{Source: 2, Target: 0}, {Source: 1, Target: 1}, {Source: 0, Target: 2}},
	}
	attention := [][]float64{
		{0.1, 0.1, 0.7, 0.1},
		{0.2, 0.5, 0.2, 0.1},
		{0.3, 0.1, 0.1, 0.5}, // EOS: no link
		{0.0, 0.0, 0.1, 0.9},
	}
	links, err := metrics.AlignmentOfAttention(attention, len(pair.Target), len(pair.Source))
	if err != nil {
		panic(err)
	}
	score, err := metrics.AER([][]corpus.Link{links}, []corpus.Pair{pair})
	if err != nil {
		panic(err)
	}
	fmt.Println(score)
	// Output: AER = 0.20 (precision 1.00, recall 0.67, 2 predicted, 3 sure)
}

func ExampleSummarize() {
	overSeeds, err := metrics.Summarize([]float64{68, 74, 70, 71, 72})
	if err != nil {
		panic(err)
	}
	interval, err := overSeeds.Interval(0.95)
	if err != nil {
		panic(err)
	}
	fmt.Println(overSeeds, interval)
	// Output: 71.00 (68.00 to 74.00, n = 5) [68.22, 73.78] at 95%
}
