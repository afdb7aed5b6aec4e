// Package ibm aligns words statistically, as translation did before attention, and translates with what that finds.
//
// A model explains each target word y_i by one source word x_j, or by NULL, x_0: it has a lexicon t(y|x), and a belief about which place j
// that is. Model 1 believes all places alike ([NewModel1]), Model 2 by i and the two lengths ([Model.Model2]), the HMM by where the word
// before looked ([Model.HMM]). They differ in nothing else, and EM fits all three ([Model.Train]): expect how often each pair of words
// is linked, then divide.
//
//	m, err := ibm.NewModel1(pairs, ibm.Options{})
//	m.Train(5)
//	hmm, err := m.HMM(0.2)
//	hmm.Train(5)
//	links, err := hmm.Align(pair)
//
// A model links a target word to at most one source word. Trained in both directions, [Symmetrize] joins the two alignments, [PhrasePairs]
// cuts out what translates as a whole, and [NewPhraseTable], [NewLanguageModel] and [Decoder] make phrase-based translation of it.
//
// Papers: Brown et al. 1993 ("The Mathematics of Statistical Machine Translation"; Models 1 and 2), Vogel, Ney and Tillmann 1996 (HMM), Och and
// Ney 2003 (NULL in the HMM, AER, refined alignments), Koehn, Och and Marcu 2003 (phrases).
package ibm
