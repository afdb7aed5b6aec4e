package grammar

import (
	"strings"
	"testing"
)

// translated checks sentences against their French as a speaker wrote it down.
func translated(t *testing.T, sentences []string) {
	t.Helper()
	p := NewParser()
	for i := 0; i < len(sentences); i += 2 {
		s, err := p.Parse(strings.Fields(sentences[i]))
		if err != nil {
			t.Error(err)
		} else if got := joined(s.Target); got != sentences[i+1] {
			t.Errorf("%q is %q, want %q", sentences[i], got, sentences[i+1])
		}
	}
}

func TestPredicates(t *testing.T) {
	translated(t, []string{
		// tenses and persons
		"i read a book .", "je lis un livre .",
		"you sleep .", "vous dormez .",
		"we take the keys .", "nous prenons les clés .",
		"they see him .", "ils le voient .",
		"she ate an apple .", "elle a mangé une pomme .",
		"mary left .", "marie est partie .",
		"paul and mary left .", "paul et marie sont partis .",
		"mary and alice left .", "marie et alice sont parties .",
		"i was sad .", "j' étais triste .",
		"the houses were white .", "les maisons étaient blanches .",
		"the letter is going to be good .", "la lettre va être bonne .",
		"you are going to sing well .", "vous allez bien chanter .",
		"he sang slowly .", "il a chanté lentement .",
		// negation and adverbs around the verb
		"the cat does not sleep .", "le chat ne dort pas .",
		"the cats never sleep .", "les chats ne dorment jamais .",
		"she no longer loves him .", "elle ne l' aime plus .",
		"he did not see her .", "il ne l' a pas vue .",
		"john never returned .", "jean n' est jamais rentré .",
		"they are not going to read the report .", "ils ne vont pas lire le rapport .",
		"the queen is not old .", "la reine n' est pas vieille .",
		"the law was never signed .", "la loi n' a jamais été signée .",
		"henry did not sing well .", "henri n' a pas bien chanté .",
		"he already took the bread .", "il a déjà pris le pain .",
		"nobody loves us .", "personne ne nous aime .",
		"no student reads a book .", "aucun étudiant ne lit de livre .",
		// objects
		"i do not eat any bread .", "je ne mange pas de pain .",
		"she does not read a book .", "elle ne lit pas de livre .",
		"he does not speak to a friend .", "il ne parle pas à un ami .",
		"they look for the owl .", "ils cherchent le hibou .",
		"john looks for the owl .", "jean cherche le hibou .",
		"peter is going to look for her .", "pierre va la chercher .",
		"mary gives the flowers to the children .", "marie donne les fleurs aux enfants .",
		"mary gives them the flowers .", "marie leur donne les fleurs .",
		"he is not going to give us the soup .", "il ne va pas nous donner la soupe .",
		"he answered me .", "il m' a répondu .",
		"she speaks to him .", "elle lui parle .",
		"the doctor answers the queen .", "le médecin répond à la reine .",
		"they speak of the man .", "ils parlent de l' homme .",
		"the council speaks of the treaties .", "le conseil parle des traités .",
		"alice finds the letters and reads them .", "alice trouve les lettres et les lit .",
		"john takes an apple and eats it .", "jean prend une pomme et la mange .",
		"the plan was rejected by the parliament in 1992 .", "le plan a été rejeté par le parlement en 1992 .",
		"he says that she is french .", "il dit qu' elle est française .",
		"she comes from the hospital .", "elle vient de l' hôpital .",
		"we go to the market .", "nous allons au marché .",
		"they live in london .", "ils vivent à londres .",
	})
}
