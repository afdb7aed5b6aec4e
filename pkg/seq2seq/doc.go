// Package seq2seq is the encoder-decoder family of 2014 and 2015: the bottleneck of Sutskever et al., the summary of Cho et al., and
// the attention of Bahdanau et al. and of Luong et al., as one configuration, trained, stored and translated with by the same calls.
//
//	c := seq2seq.Luong()
//	c.Attention = "dot"                           // another score; Window and Wiring are changed the same way
//	run, err := seq2seq.Train(ctx, c, data)       // trains, or loads what was trained before
//	out, err := run.Translate(ctx, sources)       // greedy
//	best, err := run.Beam(ctx, sources, 5)        // beam search, n-best
//
// The model is a handful of functions that read like the papers' equations: encode, read, decoderStep, readout. They build graphs
// of GoMLX; the recurrences are [recurrent.Scan], the score is [attention.Score]. An update is two graphs: one for
// the gradient of a batch, compiled for each of a few shapes, and one for the optimizer, GoMLX's own, compiled once.
package seq2seq
