package plotting_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansregular"

	"seq2attn/pkg/plotting"
)

func explorer() plotting.Explorer {
	return plotting.Explorer{
		Title: "Where do two models look?", Caption: "Made-up weights.",
		Source: strings.Fields("the european economic area"),
		Models: []plotting.Translation{
			{Name: "Bahdanau", Target: strings.Fields("la zone économique européenne"), Weights: [][]float64{
				{0.81, 0.03, 0.04, 0.10, 0.02}, {0.05, 0.06, 0.10, 0.76, 0.03}, {0.02, 0.11, 0.79, 0.05, 0.03}, {0.01, 0.88, 0.06, 0.03, 0.02}, {0, 0.01, 0.02, 0.05, 0.92}}},
			{Name: "untrained", Target: strings.Fields("la la la"), Weights: [][]float64{{0.3, 0.25, 0.25, 0.2}, {0.25, 0.25, 0.25, 0.25}, {0.2, 0.25, 0.25, 0.3}}},
		},
	}
}

// A page of two models that can be compared, without scripts.
func ExampleExplorer() {
	fmt.Println(explorer().Save(filepath.Join(folder, "explorer.html"), plotting.Paper))
	// Output: <nil>
}

// Without a script, a link or anything from elsewhere, and with every element closed, whatever the words are.
func TestExplorerHTML(t *testing.T) {
	e := explorer()
	e.Title, e.Source[0], e.Models[0].Name = `<script>alert("x")</script>`, `</span>&"`, "a'b"
	for _, theme := range []plotting.Theme{plotting.Paper, plotting.DarkSlide} {
		text, err := e.HTML(theme)
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(`(?i)<script|<link|<iframe|url\(|@import|https?:|\son[a-z]+=`).FindString(text); found != "" {
			t.Errorf("there is %q", found)
		}
		var open []string
		for _, tag := range regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*>`).FindAllStringSubmatch(text, -1) {
			switch {
			case strings.Contains(" img input br hr ", " "+tag[2]+" "):
			case tag[1] == "":
				open = append(open, tag[2])
			case len(open) == 0 || open[len(open)-1] != tag[2]:
				t.Fatalf("%s closes %v", tag[0], open)
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("%v are not closed", open)
		}
		if n := strings.Count(text, "<b tabindex"); n != 5+5+4+3 {
			t.Errorf("%d words to point at", n)
		}
		if !strings.Contains(text, `aria-label="zone: area 0.76, economic 0.10, european 0.06, `) || !strings.Contains(text, `<img alt="`) {
			t.Error("no text alternative")
		}
	}
	a, _ := e.HTML(plotting.Paper)
	b, _ := explorer().HTML(plotting.Paper)
	name := regexp.MustCompile(`name="\w+"`)
	if name.FindString(a) == name.FindString(b) {
		t.Error("two explorers have one name")
	}
}

func TestExplorerErrors(t *testing.T) {
	model := plotting.Translation{Name: "a", Target: []string{"t"}, Weights: [][]float64{{1}}}
	source := []string{"s"}
	for want, e := range map[string]plotting.Explorer{
		"":                      {Source: source, Models: []plotting.Translation{model}},
		"Models is empty":       {Source: source},
		"two models are named":  {Source: source, Models: []plotting.Translation{model, model}},
		"Models[0] has no Name": {Source: source, Models: []plotting.Translation{{}}},
		"13 Models":             {Source: source, Models: make([]plotting.Translation, 13)},
		"Models[0] (a): plotting: heatmap: Source is empty":    {Models: []plotting.Translation{model}},
		"Models[0] (b): plotting: heatmap: Weights has 2 rows": {Source: source, Models: []plotting.Translation{{Name: "b", Target: nil, Weights: rows(2, 1, 1)}, model}},
	} {
		if strings.Contains(want, "2 rows") {
			e.Models[0].Target = []string{"x", "y", "z"}
		}
		_, err := e.HTML(plotting.Paper)
		wantError(t, err, want)
	}
	_, err := explorer().HTML(9)
	wantError(t, err, "theme 9 is none of")
	wantError(t, explorer().Save(filepath.Join(t.TempDir(), "a.svg"), plotting.Paper), `the extension ".svg" is not .html`)
	if err := explorer().Show(plotting.Dark); err != nil {
		t.Error(err)
	}
}

// The largest sentence makes a page that a notebook can hold.
func TestExplorerSize(t *testing.T) {
	words := strings.Fields(strings.Repeat("Donaudampfschifffahrt und ", 30))
	weights := rows(60, 60, 0)
	for i := range weights {
		for j := range weights[i] {
			weights[i][j] = 1.0 / 60
		}
	}
	text, err := plotting.Explorer{Source: words, Models: []plotting.Translation{{Name: "a", Target: words, Weights: weights}}}.HTML(plotting.Paper)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 1_500_000 {
		t.Errorf("%d bytes", len(text))
	}
}

// The page with a word in focus, as Chromium draws it. That it works is tested in lab/tests/test_explorer.py.
func TestExplorerGolden(t *testing.T) {
	golden := filepath.Join("testdata", "explorer.png")
	chromium, err := exec.LookPath("chromium")
	if err != nil || testing.Short() {
		t.Skip("no chromium on this machine, or no time for it: the page is not looked at")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "explorer.html")
	if err := explorer().Save(file, plotting.Paper); err != nil {
		t.Fatal(err)
	}
	page := strings.NewReplacer("b:focus", "b.lit", ` aria-label="zone:`, ` class="lit" aria-label="zone:`,
		// The machine's own letters would be others.
		"system-ui,", "Given,", "<style>", "<style>@font-face{font-family:Given;src:url(data:font/ttf;base64,"+base64.StdEncoding.EncodeToString(liberationsansregular.TTF)+")}",
	).Replace(string(read(t, file)))
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	shot := filepath.Join(dir, "explorer.png")
	command := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2", "--window-size=720,340",
		"--virtual-time-budget=2000", "--screenshot="+shot, "file://"+file)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	got := read(t, shot)
	want, err := os.ReadFile(golden)
	if *update && (err != nil || difference(decode(t, want), decode(t, got), 48) > 0.005) {
		want, err = got, os.WriteFile(golden, got, 0o644)
	}
	if err != nil {
		t.Fatalf("%v: run with -update and look at it", err)
	}
	// Another version of the browser sets letters a little otherwise.
	if d := difference(decode(t, want), decode(t, got), 96); d > 0.02 {
		os.WriteFile(filepath.Join("testdata", "failed-explorer.png"), got, 0o644)
		t.Errorf("%.2f%% of the dots differ from %s; see testdata/failed-explorer.png", 100*d, golden)
	}
}
