package grammar

import "testing"

func TestNounPhrases(t *testing.T) {
	translated(t, []string{
		// articles, adjectives, compounds
		"the student sleeps .", "l' étudiant dort .",
		"the hero sleeps .", "le héros dort .",
		"some heroes sing .", "des héros chantent .",
		"some old heroes sing .", "de vieux héros chantent .",
		"students work .", "les étudiants travaillent .",
		"an old friend works .", "un vieil ami travaille .",
		"the beautiful child sings .", "le bel enfant chante .",
		"the beautiful hero sings .", "le beau héros chante .",
		"the new agreement is useful .", "le nouvel accord est utile .",
		"the big white house is old .", "la grande maison blanche est vieille .",
		"the famous french queen sings .", "la reine française célèbre chante .",
		"the minister signs a useful european law .", "le ministre signe une loi européenne utile .",
		"the council adopts the new european economic plan .", "le conseil adopte le nouveau plan économique européen .",
		"the council adopts the european economic plan .", "le conseil adopte le plan économique européen .",
		"the art teacher reads a love story .", "le professeur d' art lit une histoire d' amour .",
		"mary reads a book on art .", "marie lit un livre sur l' art .",
		"the report on the european economic area was good .", "le rapport sur la zone économique européenne était bon .",
		"john 's doctor reads the teacher 's letter .", "le médecin de jean lit la lettre du professeur .",
		"my orange and his apple are good .", "mon orange et sa pomme sont bonnes .",
		"this hotel and this hospital are big .", "cet hôtel et cet hôpital sont grands .",
		"every nurse sings .", "chaque infirmière chante .",
		"all the nurses sing .", "toutes les infirmières chantent .",
		"many children sing .", "beaucoup d' enfants chantent .",
		"several men sing .", "plusieurs hommes chantent .",
		"the eight owls sleep .", "les huit hiboux dorment .",
		"everyone sang .", "tout le monde a chanté .",
	})
}
