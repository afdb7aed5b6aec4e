package grammar

import "testing"

func TestSentences(t *testing.T) {
	translated(t, []string{
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
