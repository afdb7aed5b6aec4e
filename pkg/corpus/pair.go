package corpus

import "iter"

// Pair is one sentence in two languages, as tokens, with the word alignment where it is known.
type Pair struct {
	Source, Target []string
	// Links is the gold alignment; nil where none is known.
	Links []Link
}

// Link joins one target word to one source word. Positions are 0-based and count words, without BOS or EOS.
type Link struct {
	Source, Target int
	// Possible links may be missing from a right alignment; the others are sure (Och and Ney 2003).
	Possible bool
}

// Data is a parallel corpus in three parts that share no source sentence.
type Data struct {
	// Name labels the corpus in figures and run folders: "grammar", "tatoeba".
	Name string
	// Source and Target are BCP 47 language codes ("en", "fr"), or a word such as "digits" for a made-up task.
	Source, Target   string
	Train, Dev, Test []Pair
}

// Sources is the source side of pairs.
func Sources(pairs []Pair) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, p := range pairs {
			if !yield(p.Source) {
				return
			}
		}
	}
}

// Targets is the target side of pairs.
func Targets(pairs []Pair) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, p := range pairs {
			if !yield(p.Target) {
				return
			}
		}
	}
}
