package ibm_test

import (
	"fmt"
	"strings"

	"seq2attn/pkg/corpus"
	"seq2attn/pkg/ibm"
)

// books is the textbooks' example.
func books() []corpus.Pair {
	return []corpus.Pair{
		{Source: strings.Fields("das Haus"), Target: strings.Fields("the house")},
		{Source: strings.Fields("das Buch"), Target: strings.Fields("the book")},
		{Source: strings.Fields("ein Buch"), Target: strings.Fields("a book")},
	}
}

// Koehn 2010, "Statistical Machine Translation", figure 4.4: t(e|f) after each iteration, without NULL.
func ExampleNewModel1() {
	m, err := ibm.NewModel1(books(), ibm.Options{NoNull: true})
	if err != nil {
		panic(err)
	}
	for n := range 4 {
		fmt.Printf("%d ", n)
		for _, t := range [][2]string{{"the", "das"}, {"book", "das"}, {"house", "das"}, {"the", "Buch"}, {"book", "Buch"}, {"a", "Buch"},
			{"book", "ein"}, {"a", "ein"}, {"the", "Haus"}, {"house", "Haus"}} {
			fmt.Printf(" %s|%s %.4f", t[0], t[1], m.Probability(t[0], t[1]))
		}
		fmt.Println()
		m.Train(1)
	}
	m.Train(100)
	fmt.Println(m.Translations("Buch", 1)[0].Word, m.Translations("das", 1)[0].Word)
	// Output:
	// 0  the|das 0.2500 book|das 0.2500 house|das 0.2500 the|Buch 0.2500 book|Buch 0.2500 a|Buch 0.2500 book|ein 0.2500 a|ein 0.2500 the|Haus 0.2500 house|Haus 0.2500
	// 1  the|das 0.5000 book|das 0.2500 house|das 0.2500 the|Buch 0.2500 book|Buch 0.5000 a|Buch 0.2500 book|ein 0.5000 a|ein 0.5000 the|Haus 0.5000 house|Haus 0.5000
	// 2  the|das 0.6364 book|das 0.1818 house|das 0.1818 the|Buch 0.1818 book|Buch 0.6364 a|Buch 0.1818 book|ein 0.4286 a|ein 0.5714 the|Haus 0.4286 house|Haus 0.5714
	// 3  the|das 0.7479 book|das 0.1208 house|das 0.1313 the|Buch 0.1208 book|Buch 0.7479 a|Buch 0.1313 book|ein 0.3466 a|ein 0.6534 the|Haus 0.3466 house|Haus 0.6534
	// book the
}
