// Package metrics measures translations: BLEU, BLEU against sentence length, how often the first words are right, accuracies,
// perplexity, and how close attention comes to word alignment.
//
// Every measure carries the number of sentences, tokens or links that it stands on, and says what it does with none. Sentences
// are lists of tokens without BOS, EOS or padding. All measures of translations are meant for free-running output, in which the
// model reads its own words: they cannot tell whether a hypothesis was made while looking at its reference.
package metrics
