package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"seq2attn/pkg/corpus"
)

// EndOfSentence labels the row and the column of the end of a sentence.
const EndOfSentence = "<EOS>"

// Heatmap shows the attention of a translation: the first target word on top, source words from left to right, and the weight of
// each pair as a shade on a scale that is always 0 to 1.
type Heatmap struct {
	Title, Caption string
	// Alt is the figure in words; where it is empty, each target word is listed with the source word it attends to most.
	Alt string

	// Source and Target are the words, and Weights has a row [len(Source)] for each target word. One row more than target words
	// is that of the end of the sentence, and so is one column more than source words; either is labelled EndOfSentence.
	Source, Target []string
	Weights        [][]float64
	// HideEnd leaves the row and the column of the end of the sentence out. Rows then need not sum to 1, and the figure says so.
	HideEnd bool
	// WeightName says what a weight is; "attention weight" where it is empty.
	WeightName string
	// Numbers writes the weights, in hundredths, into their cells.
	Numbers bool
	// Gold are the links of the right alignment, drawn as frames: whole where sure, dashed where only possible. Where all weights are 0 they stand
	// alone, without the scale.
	Gold []corpus.Link
	// Highlight are cells with a ring around them, and HighlightName says what it means; "highlighted" where it is empty.
	Highlight     []Cell
	HighlightName string
	// SourceName and TargetName name the axes; "source" and "target" where they are empty.
	SourceName, TargetName string
}

// maxWords is how many words a side can have; more could not be read.
const maxWords = 100

func (o Heatmap) check() error {
	switch {
	case len(o.Source) == 0:
		return errors.New("plotting: heatmap: Source is empty")
	case len(o.Target) == 0:
		return errors.New("plotting: heatmap: Target is empty")
	case len(o.Weights) == 0:
		return errors.New("plotting: heatmap: Weights is empty")
	case len(o.Weights) != len(o.Target) && len(o.Weights) != len(o.Target)+1:
		return fmt.Errorf("plotting: heatmap: Weights has %d rows for %d words in Target: it needs one for each, and may have one more for the end of the sentence",
			len(o.Weights), len(o.Target))
	case len(o.Weights[0]) != len(o.Source) && len(o.Weights[0]) != len(o.Source)+1:
		return fmt.Errorf("plotting: heatmap: Weights has %d columns for %d words in Source: it needs one for each, and may have one more for the end of the sentence",
			len(o.Weights[0]), len(o.Source))
	}
	for name, words := range map[string]int{"Source": len(o.Source), "Target": len(o.Target)} {
		if words > maxWords {
			return fmt.Errorf("plotting: heatmap: %s has %d words: more than %d cannot be read", name, words, maxWords)
		}
	}
	for i, row := range o.Weights {
		if len(row) != len(o.Weights[0]) {
			return fmt.Errorf("plotting: heatmap: row %d of Weights has %d columns, row 0 has %d", i, len(row), len(o.Weights[0]))
		}
		for j, w := range row {
			// Sums of 32-bit weights may end a little above 1.
			if math.IsNaN(w) || w < 0 || w > 1+1e-4 {
				return fmt.Errorf("plotting: heatmap: row %d of Weights has %g in column %d: a weight is between 0 and 1", i, w, j)
			}
		}
	}
	for i, l := range o.Gold {
		if l.Source < 0 || l.Source >= len(o.Source) || l.Target < 0 || l.Target >= len(o.Target) {
			return fmt.Errorf("plotting: heatmap: Gold[%d] links source word %d to target word %d of %d and %d words", i, l.Source, l.Target, len(o.Source), len(o.Target))
		}
	}
	return nil
}

// Figure draws the heatmap. The error names the argument that is wrong.
func (o Heatmap) Figure() (*Figure, error) { return newFigure(o.draw) }

func (o Heatmap) draw(p *press, _ vg.Point) (*Figure, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	f := &Figure{title: o.Title, press: p}
	if o.Caption != "" {
		f.notes = append(f.notes, o.Caption)
	}
	rows, columns, weights := o.Target, o.Source, o.Weights
	if endRow, endColumn := len(weights) > len(rows), len(weights[0]) > len(columns); o.HideEnd {
		weights = weights[:len(rows)]
		cut := make([][]float64, len(rows))
		for i, row := range weights {
			cut[i] = row[:len(columns)]
		}
		weights = cut
		if endColumn {
			f.notes = append(f.notes, "The end of the source sentence is left out: rows need not sum to 1.")
		}
	} else {
		if endRow {
			rows = append(append([]string(nil), rows...), EndOfSentence)
		}
		if endColumn {
			columns = append(append([]string(nil), columns...), EndOfSentence)
		}
	}
	f.alt = cmp.Or(o.Alt, o.describe(rows, columns, weights))
	g := &grid{press: p, values: weights, shades: p.weights, bar: Share(cmp.Or(o.WeightName, "attention weight")), gold: o.Gold,
		rings: o.Highlight, ringName: cmp.Or(o.HighlightName, "highlighted"), bare: o.linksAlone(weights)}
	for _, w := range []float64{0, 0.5, 1} {
		g.ticks = append(g.ticks, plot.Tick{Value: w, Label: strconv.FormatFloat(w, 'g', -1, 64)})
	}
	if o.Numbers {
		g.number = hundredthsOf
	}
	if err := inside("heatmap: Highlight", o.Highlight, weights); err != nil {
		return nil, err
	}
	g.measure(rows, columns)
	f.body = g.body(cmp.Or(o.SourceName, "source"), cmp.Or(o.TargetName, "target"))
	f.scale = g.scale()
	return f.finish(), nil
}

// hundredthsOf writes a weight as short as a cell needs: ".85", "1", and "0" for what rounds to it.
func hundredthsOf(w float64) string {
	switch h := int(math.Round(100 * w)); {
	case h >= 100:
		return "1"
	case h <= 0:
		return "0"
	default:
		return fmt.Sprintf(".%02d", h)
	}
}

// linksAlone tells whether there are links and no weights.
func (o Heatmap) linksAlone(weights [][]float64) bool {
	return len(o.Gold) > 0 && !slices.ContainsFunc(weights, func(row []float64) bool { return slices.Max(row) > 0 })
}

// describe names the source word that each target word attends to most or, where there are links and no weights, the links.
func (o Heatmap) describe(rows, columns []string, weights [][]float64) string {
	var b strings.Builder
	b.WriteString(sentence(o.Title))
	if o.linksAlone(weights) {
		fmt.Fprintf(&b, "Links between %d target words down and %d source words across: ", len(rows), len(columns))
		for i, l := range o.Gold {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s – %s", rows[l.Target], columns[l.Source])
			if l.Possible {
				b.WriteString(" (possible)")
			}
		}
		b.WriteString(".")
		return b.String()
	}
	fmt.Fprintf(&b, "Heatmap of %s from 0 to 1: %d target words down, %d source words across. Each target word with the source word of most weight: ", cmp.Or(o.WeightName, "attention weights"), len(rows), len(columns))
	for i, row := range weights {
		most := 0
		for j, w := range row {
			if w > row[most] {
				most = j
			}
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if row[most] == 0 {
			fmt.Fprintf(&b, "%s – none", rows[i])
			continue
		}
		fmt.Fprintf(&b, "%s – %s %s", rows[i], columns[most], short(math.Round(100*row[most])/100))
	}
	b.WriteString(".")
	return b.String()
}
