package results_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"seq2attn/pkg/metrics"
	"seq2attn/pkg/results"
)

// A command writes what it measured; a notebook draws the band. The numbers are made up.
func Example() {
	root, err := os.MkdirTemp("", "checkout")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module seq2attn\n"), 0o644); err != nil {
		panic(err)
	}
	os.Setenv("SEQ2ATTN_ROOT", root)
	defer os.Unsetenv("SEQ2ATTN_ROOT")

	r := results.New("bottleneck", "make results", results.Data{Name: "grammar", Fingerprint: "abc", Train: 60000, Test: 80})
	model := results.Model{Name: "Cho", Config: json.RawMessage(`{"Hidden":128}`), Parameters: 400000}
	for seed, bleu := range []float64{61, 64, 66} {
		model.Seeds = append(model.Seeds, results.Seed{
			Seed: uint64(seed), Updates: 2000, Seconds: 40,
			Bins: []results.Bin{
				{Bin: metrics.Bin{Low: 1, High: 10}, N: 80, Measures: results.Measures{results.BLEU: bleu}},
				{Bin: metrics.Bin{Low: 11, High: 20}},
			},
		})
	}
	r.Models = append(r.Models, model)
	if err := results.Write(r); err != nil {
		panic(err)
	}

	stored, err := results.Load("bottleneck")
	if err != nil {
		panic(err)
	}
	cho, err := stored.Model("Cho")
	if err != nil {
		panic(err)
	}
	bands, err := cho.Bands(results.BLEU)
	if err != nil {
		panic(err)
	}
	for _, b := range bands {
		if b.Empty() {
			fmt.Println(b.Bin, "no sentence")
			continue
		}
		fmt.Printf("%v BLEU %v of %d sentences\n", b.Bin, b.Spread, b.N)
	}
	// Output:
	// 1-10 BLEU 63.67 (61.00 to 66.00, n = 3) of 80 sentences
	// 11-20 no sentence
}
