package seq2seq

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"seq2attn/pkg/corpus"
)

// vocabularies are those of the training part.
func vocabularies(c Config, d corpus.Data) (source, target *corpus.Vocabulary, err error) {
	o := corpus.VocabularyOptions{MinCount: c.MinCount, MaxSize: c.MaxVocabulary}
	if source, err = corpus.NewVocabulary(corpus.Sources(d.Train), o); err != nil {
		return nil, nil, fmt.Errorf("seq2seq: source vocabulary of %q: %w", d.Name, err)
	}
	if target, err = corpus.NewVocabulary(corpus.Targets(d.Train), o); err != nil {
		return nil, nil, fmt.Errorf("seq2seq: target vocabulary of %q: %w", d.Name, err)
	}
	return source, target, nil
}

// makeBatches lays out the training and the development part.
func (t *training) makeBatches(d corpus.Data) error {
	c := t.Config
	pairs := t.encode(d.Train)
	t.Pairs, t.TooLong = len(pairs), len(d.Train)-len(pairs)
	if len(pairs) == 0 {
		return fmt.Errorf("seq2seq: Config.MaxLength is %d and leaves out all %d training pairs of %q: raise it, or 0 for no limit", c.MaxLength, len(d.Train), d.Name)
	}
	o := corpus.BatchOptions{Size: min(c.BatchSize, len(pairs)), Seed: c.Seed, NoSourceEOS: !c.SourceEOS}
	var err error
	if t.batches, err = corpus.NewBatches(pairs, o); err != nil {
		return fmt.Errorf("seq2seq: training part of %q: %w", d.Name, err)
	}
	if c.EvaluateEvery == 0 {
		return nil
	}
	pairs = t.encode(d.Dev)
	if len(pairs) == 0 {
		if len(d.Dev) > 0 {
			return fmt.Errorf("seq2seq: Config.MaxLength is %d and leaves out all %d development pairs of %q: raise it, or set EvaluateEvery to 0", c.MaxLength, len(d.Dev), d.Name)
		}
		return nil
	}
	if c.DevPairs > 0 {
		pairs = pairs[:min(c.DevPairs, len(pairs))]
	}
	o.Size = min(c.BatchSize, len(pairs))
	// One shape for all: another graph to compile costs more than the padding.
	shape := corpus.Bucket{S: 1, T: 1}
	for _, p := range pairs {
		shape = corpus.Bucket{S: max(shape.S, len(p.Source)+1), T: max(shape.T, len(p.Target)+1)}
	}
	o.Buckets = []corpus.Bucket{shape}
	if t.dev, err = corpus.NewBatches(pairs, o); err != nil {
		return fmt.Errorf("seq2seq: development part of %q: %w", d.Name, err)
	}
	return nil
}

// encode turns the pairs that are not too long into ids, as the encoder reads them.
func (t *training) encode(pairs []corpus.Pair) []corpus.Encoded {
	if limit := t.Config.MaxLength; limit > 0 {
		pairs = slices.DeleteFunc(slices.Clone(pairs), func(p corpus.Pair) bool { return len(p.Source) > limit || len(p.Target) > limit })
	}
	encoded := corpus.EncodePairs(pairs, t.Source, t.Target)
	if t.Config.ReverseSource {
		for _, p := range encoded {
			slices.Reverse(p.Source)
		}
	}
	return encoded
}

// inputsOf is a batch as the graphs take it: source [S,B], its lengths [B], target [T,B], its lengths [B].
func inputsOf(b *corpus.Batch) []any {
	return []any{
		tensors.FromFlatDataAndDimensions(b.Source, b.S, b.B),
		tensors.FromFlatDataAndDimensions(b.SourceLengths, b.B),
		tensors.FromFlatDataAndDimensions(b.Target, b.T, b.B),
		tensors.FromFlatDataAndDimensions(b.TargetLengths, b.B),
	}
}
