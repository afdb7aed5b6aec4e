package diagram_test

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seq2attn/pkg/diagram"
	"seq2attn/pkg/plotting"
	"seq2attn/pkg/seq2seq"
)

// Golden images are the PNG files in testdata. Look at every one that changes before you keep it:
//
//	go test ./pkg/diagram -update
var update = flag.Bool("update", false, "write the golden images that are missing or differ")

func presets() map[string]seq2seq.Config {
	local := seq2seq.Luong()
	local.Name, local.Window, local.Layers, local.ReverseSource = "luong-local", seq2seq.WindowLocalP, 2, false
	return map[string]seq2seq.Config{"sutskever": seq2seq.Sutskever(), "cho": seq2seq.Cho(), "bahdanau": seq2seq.Bahdanau(), "luong": seq2seq.Luong(), "luong-local": local,
		"vaswani": seq2seq.Vaswani()}
}

// The score of Bahdanau et al. (2015) reads the state before, that of Luong et al. (2015) the state now.
func ExampleOf() {
	for _, c := range []seq2seq.Config{seq2seq.Bahdanau(), seq2seq.Luong()} {
		d, err := diagram.Of(c)
		if err != nil {
			panic(err)
		}
		for _, a := range d.Arrows {
			if a.To == "score" && strings.HasPrefix(a.From, "s_") {
				fmt.Println(c.Name, "scores with", a.From)
			}
		}
	}
	// Output:
	// bahdanau scores with s_{i−1}
	// luong scores with s_i
}

func TestGolden(t *testing.T) {
	for name, c := range presets() {
		t.Run(name, func(t *testing.T) {
			d, err := diagram.Of(c)
			if err != nil {
				t.Fatal(err)
			}
			figure, err := d.Figure()
			if err != nil {
				t.Fatal(err)
			}
			if len(figure.Warnings()) > 0 {
				t.Errorf("%q", figure.Warnings())
			}
			file := filepath.Join(t.TempDir(), "a.png")
			if err := figure.Save(file, plotting.DPI(96)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".png")
			want, err := os.ReadFile(golden)
			if *update && (err != nil || differ(t, got, want)) {
				want, err = got, os.WriteFile(golden, got, 0o644)
			}
			if err != nil {
				t.Fatalf("%v: run with -update and look at it", err)
			}
			if differ(t, got, want) {
				t.Errorf("the picture differs from %s: run with -update and look at it", golden)
			}
			for _, other := range []string{".svg", ".pdf", ".tex"} {
				if err := figure.Save(strings.TrimSuffix(file, ".png")+other, plotting.In(plotting.DarkSlide)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// differ tells whether more than a thousandth of the dots differ by more than rounding.
func differ(t *testing.T, a, b []byte) bool {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	q, err := png.Decode(bytes.NewReader(b))
	if err != nil || p.Bounds() != q.Bounds() {
		return true
	}
	n := 0
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			r1, g1, b1, _ := p.At(x, y).RGBA()
			r2, g2, b2, _ := q.At(x, y).RGBA()
			for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
				if d > 16<<8 || d < -16<<8 {
					n++
					break
				}
			}
		}
	}
	return n*1000 > p.Bounds().Dx()*p.Bounds().Dy()
}

// Every configuration has a diagram that says what is computed.
func TestWirings(t *testing.T) {
	arrows := func(c seq2seq.Config) (all []string) {
		d, err := diagram.Of(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Figure(); err != nil {
			t.Errorf("%s: %v", c, err)
		}
		for _, a := range d.Arrows {
			all = append(all, a.From+" > "+a.To)
		}
		return all
	}
	for _, c := range []struct {
		wiring    seq2seq.Wiring
		with, not []string
	}{
		{seq2seq.WiringBahdanau, []string{"s_{i−1} > score", "c > s_i", "c > read", "y_{i−1} > read", "h 0 > score"}, []string{"s_i > score", "c > s̃_i"}},
		{seq2seq.WiringLuong, []string{"s_i > score", "c > s̃_i", "s_i > s̃_i", "s̃_i > read"}, []string{"s_{i−1} > score", "c > s_i", "c > read", "s̃_i > s_{i+1}", "y_{i−1} > read"}},
		{seq2seq.WiringLuongFeeding, []string{"s_i > score", "s̃_i > s_{i+1}"}, []string{"c > s_i"}},
	} {
		for _, score := range []string{seq2seq.ScoreAdditive, seq2seq.ScoreDot, seq2seq.ScoreGeneral, seq2seq.ScoreConcat, seq2seq.ScoreScaledDot, seq2seq.ScoreLocation} {
			for _, both := range []bool{false, true} {
				config := seq2seq.Bahdanau()
				config.Wiring, config.Attention, config.Bidirectional, config.ReverseSource = c.wiring, score, both, !both
				if config.Validate() != nil {
					continue // a dot product of states of two sizes
				}
				got := arrows(config)
				for _, want := range c.with {
					if !slices.Contains(got, want) {
						t.Errorf("%s, %s: no arrow %s", c.wiring, score, want)
					}
				}
				for _, unwanted := range c.not {
					if slices.Contains(got, unwanted) {
						t.Errorf("%s, %s: an arrow %s", c.wiring, score, unwanted)
					}
				}
				if slices.Contains(got, "←h 1 > ←h 0") != both {
					t.Errorf("bidirectional %v: %q", both, got)
				}
			}
		}
	}
	for _, c := range []seq2seq.Config{seq2seq.Sutskever(), seq2seq.Cho()} {
		for _, end := range []bool{false, true} {
			c.SourceEOS = end
			if got := arrows(c); slices.ContainsFunc(got, func(a string) bool { return strings.Contains(a, "score") }) {
				t.Errorf("%s: %q", c.Wiring, got)
			}
		}
	}
	for _, pre := range []bool{false, true} {
		c := seq2seq.Vaswani()
		c.PreNorm = pre
		got := arrows(c)
		for _, want := range []string{"encoder attention > encoder feed", "decoder attention > cross attention", "h 4 > cross attention", "s_i > read"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no arrow %s", c.Wiring, want)
			}
		}
		if d, _ := diagram.Of(c); strings.Contains(d.Caption, "normalised first") != pre {
			t.Errorf("pre-norm %v: %s", pre, d.Caption)
		}
	}
	if _, err := diagram.Of(seq2seq.Config{}); err == nil || !strings.HasPrefix(err.Error(), "diagram: ") {
		t.Errorf("no configuration: %v", err)
	}
}
