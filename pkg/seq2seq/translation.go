package seq2seq

// Translation is one sentence as a model translated it, by itself: no reference is ever looked at.
type Translation struct {
	// Source is the sentence as it was given.
	Source []string
	// Target is what the model wrote, without EOS. A word outside the vocabulary is "<unk>", unless [ReplaceUnknown] found one for it.
	Target []string
	// Unknown are the places in Target of the words outside the vocabulary.
	Unknown []int
	// Attention has one row for each word of Target and, where Ended, a last one for EOS; one column for each word of Source, in
	// the order given, and a last one for the source's EOS where Config.SourceEOS is set. A row sums to 1. It is nil for wirings
	// without attention, and for an empty Source.
	Attention [][]float64
	// LogProb is the natural logarithm of the translation's probability, EOS included where Ended.
	LogProb float64
	// Score is what beam search ranks by: LogProb over the length penalty, and the coverage penalty if there is one. Greedy translations
	// have it too.
	Score float64
	// Ended tells that the model wrote EOS; otherwise it was stopped at the length cap.
	Ended bool
}

// length is the number of tokens the model wrote, EOS included.
func (t Translation) length() int {
	if t.Ended {
		return len(t.Target) + 1
	}
	return len(t.Target)
}
