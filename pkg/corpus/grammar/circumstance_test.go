package grammar

import "testing"

func TestCircumstances(t *testing.T) {
	translated(t, []string{
		"she sings in the garden .", "elle chante dans le jardin .",
		"she sings in paris .", "elle chante à paris .",
		"she sang in may .", "elle a chanté en mai .",
		"she sang in may 2004 .", "elle a chanté en mai 2004 .",
		"she sang in 1992 .", "elle a chanté en 1992 .",
		"she sang on monday .", "elle a chanté lundi .",
		"she sings every monday .", "elle chante chaque lundi .",
		"she sings near the hospital .", "elle chante près de l' hôpital .",
		"she works at the market .", "elle travaille au marché .",
		"she works at the hospital .", "elle travaille à l' hôpital .",
		"she works with alice .", "elle travaille avec alice .",
		"the cat sleeps under the table .", "le chat dort sous la table .",
		"the key is on the table .", "la clé est sur la table .",
		"the laws were adopted by the ministers on monday .", "les lois ont été adoptées par les ministres lundi .",
		"the law was signed in the european economic area .", "la loi a été signée dans la zone économique européenne .",
	})
}
