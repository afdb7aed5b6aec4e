package seq2seq

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/corpus"
)

// Heads are the weights of every head of a Transformer for one pair of sentences, each [layer][head][row][column]. A row sums to 1.
type Heads struct {
	// Encoder has a row and a column for each word of the source, and a last one for EOS where Config.SourceEOS is set.
	Encoder [][][][]float64
	// Decoder has a row for each word of the target and a last one for EOS, whose columns are what was read by then: BOS, then the words. Those
	// from the row's own word on are 0.
	Decoder [][][][]float64
	// Cross has the same rows, and the columns of Encoder. [Translation.Attention] is the mean over the heads of its last layer.
	Cross [][][][]float64
}

// Heads makes the model write the pair's target, as [Run.Force] does, and tells what each head attends to. A model of another wiring than
// vaswani, and a pair with an empty source, are errors.
func (r *Run) Heads(ctx context.Context, pair corpus.Pair) (h Heads, err error) {
	if r.Config.Wiring != WiringVaswani {
		return h, fmt.Errorf("seq2seq: the wiring %q has no heads: take a model with the wiring %s, or Force", r.Config.Wiring, WiringVaswani)
	}
	if len(pair.Source) == 0 {
		return h, fmt.Errorf("seq2seq: heads of a pair with an empty source: there is nothing to attend to")
	}
	_, err = r.decode([][]string{pair.Source}, [][]string{pair.Target}, batchwise(func(d *decoding, batch *corpus.Batch) ([][]written, error) {
		out, err := d.heads.Call(inputsOf(batch)...)
		if err != nil {
			return nil, err
		}
		column := slices.IndexFunc(batch.Index, func(i int) bool { return i >= 0 })
		source, target := int(batch.SourceLengths[column]), int(batch.TargetLengths[column])
		for l := range r.Config.Layers {
			kind := func(k, rows, columns int) [][][]float64 {
				return headsOf(out[k*r.Config.Layers+l], column, rows, columns)
			}
			h.Encoder = append(h.Encoder, kind(0, source, source))
			h.Decoder = append(h.Decoder, kind(1, target, target))
			h.Cross = append(h.Cross, kind(2, target, source))
		}
		return make([][]written, batch.B), nil
	}), newDecodeOptions(nil))
	if r.Config.ReverseSource {
		h.reverse(len(pair.Source))
	}
	return h, err
}

// headsOf are the weights [B,h,T,S] of one sentence, the first rows and columns of each head.
func headsOf(weights *tensors.Tensor, sentence, rows, columns int) (all [][][]float64) {
	dims := weights.Shape().Dimensions
	heads, t, s := dims[1], dims[2], dims[3]
	values := tensors.MustCopyFlatData[float32](weights)
	for head := range heads {
		var matrix [][]float64
		for row := range rows {
			begin := ((sentence*heads+head)*t + row) * s
			line := make([]float64, columns)
			for j := range line {
				line[j] = float64(values[begin+j])
			}
			matrix = append(matrix, line)
		}
		all = append(all, matrix)
	}
	return all
}

// reverse puts a source of so many words, which was read backwards, in the order given.
func (h Heads) reverse(words int) {
	for _, layer := range h.Encoder {
		for _, matrix := range layer {
			slices.Reverse(matrix[:words])
		}
	}
	for _, layer := range slices.Concat(h.Encoder, h.Cross) {
		for _, matrix := range layer {
			for _, row := range matrix {
				slices.Reverse(row[:words])
			}
		}
	}
}

// heads are the weights [B,h,…] of every layer: of the encoder's, then of the decoder's on the target, then of the decoder's on the source.
func (t parallelTranslator) heads(x, xLengths, y *graph.Node) []*graph.Node {
	h, mask, encoder := t.encode(x, xLengths, dropout{})
	_, self, cross := t.decode(h, mask, y, dropout{})
	return slices.Concat(encoder, self, cross)
}
