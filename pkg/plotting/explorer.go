package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"html"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Explorer is an alignment to be explored with the mouse, a finger or the keyboard: where a target word is pointed at, the source words
// light up by their weights, and the other way round; several models can be compared on one sentence.
//
// It is one piece of HTML without scripts and without anything from elsewhere. Where a page drops styles too, as JupyterLab does in a
// notebook that is not trusted, the picture of the heatmaps stands in, with a list under it that opens at each target word; on paper, the
// picture alone.
type Explorer struct {
	Title, Caption string
	// Source are the words of the sentence, and Models what each model made of it, the first shown first.
	Source []string
	Models []Translation
	// SourceName and TargetName name the axes of the picture, as in [Heatmap].
	SourceName, TargetName string
}

// Translation is a model's translation of the explorer's sentence. Weights are those of [Heatmap].
type Translation struct {
	Name    string
	Target  []string
	Weights [][]float64
	// End labels a column beyond the source words, where it is not that of the end of the sentence: "NULL" of an aligner.
	End string
}

// sides are the words of either side, with what is beyond them where there are weights for it.
func (o Explorer) sides(m Translation) (source, target []string) {
	return beyond(o.Source, len(m.Weights[0]), cmp.Or(m.End, EndOfSentence)), beyond(m.Target, len(m.Weights), EndOfSentence)
}

func beyond(words []string, n int, end string) []string {
	if n == len(words) {
		return words
	}
	return append(slices.Clone(words), end)
}

// maxModels is how many translations fit into one explorer.
const maxModels = 12

// heatmaps are the models' figures, which check everything.
func (o Explorer) heatmaps() (*Figure, error) {
	switch {
	case len(o.Models) == 0:
		return nil, errors.New("plotting: explorer: Models is empty")
	case len(o.Models) > maxModels:
		return nil, fmt.Errorf("plotting: explorer: %d Models: at most %d fit", len(o.Models), maxModels)
	}
	var panels []*Figure
	for i, m := range o.Models {
		if m.Name == "" {
			return nil, fmt.Errorf("plotting: explorer: Models[%d] has no Name", i)
		}
		if slices.ContainsFunc(o.Models[:i], func(other Translation) bool { return other.Name == m.Name }) {
			return nil, fmt.Errorf("plotting: explorer: two models are named %q", m.Name)
		}
		source := o.Source
		if m.End != "" && len(m.Weights) > 0 && len(m.Weights[0]) == len(source)+1 {
			source, _ = o.sides(m)
		}
		f, err := Heatmap{Title: m.Name, Source: source, Target: m.Target, Weights: m.Weights, WeightName: "weights",
			SourceName: o.SourceName, TargetName: o.TargetName}.Figure()
		if err != nil {
			return nil, fmt.Errorf("plotting: explorer: Models[%d] (%s): %w", i, m.Name, err)
		}
		panels = append(panels, f)
	}
	columns := 0
	if len(panels) > 4 {
		columns = 3 // two would make it higher than a slide
	}
	return Panels{Title: o.Title, Caption: o.Caption, Panels: panels, Columns: columns}.Figure()
}

// HTML is the explorer as a part of a page, in the colours of a theme. The error names the argument that is wrong.
func (o Explorer) HTML(t Theme) (string, error) {
	text, _, err := o.html(t)
	return text, err
}

// Show displays the explorer in the notebook, as the output of the cell that runs. Outside a notebook it shows nothing.
func (o Explorer) Show(t Theme) error {
	text, still, err := o.html(t)
	if err != nil {
		return err
	}
	still.Figure.warn(still)
	return display(map[protocol.MIMEType]any{protocol.MIMETextHTML: text, protocol.MIMETextPlain: still.alt}, "")
}

// Save writes the explorer as a page of its own to a file whose name ends in .html, and makes its folder. The file appears whole or,
// with an error, not at all.
func (o Explorer) Save(path string, t Theme) error {
	if extension := strings.ToLower(filepath.Ext(path)); extension != ".html" && extension != ".htm" {
		return fmt.Errorf("plotting: save explorer as %q: the extension %q is not .html", path, filepath.Ext(path))
	}
	text, still, err := o.html(t)
	if err != nil {
		return err
	}
	still.Figure.warn(still)
	page := fmt.Sprintf("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<body style=\"background:%s;margin:1rem\">\n%s</body>\n</html>\n",
		html.EscapeString(cmp.Or(plain(o.Title), "Alignment")), hex(t.inks().page), text)
	if err := writeWhole(path, []byte(page)); err != nil {
		return fmt.Errorf("plotting: save explorer as %q: %w", path, err)
	}
	return nil
}

func (o Explorer) html(t Theme) (string, *sheet, error) {
	if err := t.check(); err != nil {
		return "", nil, fmt.Errorf("plotting: explorer: %w", err)
	}
	if t.isSlide() {
		t -= Slide - Paper // a page has no size
	}
	still, err := o.heatmaps()
	if err != nil {
		return "", nil, err
	}
	sheet, err := still.on(In(t))
	if err != nil {
		return "", nil, err
	}
	png, err := sheet.encode(".png")
	if err != nil {
		return "", nil, fmt.Errorf("plotting: explorer: %w", err)
	}
	e := &explorer{Explorer: o, inks: t.inks()}
	// Several explorers stand on one page: each has a name of its own, the same for the same content.
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%v %v", o, t)
	e.id = "x" + strconv.FormatUint(hash.Sum64(), 36)
	e.styles()
	e.fallback(sheet, png) // first, in case that a page keeps neither styles nor what hides the interactive part
	e.interactive()
	return e.b.String(), sheet, nil
}

// explorer writes the HTML.
type explorer struct {
	Explorer
	inks
	id string
	b  strings.Builder
}

func (e *explorer) writef(format string, args ...any) { fmt.Fprintf(&e.b, format, args...) }

// styles show the interactive part and hide the other. All that the interactive part says is in attributes, which only styles make visible:
// GitHub drops them and the attributes that would hide it, and shows an empty element as nothing.
func (e *explorer) styles() {
	e.writef("<style>\n@media print{.%s-still details{display:none}}\n@media screen{\n", e.id)
	for _, rule := range []string{
		"{display:block!important;max-width:60rem;padding:.75rem 1rem;background:PAGE;color:INK;font:1rem/1.2 system-ui,sans-serif}",
		" *{box-sizing:border-box;direction:ltr}",
		" [dir=rtl]{direction:rtl}",
		" [data-o]::before{content:attr(data-o)}",
		" strong{display:block;margin:0 0 .75rem;font-size:1.15rem;font-weight:normal}",
		" p{margin:.75rem 0 0;font-size:.85rem;color:QUIET}",
		" input{position:absolute;opacity:0;width:1px;height:1px;margin:0}",
		" label{display:inline-block;margin:0 .4rem .6rem 0;padding:.4rem .8rem;border:1px solid QUIET;border-radius:1rem;color:INK;cursor:pointer}",
		" input:checked+label{background:HUE;color:ONHUE}",
		" input:focus-visible+label{outline:3px solid GOLD;outline-offset:2px}",
		// The source is at the top of a model's part and the target at its bottom. A copy of either, with its words lit up, lies in a word of
		// the other and is shown in the place of what it copies: all words have one box.
		">div{display:none;position:relative}",
		" .t{margin-top:.9rem;border-top:1px solid GRID;padding-top:.9rem}",
		" i,ID b{display:inline-block;min-width:2.6rem;max-width:100%;margin:.15rem;padding:.3rem .45rem 1.15rem;border:2px solid GRID;border-radius:.4rem;" +
			"font:inherit;color:inherit;text-align:center;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere}",
		" b{cursor:pointer}",
		" b:hover,ID b:focus{border-color:GOLD;outline:1px solid GOLD}",
		" i{position:relative}",
		" i[data-w]::after{content:attr(data-w);position:absolute;left:0;right:0;bottom:.1rem;font-size:.75rem}",
		" span{display:none;white-space:normal;position:absolute;left:0;right:0;z-index:1;background:PAGE;color:INK;text-align:start;cursor:default;pointer-events:none}",
		" .t span{top:0}",
		" .s span{bottom:0}",
		" b:focus>span{display:block}",
		" b:hover>span{display:block;z-index:2}",
		"-still{display:none!important}",
	} {
		e.writef(".%s%s\n", e.id, strings.NewReplacer("ID", "."+e.id, "PAGE", hex(e.page), "INK", hex(e.ink), "QUIET", hex(e.quiet), "GRID", hex(e.grid),
			"GOLD", hex(e.gold), "ONHUE", hex(inkOn(e.hues[0])), "HUE", hex(e.hues[0])).Replace(rule))
	}
	for m := range e.Models {
		e.writef(".%[1]s>input:nth-of-type(%[2]d):checked~div:nth-of-type(%[2]d){display:block}\n", e.id, m+1)
	}
	e.writef("}\n</style>\n")
}

func (e *explorer) interactive() {
	// JupyterLab drops a hidden without a value, and takes the arrow keys from the models unless told not to. A dollar begins no formula here.
	e.writef(`<div class="%s tex2jax_ignore mathjax_ignore" hidden="hidden" style="display:none">`+"\n", e.id)
	if e.Title != "" {
		e.writef("<strong %s></strong>\n", shown(e.Title))
	}
	for m, model := range e.Models {
		checked := ""
		if m == 0 {
			checked = " checked"
		}
		e.writef(`<input type="radio" name="%[1]s" id="%[1]s-%[2]d" aria-label="%[4]s" data-lm-suppress-shortcuts="true"%[3]s><label for="%[1]s-%[2]d" %[5]s></label>`+"\n",
			e.id, m, checked, html.EscapeString(plain(model.Name)), shown(model.Name))
	}
	for _, model := range e.Models {
		source, target := e.sides(model)
		columns := make([][]float64, len(source))
		for j := range columns {
			for _, row := range model.Weights {
				columns[j] = append(columns[j], row[j])
			}
		}
		e.writef("<div>\n")
		e.sentence("s", source, target, columns)
		e.sentence("t", target, source, model.Weights)
		e.writef("</div>\n")
	}
	e.writef("<p %s></p>\n", shown("Point at a word, tap it, or step to it with the Tab key: the words of the other sentence light up by their weights, .05 and more in numbers."))
	if e.Caption != "" {
		e.writef("<p %s></p>\n", shown(e.Caption))
	}
	e.writef("</div>\n")
}

// sentence writes words, each with the other sentence lit up by the word's weights.
func (e *explorer) sentence(side string, words, other []string, weights [][]float64) {
	e.writef(`<div class="%s"%s>`, side, direction(words))
	for i, w := range words {
		e.writef("\n"+`<b tabindex="0" role="img" aria-label="%s" %s><span%s>`, html.EscapeString(plain(w+": "+said(other, weights[i]))), shown(w), direction(other))
		for j, o := range other {
			if j > 0 {
				e.writef("\n")
			}
			number := ""
			if weights[i][j] >= shownWeight {
				number = fmt.Sprintf(` data-w="%s"`, hundredthsOf(weights[i][j]))
			}
			color := ""
			if cell := step(e.weights, weights[i][j]); cell != e.page {
				color = fmt.Sprintf(` style="background:%s;color:%s"`, hex(cell), hex(inkOn(cell)))
			}
			e.writef("<i %s%s%s></i>", shown(o), number, color)
		}
		e.writef("</span></b>")
	}
	e.writef("</div>\n")
}

// shown is the attribute by which a style shows the text.
func shown(s string) string { return fmt.Sprintf(`data-o="%s"%s`, text(s), direction([]string{s})) }

// direction is the attribute of what is written from right to left.
func direction(words []string) string {
	if rightToLeft([]rune(strings.Join(words, " "))) {
		return ` dir="rtl"`
	}
	return ""
}

// shownWeight is the least weight that is told in numbers.
const shownWeight = 0.05

func text(word string) string {
	return html.EscapeString(plain(strings.Join(strings.Fields(word), " ")))
}

// said lists the words of the largest weights, those first that weigh most.
func said(words []string, weights []float64) string {
	order := make([]int, len(words))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	var list []string
	for _, j := range order {
		if weights[j] >= shownWeight {
			list = append(list, words[j]+" "+strconv.FormatFloat(weights[j], 'f', 2, 64))
		}
	}
	if list == nil {
		return "no weight of " + strconv.FormatFloat(shownWeight, 'g', -1, 64) + " or more"
	}
	return strings.Join(list, ", ")
}

// fallback is the picture, and a list of every model's target words that opens without styles or scripts.
func (e *explorer) fallback(still *sheet, png []byte) {
	e.writef(`<div class="%s-still tex2jax_ignore mathjax_ignore">`+"\n%s\n", e.id, still.html(png))
	for _, model := range e.Models {
		source, target := e.sides(model)
		e.writef("<details><summary>%s: each target word with its source words</summary>\n<ul>\n", html.EscapeString(plain(model.Name)))
		for i, w := range target {
			e.writef(`<li><details><summary>%s</summary><p dir="auto">`, text(w))
			for j, s := range source {
				cell := step(e.weights, model.Weights[i][j])
				e.writef(`<span style="background-color:%s;color:%s">%s</span> `, hex(cell), hex(inkOn(cell)), text(s))
			}
			e.writef("<br>%s</p></details></li>\n", html.EscapeString(plain(said(source, model.Weights[i]))))
		}
		e.writef("</ul>\n</details>\n")
	}
	e.writef("</div>\n")
}
