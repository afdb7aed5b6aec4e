// Package corpus turns parallel text into what a translation model eats: tokens, ids, and batches of few shapes.
//
// The way of a sentence: [Tokenizer.Tokenize] makes words of it, [Vocabulary.Encode] makes ids of those, [NewBatches] lays
// them out time-major in length buckets. [Tokenizer.Detokenize] and [Vocabulary.Decode] lead back.
//
// Made-up tasks with known alignments ([ReverseDigits], [CopyDigits], [SortDigits], [Dates]) and real text ([Tatoeba],
// [Europarl], [Multi30k], [Load]) all come as [Data], so that one line of a notebook switches from one to another.
package corpus
