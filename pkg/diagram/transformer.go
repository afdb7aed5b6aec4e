package diagram

import (
	"fmt"

	"seq2attn/pkg/plotting"
	"seq2attn/pkg/seq2seq"
)

// transformerCaption tells the sizes, and what the boxes do not show.
func transformerCaption(c seq2seq.Config, layers string) string {
	norm := "What a sublayer gives out is added to what it read, and the sum is normalised."
	if c.PreNorm {
		norm = "What a sublayer reads is normalised first, and what it gives out is added to what it read."
	}
	return fmt.Sprintf("d = %d: width of every vector. h = %d heads, each %d wide. Encoder and decoder: %s. %s", c.Hidden, c.Heads, c.Hidden/c.Heads, layers, norm)
}

// transformer draws the two stacks of Vaswani et al. (2017): the encoder over all words of the source on the left, the decoder over
// the words of the target so far on the right, from whose last position the next word is read.
func (d *drawing) transformer() {
	order := indices(d.c)
	d.columns = len(order)
	k := float64(d.columns)
	span := func(name, label, note string, from, columns, y float64, kind plotting.BoxKind) {
		d.box(name, label, note, from+(columns-1)/2, y, kind).Columns = columns
	}
	words := func(prefix string, labels []string, from float64, above string) {
		for i, label := range labels {
			name := fmt.Sprintf("%s %d", prefix, i)
			d.box(name, label, "", from+float64(i), 0, plotting.Plain)
			if label != "…" {
				d.arrow(name, above, "", plotting.Place{X: from + float64(i), Y: 0.5})
			}
		}
	}
	var sources []string
	for _, index := range order {
		switch index {
		case "":
			sources = append(sources, "…")
		case "EOS":
			sources = append(sources, "EOS")
		default:
			sources = append(sources, "x_"+index)
		}
	}
	feed := fmt.Sprintf("feed-forward, %d wide, at every position", d.c.FeedForward)
	span("x", "√d E x_j + PE(j−1)", "", 0, k, 1, plotting.Value)
	span("encoder attention", "self-attention", "every word looks at all", 0, k, 2, plotting.Focus)
	span("encoder feed", feed, "", 0, k, 3, plotting.Value)
	words("x", sources, 0, "x")
	for i, index := range order {
		label, kind := fmt.Sprintf("h_{%s}", index), plotting.State
		if index == "" {
			label, kind = "…", plotting.Plain
		}
		name := fmt.Sprintf("h %d", i)
		d.box(name, label, "", float64(i), 4, kind)
		if index != "" {
			d.arrow("encoder feed", name, "", plotting.Place{X: float64(i), Y: 3.5})
		}
	}
	d.arrow("x", "encoder attention", "")
	d.arrow("encoder attention", "encoder feed", "")

	at := k + 0.8
	targets := []string{"BOS", "y_1", "y_2", "…", "y_{i−1}"}
	n := float64(len(targets))
	last := at + n - 1
	span("y", "√d E y_{i−1} + PE(i−1)", "", at, n, 1, plotting.Value)
	span("decoder attention", "masked self-attention", "every word looks at itself and those before", at, n, 2, plotting.Focus)
	span("cross attention", "α_{ij} = softmax(q_i · k_j / √(d/h)) over j", "attention to the source: q_i from the decoder, k_j and v_j from h_j", at, n, 3, plotting.Focus)
	span("decoder feed", feed, "", at, n, 4, plotting.Value)
	words("y", targets, at, "y")
	d.arrow("y", "decoder attention", "")
	d.arrow("decoder attention", "cross attention", "")
	d.arrow("cross attention", "decoder feed", "")
	d.arrow(fmt.Sprintf("h %d", d.columns-1), "cross attention", "all h_j", plotting.Place{X: k - 0.1, Y: 4}, plotting.Place{X: k - 0.1, Y: 3})
	d.box("s_i", "s_i", "", last, 5, plotting.State)
	d.box("read", "softmax", "", last, 6, plotting.Value)
	d.box("y_i", "y_i", "", last, 7, plotting.Plain)
	d.arrow("decoder feed", "s_i", "", plotting.Place{X: last, Y: 4.5})
	d.arrow("s_i", "read", "")
	d.arrow("read", "y_i", "")
}
