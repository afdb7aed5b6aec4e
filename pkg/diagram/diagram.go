// Package diagram draws the architecture of a model from its configuration, so that the picture says what is computed.
package diagram

import (
	"fmt"
	"slices"
	"strings"

	"seq2attn/pkg/plotting"
	"seq2attn/pkg/seq2seq"
)

// Of is the diagram of a model of the encoder-decoder family: the encoder over the source on the left, one decoder step on the right, and
// what the wiring has between them. The error is that of a configuration that is not valid.
func Of(c seq2seq.Config) (plotting.Diagram, error) {
	if err := c.Validate(); err != nil {
		return plotting.Diagram{}, fmt.Errorf("diagram: %w", err)
	}
	d := &drawing{c: c, Diagram: plotting.Diagram{Title: c.Name, Caption: caption(c)}}
	if c.Wiring == seq2seq.WiringVaswani {
		d.transformer()
		return d.Diagram, nil
	}
	d.encoder()
	switch c.Wiring {
	case seq2seq.WiringSutskever:
		d.bottleneck()
	default:
		d.step()
	}
	return d.Diagram, nil
}

// caption tells the sizes, and what boxes do not show.
func caption(c seq2seq.Config) string {
	layers := "one layer"
	if c.Layers > 1 {
		layers = fmt.Sprintf("%d layers, the top one shown", c.Layers)
	}
	if c.Wiring == seq2seq.WiringVaswani {
		return transformerCaption(c, layers)
	}
	units := strings.ToUpper(c.Cell)
	if c.Cell == "rnn" {
		units = "plain recurrent"
	}
	text := fmt.Sprintf("E = %d: width of a word's vector. H = %d: width of a state. Encoder and decoder: %s units, %s.", c.Embedding, c.Hidden, units, layers)
	if c.ReverseSource {
		text += " The encoder reads the source backwards."
	}
	return text
}

// drawing collects boxes and arrows.
type drawing struct {
	plotting.Diagram
	c seq2seq.Config
	// columns is the number of those over the source, and top the row of the encoder's states h_j.
	columns int
	top     float64
}

func (d *drawing) box(name, label, note string, x, y float64, kind plotting.BoxKind) *plotting.Box {
	d.Boxes = append(d.Boxes, plotting.Box{Name: name, Label: label, Note: note, At: plotting.Place{X: x, Y: y}, Kind: kind})
	return &d.Boxes[len(d.Boxes)-1]
}

func (d *drawing) arrow(from, to, label string, via ...plotting.Place) *plotting.Arrow {
	d.Arrows = append(d.Arrows, plotting.Arrow{From: from, To: to, Label: label, Via: via})
	return &d.Arrows[len(d.Arrows)-1]
}

// indices names the source's words in the order that the encoder reads them, with dots for those left out.
func indices(c seq2seq.Config) []string {
	order := []string{"1", "2", "", "S"}
	if c.ReverseSource {
		slices.Reverse(order)
	}
	if c.SourceEOS {
		order = append(order, "EOS")
	}
	return order
}

// encoder draws words, states of either direction, and what the decoder is given of them.
func (d *drawing) encoder() {
	order := indices(d.c)
	d.columns = len(order)
	rows := []string{"h"}
	d.top = 1
	if d.c.Bidirectional {
		rows = []string{"→h", "←h", "h"}
		d.top = 3
	}
	name := func(row string, column int) string { return fmt.Sprintf("%s %d", row, column) }
	for i, index := range order {
		x := float64(i)
		switch index {
		case "":
			d.box(name("x", i), "…", "", x, 0, plotting.Plain)
		case "EOS":
			d.box(name("x", i), "EOS", "", x, 0, plotting.Plain)
		default:
			d.box(name("x", i), "x_"+index, "", x, 0, plotting.Plain)
		}
		for r, row := range rows {
			kind := plotting.State
			if row == "h" && d.c.Bidirectional {
				kind = plotting.Value // both states, side by side
			}
			if index == "" {
				d.box(name(row, i), "…", "", x, float64(r+1), plotting.Plain)
				continue
			}
			d.box(name(row, i), fmt.Sprintf("%s_{%s}", row, index), "", x, float64(r+1), kind)
		}
	}
	for i, index := range order {
		if index != "" {
			d.arrow(name("x", i), name(rows[0], i), "")
		}
		if i > 0 {
			d.arrow(name(rows[0], i-1), name(rows[0], i), "")
		}
		if d.c.Bidirectional {
			if i > 0 {
				d.arrow(name("←h", i), name("←h", i-1), "")
			}
			if index != "" {
				// The word and the other direction's state reach past the row between.
				d.arrow(name("x", i), name("←h", i), "", plotting.Place{X: float64(i) - 0.45, Y: 0.5}, plotting.Place{X: float64(i) - 0.45, Y: 1.5})
				d.arrow(name("→h", i), name("h", i), "", plotting.Place{X: float64(i) + 0.45, Y: 1.5}, plotting.Place{X: float64(i) + 0.45, Y: 2.5})
				d.arrow(name("←h", i), name("h", i), "")
			}
		}
	}
}

// last is the box of the last state that the encoder has.
func (d *drawing) last() string { return fmt.Sprintf("h %d", d.columns-1) }

// bottleneck draws the decoder of Sutskever et al. (2014), which has nothing of the source but the encoder's last states.
func (d *drawing) bottleneck() {
	x, y := float64(d.columns), d.top
	note := "last states, all that\nthe decoder knows"
	d.box("s0", "s_0", note, x+0.25, y, plotting.Focus)
	d.arrow(d.last(), "s0", "")
	inputs, outputs := []string{"BOS", "y_1", "…", "y_{T−1}"}, []string{"y_1", "y_2", "…", "EOS"}
	states := []string{"s_1", "s_2", "…", "s_T"}
	previous := "s0"
	for i := range states {
		at := x + 1.5 + float64(i)
		s, in, out := fmt.Sprintf("s%d", i+1), fmt.Sprintf("in%d", i+1), fmt.Sprintf("out%d", i+1)
		kind := plotting.State
		if states[i] == "…" {
			kind = plotting.Plain
		}
		d.box(s, states[i], "", at, y, kind)
		d.box(in, inputs[i], "", at, y-1, plotting.Plain)
		d.arrow(previous, s, "")
		previous = s
		if states[i] == "…" {
			d.box(out, "…", "", at, y+2, plotting.Plain)
			continue
		}
		read := fmt.Sprintf("read%d", i+1)
		d.box(read, "softmax", "", at, y+1, plotting.Value)
		d.box(out, outputs[i], "", at, y+2, plotting.Plain)
		d.arrow(in, s, "")
		d.arrow(s, read, "")
		d.arrow(read, out, "")
	}
}

// formulas are the scores e_ij of a decoder state s and h_j.
func formula(score, s string) string {
	switch score {
	case seq2seq.ScoreAdditive:
		return "v · tanh(W " + s + " + U h_j)"
	case seq2seq.ScoreDot:
		return s + " · h_j"
	case seq2seq.ScoreScaledDot:
		return s + " · h_j / √H"
	case seq2seq.ScoreGeneral:
		return s + " · W_a h_j"
	case seq2seq.ScoreConcat:
		return "v_a · tanh(W_a [" + s + "; h_j])"
	case seq2seq.ScoreLocation:
		return "row j of W_a " + s
	}
	return score
}

// step draws one step of a decoder that is given a context: the same at every step, or one of its own by attention.
func (d *drawing) step() {
	attends := d.c.Attention != ""
	attentional := d.c.Wiring == seq2seq.WiringLuong || d.c.Wiring == seq2seq.WiringLuongFeeding
	middle, k, h := float64(d.columns-1)/2, float64(d.columns), d.top
	context, before, now, later := k+0.5, k+1.6, k+3.2, k+5.3
	state, above, read, out := h+1, h+2, h+3, h+4
	place := func(x, y float64) plotting.Place { return plotting.Place{X: x, Y: y} }

	d.box("s_{i−1}", "s_{i−1}", "", before, state, plotting.State)
	d.box("s_i", "s_i", "", now, state, plotting.State)
	d.box("y_{i−1}", "y_{i−1}", "", now, h, plotting.Plain)
	d.arrow("s_{i−1}", "s_i", "")
	d.arrow("y_{i−1}", "s_i", "")
	readout := "softmax"
	if d.c.Readout == seq2seq.ReadoutMaxout {
		readout = fmt.Sprintf("maxout of %d, softmax", d.c.Maxout)
	}
	d.box("read", readout, "", now, read, plotting.Value)
	d.box("y_i", "y_i", "", now, out, plotting.Plain)
	d.arrow("read", "y_i", "")

	if attends {
		query := "s_{i−1}"
		if attentional {
			query = "s_i"
		}
		score := d.box("score", "score e_{ij} = "+formula(d.c.Attention, query), "", middle, state, plotting.Focus)
		score.Columns = float64(d.columns)
		if attentional {
			d.arrow(query, "score", "", place(now-0.6, state+0.5), place(k-1, state+0.5))
		} else {
			d.arrow(query, "score", "")
		}
		weights := "α_{ij} = softmax over j"
		switch d.c.Window {
		case seq2seq.WindowLocalM:
			weights = fmt.Sprintf("α_{ij} = softmax over j near i (local-m, D = %d)", windowSize(d.c))
		case seq2seq.WindowLocalP:
			weights = fmt.Sprintf("α_{ij} = softmax over j near p_i (local-p, D = %d)", windowSize(d.c))
		}
		alpha := d.box("α", weights, "", middle, above, plotting.Value)
		alpha.Columns = float64(d.columns)
		for i, index := range indices(d.c) {
			if index != "" {
				from := fmt.Sprintf("h %d", i)
				d.arrow(from, "score", "")
			}
		}
		d.arrow("score", "α", "")
		d.box("c", "c_i", "Σ_j α_{ij} h_j", context, above, plotting.Value)
		d.arrow("α", "c", "")
		d.arrow(d.last(), "c", "all h_j", place(context, h))
	} else {
		d.box("c", "c", "the same at\nevery step", context, above, plotting.Focus)
		d.arrow(d.last(), "c", "", place(context, h))
	}

	if attentional {
		d.box("s̃_i", "s̃_i", "tanh(W_c [c_i; s_i])", now, above, plotting.State)
		d.arrow("c", "s̃_i", "")
		d.arrow("s_i", "s̃_i", "")
		d.arrow("s̃_i", "read", "")
		if d.c.Wiring == seq2seq.WiringLuongFeeding {
			d.box("s_{i+1}", "s_{i+1}", "", later, state, plotting.State)
			d.box("y_i as input", "y_i", "", later, h, plotting.Plain)
			d.arrow("s_i", "s_{i+1}", "").Dashed = true
			d.arrow("y_i as input", "s_{i+1}", "").Dashed = true
			d.arrow("s̃_i", "s_{i+1}", "input feeding", place(later, above)).Dashed = true
		}
		return
	}
	// Cho's and Bahdanau's cells and readouts read the context, and the readout the word too.
	d.arrow("c", "s_i", "")
	d.arrow("s_i", "read", "")
	d.arrow("c", "read", "", place(context, read))
	d.arrow("y_{i−1}", "read", "", place(now+1.7, h), place(now+1.7, read))
}

func windowSize(c seq2seq.Config) int {
	if c.WindowSize == 0 {
		return 10
	}
	return c.WindowSize
}
