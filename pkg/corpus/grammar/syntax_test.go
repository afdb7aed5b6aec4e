package grammar

import "testing"

func TestPhrases(t *testing.T) {
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
		// clauses
		"the man who sings is sad .", "l' homme qui chante est triste .",
		"the women that he saw sing .", "les femmes qu' il a vues chantent .",
		"the flowers that mary sold were red .", "les fleurs que marie a vendues étaient rouges .",
		"the city where henry lives is beautiful .", "la ville où henri vit est belle .",
		"if he sleeps , we work .", "s' il dort , nous travaillons .",
		"if she sleeps , we are going to work .", "si elle dort , nous allons travailler .",
		"when paul returned , alice left .", "quand paul est rentré , alice est partie .",
		"i work while he sleeps .", "je travaille pendant qu' il dort .",
		"she sings because alice loves her .", "elle chante parce qu' alice l' aime .",
		"perhaps he sings .", "peut-être qu' il chante .",
		"mary sings and works .", "marie chante et travaille .",
		// questions
		"does mary sing ?", "est -ce que marie chante ?",
		"did alice sing ?", "est -ce qu' alice a chanté ?",
		"are they going to sing ?", "est -ce qu' ils vont chanter ?",
		"is the house old ?", "est -ce que la maison est vieille ?",
		"was the law signed ?", "est -ce que la loi a été signée ?",
		"why does he sleep ?", "pourquoi est -ce qu' il dort ?",
		"when did the minister sign the treaty ?", "quand est -ce que le ministre a signé le traité ?",
		"where do you work ?", "où est -ce que vous travaillez ?",
		"who took the key ?", "qui a pris la clé ?",
		"what did henry find ?", "qu' est -ce qu' henri a trouvé ?",
		// openings
		"yesterday , the children worked .", "hier , les enfants ont travaillé .",
		"on monday , she is going to leave .", "lundi , elle va partir .",
		"every sunday , we sing .", "chaque dimanche , nous chantons .",
		"in the garden sings an old man .", "dans le jardin chante un vieil homme .",
		"in front of the hospital work two doctors .", "devant l' hôpital travaillent deux médecins .",
		"there is a bird in the house .", "il y a un oiseau dans la maison .",
		"there is no bird in the house .", "il n' y a pas d' oiseau dans la maison .",
		"of course , i sing .", "bien sûr , je chante .",
		"in paris , the council works .", "à paris , le conseil travaille .",
	})
}

// TestExpansions: every category that a sentence can lead to has its productions, and they are well made.
func TestExpansions(t *testing.T) {
	r := newRules()
	categories := 0
	r.each(r.category(symbol{kind: sentence}), func(p *production) {
		categories++
		if len(p.parts) > maxParts {
			t.Errorf("a production has %d parts, more than a node holds", len(p.parts))
		}
		for _, row := range [][]item{p.english, p.french} {
			seen := make([]int, len(p.parts)+1)
			for _, it := range row {
				if it.part > len(p.parts) {
					t.Errorf("part %d of %d", it.part, len(p.parts))
				}
				if it.part > 0 && !it.fronted {
					seen[it.part]++
				}
				if it.part == 0 && len(it.forms) != 1 && len(it.forms) != 3 && len(it.forms) != 4 && len(it.forms) != 5 {
					t.Errorf("%v: %d forms", it.forms, len(it.forms))
				}
			}
			for part, n := range seen[1:] {
				if n != 1 {
					t.Errorf("part %d of %v is written %d times", part+1, row, n)
				}
			}
		}
	})
	t.Logf("%d productions in %d categories", categories, len(r.categories))
}
