package seq2seq

// ReplaceUnknown writes, for a word that the model has only as unknown, what the source has at the place that it attended to most: that
// word's translation in dictionary, which may be nil, or else the word itself (Luong, Pham and Manning 2015, section 4, after Jean et al.
// 2015 and Luong et al. 2015b). A name or a number is the same in both languages more often than not. The source's EOS is no word to take.
// On a model without attention it is an error.
func ReplaceUnknown(dictionary map[string]string) DecodeOption {
	return func(o *decodeOptions) { o.unknown = &unknown{dictionary} }
}

// unknown replaces words outside the target vocabulary.
type unknown struct{ dictionary map[string]string }

// replaceUnknown is done after the search, which knows the word as unknown.
func (o decodeOptions) replaceUnknown(lists [][]Translation) [][]Translation {
	if o.unknown != nil {
		for _, list := range lists {
			for _, t := range list {
				o.unknown.replace(t)
			}
		}
	}
	return lists
}

// replace changes the words of t.Target at t.Unknown.
func (u unknown) replace(t Translation) {
	for _, i := range t.Unknown {
		word := t.Source[most(t.Attention[i][:len(t.Source)])]
		if translation, ok := u.dictionary[word]; ok {
			word = translation
		}
		t.Target[i] = word
	}
}

// most is the place of the largest value, the first of them.
func most(row []float64) int {
	place := 0
	for j, a := range row {
		if a > row[place] {
			place = j
		}
	}
	return place
}
