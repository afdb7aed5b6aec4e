package plotting_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
		if n := strings.Count(text, "<button"); n != 5+5+4+3 {
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

// In a browser: a word in focus shows its copy of the other sentence exactly over that, and a model's name its translation; where styles
// are dropped, the picture shows instead.
func TestExplorerBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine: the page is not looked at")
	}
	file := filepath.Join(t.TempDir(), "a.html")
	if err := explorer().Save(file, plotting.Paper); err != nil {
		t.Fatal(err)
	}
	page := string(read(t, file))
	// The product has no script; the test looks at it with one.
	look := func(page, script string) string {
		t.Helper()
		test := filepath.Join(t.TempDir(), "test.html")
		page = strings.Replace(page, "</body>", "<pre id=out></pre><script>document.getElementById('out').textContent='got '+JSON.stringify((()=>{"+script+"})())</script></body>", 1)
		if err := os.WriteFile(test, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=700,900", "--virtual-time-budget=2000", "--dump-dom", "file://"+test).Output()
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`got [^<]*`).FindString(string(out))
	}
	const shown = "const shown=e=>e.getClientRects().length>0;const all=s=>[...document.querySelectorAll(s)];"
	const box = "const over=(a,b)=>{const r=a.getBoundingClientRect(),q=b.getBoundingClientRect();return ['left','top','right','bottom'].every(k=>Math.abs(r[k]-q[k])<1)};"
	got := look(page, shown+box+`
		const words=all('section')[0].querySelectorAll('.t > button'); words[1].focus();
		const copy=words[1].querySelector('span'), source=[...all('section')[0].querySelectorAll('.s > button')], lit=[...copy.querySelectorAll('i')];
		return [all('section').map(shown), all('button > span').filter(shown).length, source.every((b,i)=>over(b,lit[i])), lit[3].dataset.w, shown(all('img')[0])]`)
	if want := `got [[true,false],1,true,".76",false]`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	got = look(page, shown+box+`
		all('label')[1].click(); const words=all('section')[1].querySelectorAll('.s > button'); words[0].focus();
		const lit=[...words[0].querySelectorAll('span > i')], target=[...all('section')[1].querySelectorAll('.t > button')];
		return [all('section').map(shown), target.every((b,i)=>over(b,lit[i])), lit.map(i=>i.dataset.w)]`)
	if want := `got [[false,true],true,[".30",".25",".20"]]`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	got = look(regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(page, ""), shown+`
		all('details').slice(0,3).forEach(d=>d.open=true); return [all('section').filter(shown).length, shown(all('img')[0]), shown(all('details p')[0])]`)
	if want := `got [0,true,true]`; got != want {
		t.Errorf("without styles: %s, not %s", got, want)
	}
}
