package grammar

import "strings"

// class is the kind of thing a noun names. Verbs and adjectives choose their nouns by it, so that no soup reads a table.
type class uint8

const (
	anything class = iota
	speaker        // i, you, we: a person's verbs, first and second person forms
	person
	animal
	official // who governs: ministers, councils
	deed     // what they sign: treaties, laws
	text     // what one reads and writes
	thing
	food
	building
	home // a house
	area // one lives there
	outdoors
	table
	zone // the european economic area and its like
	classes
)

// noun is a noun with both numbers in both languages; one that has no plural here leaves it empty.
type noun struct {
	english, englishPlural string
	french, frenchPlural   string
	feminine               bool
	class                  class
	usage                  usage
}

type usage uint8

const (
	count usage = iota
	owned       // takes a possessor: my car, mary 's car
	mass        // takes the partitive: du pain, de la soupe
)

const (
	masculine = false
	feminine  = true
)

var nouns = []noun{
	{"student", "students", "étudiant", "étudiants", masculine, person, count},
	{"teacher", "teachers", "professeur", "professeurs", masculine, person, owned},
	{"doctor", "doctors", "médecin", "médecins", masculine, person, owned},
	{"woman", "women", "femme", "femmes", feminine, person, count},
	{"man", "men", "homme", "hommes", masculine, person, count},
	{"child", "children", "enfant", "enfants", masculine, person, owned},
	{"friend", "friends", "ami", "amis", masculine, person, owned},
	{"nurse", "nurses", "infirmière", "infirmières", feminine, person, count},
	{"queen", "queens", "reine", "reines", feminine, person, count},
	{"hero", "heroes", "héros", "héros", masculine, person, count},

	{"dog", "dogs", "chien", "chiens", masculine, animal, owned},
	{"cat", "cats", "chat", "chats", masculine, animal, owned},
	{"bird", "birds", "oiseau", "oiseaux", masculine, animal, owned},
	{"horse", "horses", "cheval", "chevaux", masculine, animal, owned},
	{"owl", "owls", "hibou", "hiboux", masculine, animal, count},

	{"minister", "ministers", "ministre", "ministres", masculine, official, count},
	{"council", "", "conseil", "", masculine, official, count},
	{"commission", "", "commission", "", feminine, official, count},
	{"parliament", "", "parlement", "", masculine, official, count},
	{"government", "governments", "gouvernement", "gouvernements", masculine, official, count},

	{"agreement", "agreements", "accord", "accords", masculine, deed, count},
	{"treaty", "treaties", "traité", "traités", masculine, deed, count},
	{"law", "laws", "loi", "lois", feminine, deed, count},
	{"plan", "plans", "plan", "plans", masculine, deed, count},

	{"letter", "letters", "lettre", "lettres", feminine, text, owned},
	{"book", "books", "livre", "livres", masculine, text, owned},
	{"story", "stories", "histoire", "histoires", feminine, text, owned},
	{"report", "reports", "rapport", "rapports", masculine, text, owned},

	{"car", "cars", "voiture", "voitures", feminine, thing, owned},
	{"key", "keys", "clé", "clés", feminine, thing, owned},
	{"hat", "hats", "chapeau", "chapeaux", masculine, thing, owned},
	{"flower", "flowers", "fleur", "fleurs", feminine, thing, count},

	{"apple", "apples", "pomme", "pommes", feminine, food, owned},
	{"orange", "oranges", "orange", "oranges", feminine, food, owned},
	{"bean", "beans", "haricot", "haricots", masculine, food, count},
	{"bread", "", "pain", "", masculine, food, mass},
	{"soup", "", "soupe", "", feminine, food, mass},

	{"school", "schools", "école", "écoles", feminine, building, owned},
	{"hospital", "hospitals", "hôpital", "hôpitaux", masculine, building, count},
	{"hotel", "hotels", "hôtel", "hôtels", masculine, building, count},
	{"church", "churches", "église", "églises", feminine, building, count},
	{"house", "houses", "maison", "maisons", feminine, home, owned},

	{"garden", "gardens", "jardin", "jardins", masculine, outdoors, owned},
	{"village", "villages", "village", "villages", masculine, area, owned},
	{"city", "cities", "ville", "villes", feminine, area, owned},
	{"market", "markets", "marché", "marchés", masculine, outdoors, count},

	{"table", "", "table", "", feminine, table, count},

	{"area", "", "zone", "", feminine, zone, count},
}

// unfit are adjectives that suit the class but not the noun.
var unfit = map[string][]string{
	"student": {"old"}, "teacher": {"beautiful"}, "doctor": {"beautiful"},
	"woman": {"new", "good"}, "man": {"new", "good"}, "child": {"old", "young", "new", "good", "famous"},
	"dog": {"yellow"}, "cat": {"good", "yellow"}, "horse": {"yellow"}, "bird": {"good"}, "owl": {"good", "white", "yellow"},
	"treaty": {"good"}, "report": {"beautiful", "famous", "sad"},
	"flower": {"old", "new"},
	"orange": {"red", "yellow"}, "bean": {"beautiful", "big"},
	"bread": {"red", "yellow", "big", "small", "beautiful"}, "soup": {"red", "big", "small", "beautiful"},
	"church": {"good"}, "garden": {"european"}, "village": {"european"},
}

// compounds are the nouns that may stand before one in English and behind "de" in French: peace treaty, traité de paix.
var compounds = map[string][]string{
	"teacher":    {"art", "music", "history"},
	"council":    {"security", "research"},
	"commission": {"research"},
	"agreement":  {"peace", "research", "security"},
	"treaty":     {"peace"},
	"plan":       {"peace", "security"},

	"letter": {"love"},
	"book":   {"art", "history", "music"},
	"story":  {"love"},
	"report": {"security", "research"},
	"school": {"art", "music"},
}

// about is what may follow a noun and "on", "sur": the report on security.
var about = map[string][]string{
	"agreement": {"peace", "security", "research", "area"},
	"treaty":    {"peace", "security", "area"},
	"law":       {"security", "research"},
	"plan":      {"security", "area"},
	"report":    {"peace", "security", "research", "area"},
	"book":      {"peace", "history", "art", "music", "love"},
}

// of is what may follow a noun and "of the", "du": the children of the village.
var of = map[string][]string{
	"student": {"school"}, "teacher": {"school", "village"}, "doctor": {"hospital", "village"}, "nurse": {"hospital"},
	"child": {"village", "city"}, "hero": {"story", "city"}, "queen": {"city"},
	"minister": {"government"},
	"plan":     {"government", "commission", "council"}, "law": {"parliament", "government"},
	"report": {"minister", "commission"}, "story": {"queen", "hero"}, "letter": {"queen", "minister"},
	"key": {"house", "car", "church", "hotel"}, "flower": {"garden"},
	"school": {"village", "city"}, "hospital": {"city"}, "church": {"village"},
	"garden": {"hotel", "hospital", "school", "house"}, "market": {"village", "city"},
}

// topics are the nouns that name a field: "on peace", "sur la paix"; and the first part of compounds.
var topics = []noun{
	{english: "peace", french: "paix", feminine: feminine},
	{english: "security", french: "sécurité", feminine: feminine},
	{english: "research", french: "recherche", feminine: feminine},
	{english: "history", french: "histoire", feminine: feminine},
	{english: "art", french: "art", feminine: masculine},
	{english: "music", french: "musique", feminine: feminine},
	{english: "love", french: "amour", feminine: masculine},
}

// name is a proper name in both languages.
type name struct {
	english, french string
	feminine        bool
}

var (
	people = []name{
		{"mary", "marie", feminine}, {"john", "jean", masculine}, {"peter", "pierre", masculine}, {"paul", "paul", masculine},
		{"alice", "alice", feminine}, {"henry", "henri", masculine}, {"claire", "claire", feminine},
		{"sophie", "sophie", feminine},
	}
	cities = []name{{"paris", "paris", masculine}, {"london", "londres", masculine}, {"brussels", "bruxelles", feminine}}
	months = []name{{"may", "mai", masculine}, {"june", "juin", masculine}, {"august", "août", masculine}}
	days   = []name{{"monday", "lundi", masculine}, {"friday", "vendredi", masculine}, {"sunday", "dimanche", masculine}}
	years  = []name{{"1992", "1992", masculine}, {"2004", "2004", masculine}, {"2014", "2014", masculine}}

	numerals = []name{
		{english: "two", french: "deux"}, {english: "three", french: "trois"}, {english: "four", french: "quatre"},
		{english: "five", french: "cinq"},
		{english: "eight", french: "huit"}, {english: "ten", french: "dix"},
	}

	// interjections open a sentence and colour all of it.
	interjections = []name{
		{english: "yes", french: "oui"}, {english: "no", french: "non"}, {english: "alas", french: "hélas"},
		{english: "of course", french: "bien sûr"}, {english: "unfortunately", french: "malheureusement"},
		{english: "fortunately", french: "heureusement"}, {english: "however", french: "cependant"},
	}
)

// adjective is an adjective with its four French forms; [beforeVowel] knows bel, nouvel and vieil.
type adjective struct {
	english string
	// french is masculine, feminine, masculine plural, feminine plural.
	french [4]string
	// place is where French puts it: before the noun, or behind it, the higher the closer. English has the mirror image:
	// important european economic plans, plans économiques européens importants.
	place place
	// scale is what adjectives say that exclude each other.
	scale string
	// attributive and predicative are the classes it may be said of, beside a noun and behind "is".
	attributive, predicative []class
}

type place uint8

const (
	before place = iota
	behind
	national
	classifying
)

var adjectives = []adjective{
	{"big", [4]string{"grand", "grande", "grands", "grandes"}, before, "size",
		[]class{animal, thing, food, building, home, area, outdoors}, []class{animal, thing, building, home, area, outdoors, zone}},
	{"small", [4]string{"petit", "petite", "petits", "petites"}, before, "size",
		[]class{animal, thing, food, building, home, area, outdoors}, []class{person, speaker, animal, thing, building, home, area, outdoors}},
	{"beautiful", [4]string{"beau", "belle", "beaux", "belles"}, before, "beautiful",
		[]class{person, animal, text, thing, food, building, home, area, outdoors}, []class{animal, text, thing, building, home, area, outdoors}},
	{"old", [4]string{"vieux", "vieille", "vieux", "vieilles"}, before, "age",
		[]class{person, animal, text, thing, building, home, area, outdoors}, []class{person, speaker, animal, thing, building, home}},
	{"new", [4]string{"nouveau", "nouvelle", "nouveaux", "nouvelles"}, before, "age",
		[]class{person, official, deed, text, thing, building, home}, nil},
	{"good", [4]string{"bon", "bonne", "bons", "bonnes"}, before, "good",
		[]class{person, animal, deed, text, food, building}, []class{deed, text, food}},
	{"young", [4]string{"jeune", "jeune", "jeunes", "jeunes"}, before, "age",
		[]class{person, animal}, []class{person, speaker, animal}},

	{"red", [4]string{"rouge", "rouge", "rouges", "rouges"}, behind, "colour", []class{thing, food}, []class{thing, food}},
	{"white", [4]string{"blanc", "blanche", "blancs", "blanches"}, behind, "colour", []class{animal, thing, building, home}, []class{animal, thing, building, home}},
	{"yellow", [4]string{"jaune", "jaune", "jaunes", "jaunes"}, behind, "colour", []class{animal, thing, food}, []class{thing, food}},
	{"useful", [4]string{"utile", "utile", "utiles", "utiles"}, behind, "useful",
		[]class{deed, text}, []class{deed, text, zone}},
	{"famous", [4]string{"célèbre", "célèbre", "célèbres", "célèbres"}, behind, "famous",
		[]class{person, official, text, building, area, outdoors}, []class{person, speaker, official, text, building, area, outdoors}},
	{"sad", [4]string{"triste", "triste", "tristes", "tristes"}, behind, "sad",
		[]class{person, animal, text}, []class{person, speaker, animal, text}},
	{"european", [4]string{"européen", "européenne", "européens", "européennes"}, national, "european",
		[]class{official, deed, area, outdoors, zone}, []class{deed}},
	{"economic", [4]string{"économique", "économique", "économiques", "économiques"}, classifying, "economic",
		[]class{deed, zone}, nil},
	{"french", [4]string{"français", "française", "français", "françaises"}, national, "french",
		[]class{person, official, deed, text, area, outdoors, building}, []class{person, speaker, text}},
}

// verb is a verb in the forms that sentences need.
type verb struct {
	// english is the base form, the third person singular and the past.
	english [3]string
	// present is je, il, nous, vous, ils.
	present                [5]string
	participle, infinitive string
	// imparfait is the past where the passé composé would be wrong: était.
	imparfait *[5]string
	traits    trait
}

type trait uint8

const (
	être     trait = 1 << iota // its passé composé is made with être, and its participle agrees with the subject
	agreeing                   // its participle's forms of agreement are in the vocabulary; others are not used where they would be needed
	passive                    // the English past is also the participle of the passive: sold, but not saw
	event                      // it happens when something else does
	state                      // it lasts
	feeling                    // it happens at no place and no time
	samePast                   // the English past is spelt as the present, and says too little to translate it: read
)

func (v verb) is(t trait) bool { return v.traits&t != 0 }

var verbs = map[string]verb{
	"sleep":  irregular("sleep sleeps slept", "dors dort dormons dormez dorment dormi dormir", state),
	"sing":   regular("sing sings sang", "chant", 0),
	"work":   regular("work works worked", "travaill", state),
	"live":   irregular("live lives lived", "vis vit vivons vivez vivent vécu vivre", state),
	"return": regular("return returns returned", "rentr", être|event),
	"leave":  irregular("leave leaves left", "pars part partons partez partent parti partir", être|event),
	"fall":   regular("fall falls fell", "tomb", être|event),
	"come":   irregular("come comes came", "viens vient venons venez viennent venu venir", être|event),
	"go":     irregular("go goes went", "vais va allons allez vont allé aller", être|event),

	"read":  irregular("read reads read", "lis lit lisons lisez lisent lu lire", samePast),
	"write": irregular("write writes wrote", "écris écrit écrivons écrivez écrivent écrit écrire", 0),
	"take":  irregular("take takes took", "prends prend prenons prenez prennent pris prendre", event),
	"sell":  irregular("sell sells sold", "vends vend vendons vendez vendent vendu vendre", agreeing|passive|event),
	"eat":   irregular("eat eats ate", "mange mange mangeons mangez mangent mangé manger", 0),
	"see":   irregular("see sees saw", "vois voit voyons voyez voient vu voir", agreeing|event),
	"find":  regular("find finds found", "trouv", event),
	"look":  regular("look looks looked", "cherch", 0),
	"love":  regular("love loves loved", "aim", state|feeling),

	"give":   regular("give gives gave", "donn", event),
	"speak":  regular("speak speaks spoke", "parl", 0),
	"answer": irregular("answer answers answered", "réponds répond répondons répondez répondent répondu répondre", event),
	"say":    irregular("say says said", "dis dit disons dites disent dit dire", 0),

	"sign":   regular("sign signs signed", "sign", agreeing|passive|event),
	"adopt":  regular("adopt adopts adopted", "adopt", agreeing|passive|event),
	"reject": irregular("reject rejects rejected", "rejette rejette rejetons rejetez rejettent rejeté rejeter", agreeing|passive|event),
}

// regular is a verb of the first group: english is its three forms, stem the French one.
func regular(english, stem string, traits trait) verb {
	endings := [...]string{"e", "e", "ons", "ez", "ent", "é", "er"}
	french := make([]string, len(endings))
	for i, ending := range endings {
		french[i] = stem + ending
	}
	return irregular(english, strings.Join(french, " "), traits)
}

// irregular lists the five forms of the present, the participle and the infinitive.
func irregular(english, french string, traits trait) verb {
	v := verb{traits: traits}
	copy(v.english[:], strings.Fields(english))
	forms := strings.Fields(french)
	copy(v.present[:], forms)
	v.participle, v.infinitive = forms[5], forms[6]
	return v
}

// The forms that other verbs are conjugated with.
var (
	have = [5]string{"ai", "a", "avons", "avez", "ont"}
	be   = [5]string{"suis", "est", "sommes", "êtes", "sont"}
	was  = [5]string{"étais", "était", "étions", "étiez", "étaient"}
	goes = verbs["go"].present
)

// inflected is a participle in its four forms of agreement.
func inflected(participle string) []string {
	return []string{participle, participle + "e", participle + "s", participle + "es"}
}
