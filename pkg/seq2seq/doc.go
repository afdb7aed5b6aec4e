// Package seq2seq is the encoder-decoder family from 2014 to 2017: the bottleneck of Sutskever et al., the summary of Cho et al., the
// attention of Bahdanau et al. and of Luong et al., and the Transformer of Vaswani et al., as one configuration, trained, stored and
// translated with by the same calls.
//
//	c := seq2seq.Luong()
//	c.Attention = "dot"                           // another score; Window and Wiring are changed the same way
//	run, err := seq2seq.Train(ctx, c, data)       // trains, or loads what was trained before
//	out, err := run.Translate(ctx, sources)       // greedy
//	best, err := run.Beam(ctx, sources, 5)        // beam search, n-best
//
// A recurrent model is a handful of functions that read like the papers' equations: encode, read, decoderStep, readout. They build graphs
// of GoMLX; the recurrences are [recurrent.Scan], the score is [attention.Score]. The Transformer's layers are those of package transformer. Training
// and decoding know either as an architecture and no more. An update is a graph for the gradients of both halves of a batch, compiled for each
// of a few shapes, and Adam, which is Go.
package seq2seq
