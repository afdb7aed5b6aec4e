package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// DateOptions describes the task of reading dates. The zero value of a field takes the default named with it.
type DateOptions struct {
	// Language of the written dates: "en", "fr", or both where empty.
	Language string
	// FirstYear and LastYear bound the dates: 1900 and 2099.
	FirstYear, LastYear int
	// Train, Dev and Test are the numbers of pairs; 5000, 500 and 500 where all three are 0.
	Train, Dev, Test int
	Seed             uint64
}

// Dates is the task of reading a written date and giving it in ISO 8601: "Tuesday, 3 March 1998" → "1998-03-03". The dates are valid
// ones of the Gregorian calendar with their right weekday, and no date occurs twice, in whatever form.
//
// Words are tokens; years and numbers of two digits are cut into digits, so that a model can copy what it reads, and the
// target is ten characters: Tuesday | , | 3 | March | 1 | 9 | 9 | 8 → 1 | 9 | 9 | 8 | - | 0 | 3 | - | 0 | 3. Each form has one
// reading: numbers stand day before month, and years of two digits are those from 1950 to 2049.
//
// Links are sure from each target digit to what it is written with, be it a digit or the name of the month, and possible to what only
// implies it: the number 3 for the 0 of 03, the suffix of 3rd, a year of two digits for its century. The hyphens have none.
func Dates(o DateOptions) (Data, error) {
	if o.FirstYear == 0 && o.LastYear == 0 {
		o.FirstYear, o.LastYear = 1900, 2099
	}
	if o.Train == 0 && o.Dev == 0 && o.Test == 0 {
		o.Train, o.Dev, o.Test = 5000, 500, 500
	}
	if o.FirstYear < 1583 || o.LastYear > 9999 || o.LastYear < o.FirstYear {
		return Data{}, fmt.Errorf("corpus: DateOptions.FirstYear is %d and LastYear %d: give years from 1583, the first whole Gregorian one, to 9999", o.FirstYear, o.LastYear)
	}
	if err := checkCounts("DateOptions", o.Train, o.Dev, o.Test); err != nil {
		return Data{}, err
	}
	var languages []*dateLanguage
	source := o.Language
	switch o.Language {
	case "en":
		languages = []*dateLanguage{english()}
	case "fr":
		languages = []*dateLanguage{french()}
	case "":
		languages = []*dateLanguage{english(), french()}
		source = "mul" // the code for several languages
	default:
		return Data{}, fmt.Errorf("corpus: DateOptions.Language is %q: give \"en\", \"fr\", or \"\" for both", o.Language)
	}

	first := time.Date(o.FirstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	days := int(time.Date(o.LastYear+1, 1, 1, 0, 0, 0, 0, time.UTC).Sub(first).Hours()) / 24
	n := o.Train + o.Dev + o.Test
	if days < n {
		return Data{}, fmt.Errorf("corpus: the years %d to %d have %d days, but %d dates are wanted: ask for fewer or for more years", o.FirstYear, o.LastYear, days, n)
	}
	random := rand.New(rand.NewPCG(o.Seed, 0))
	pairs := make([]Pair, n)
	for i, day := range random.Perm(days)[:n] {
		l := languages[random.IntN(len(languages))]
		date := first.AddDate(0, 0, day)
		form := l.forms[random.IntN(len(l.forms))]
		for strings.Contains(form, "{yy}") && (date.Year() < 1950 || date.Year() > 2049) {
			form = l.forms[random.IntN(len(l.forms))]
		}
		pairs[i] = l.write(date, form)
	}
	return Data{Name: "dates", Source: source, Target: "iso8601",
		Train: pairs[:o.Train:o.Train], Dev: pairs[o.Train : o.Train+o.Dev : o.Train+o.Dev], Test: pairs[o.Train+o.Dev:]}, nil
}

// dateLanguage is how a language writes dates.
type dateLanguage struct {
	// forms are tokens between spaces. Those in braces stand for parts of a date: {d} day or {m} month as a number, {dd} and {mm} with
	// two digits, {nth} the day as a number with its suffix, {day} as a word, {month} and {mon} the month's name and its
	// abbreviation, {weekday} and {wd} the same for weekdays, {yyyy} and {yy} the year.
	forms                   []string
	months, monthsShort     []string // from January
	weekdays, weekdaysShort []string // from Sunday
	dayWords                []string // from 1
	suffix                  func(day int) string
}

func english() *dateLanguage {
	return &dateLanguage{
		forms: []string{
			"{d} {month} {yyyy}",
			"{weekday} , {d} {month} {yyyy}",
			"{month} {d} , {yyyy}",
			"{weekday} , {month} {d} , {yyyy}",
			"{nth} {month} {yyyy}",
			"the {nth} of {month} {yyyy}",
			"{month} {nth} , {yyyy}",
			"{month} the {day} , {yyyy}",
			"the {day} of {month} {yyyy}",
			"{weekday} the {nth} of {month} , {yyyy}",
			"{mon} {d} , {yyyy}",
			"{wd} {d} {mon} {yyyy}",
			"{wd} {d} {mon} {yy}",
			"{d} - {mon} - {yy}",
			"{yyyy} , {month} {d}",
			"{dd} / {mm} / {yyyy}",
			"{d} . {m} . {yyyy}",
		},
		months:        strings.Fields("January February March April May June July August September October November December"),
		monthsShort:   strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
		weekdays:      strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
		weekdaysShort: strings.Fields("Sun Mon Tue Wed Thu Fri Sat"),
		dayWords: strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth " +
			"sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth " +
			"twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"),
		suffix: func(day int) string {
			if day/10 != 1 && day%10 >= 1 && day%10 <= 3 {
				return []string{"st", "nd", "rd"}[day%10-1]
			}
			return "th"
		},
	}
}

func french() *dateLanguage {
	return &dateLanguage{
		forms: []string{
			"{nth} {month} {yyyy}",
			"le {nth} {month} {yyyy}",
			"{weekday} {nth} {month} {yyyy}",
			"le {weekday} {nth} {month} {yyyy}",
			"{weekday} , le {nth} {month} {yyyy}",
			"le {day} {month} {yyyy}",
			"le {weekday} {day} {month} {yyyy}",
			"{wd} {nth} {month} {yyyy}",
			"{nth} {mon} {yyyy}",
			"{wd} {nth} {mon} {yy}",
			"le {nth} {mon} {yy}",
			"{month} {yyyy} , le {nth}",
			"{yyyy} , {nth} {month}",
			"le {dd} / {mm} / {yyyy}",
			"{dd} / {mm} / {yy}",
			"{d} . {m} . {yyyy}",
		},
		months:        strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		monthsShort:   strings.Fields("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
		weekdays:      strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi"),
		weekdaysShort: strings.Fields("dim. lun. mar. mer. jeu. ven. sam."),
		dayWords: strings.Fields("premier deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf " +
			"vingt vingt-et-un vingt-deux vingt-trois vingt-quatre vingt-cinq vingt-six vingt-sept vingt-huit vingt-neuf trente trente-et-un"),
		suffix: func(day int) string {
			if day == 1 {
				return "er"
			}
			return ""
		},
	}
}

// Where the parts of a date stand in 1998-03-03.
const yearAt, monthAt, dayAt = 0, 5, 8

// write is the pair of a date written in a form.
func (l *dateLanguage) write(date time.Time, form string) Pair {
	p := Pair{Target: strings.Split(date.Format(time.DateOnly), "")}
	put := func(token string, sure []int, possible ...int) {
		for _, t := range sure {
			p.Links = append(p.Links, Link{Source: len(p.Source), Target: t})
		}
		for _, t := range possible {
			p.Links = append(p.Links, Link{Source: len(p.Source), Target: t, Possible: true})
		}
		p.Source = append(p.Source, token)
	}
	// number writes n, two digits at most, which stands in the target from at on.
	number := func(n, at int, padded bool) {
		switch {
		case n < 10 && !padded:
			put(fmt.Sprint(n), []int{at + 1}, at)
		default:
			put(fmt.Sprint(n/10), []int{at})
			put(fmt.Sprint(n%10), []int{at + 1})
		}
	}
	day, month := date.Day(), int(date.Month())
	for _, token := range strings.Fields(form) {
		switch token {
		case "{d}":
			number(day, dayAt, false)
		case "{dd}":
			number(day, dayAt, true)
		case "{m}":
			number(month, monthAt, false)
		case "{mm}":
			number(month, monthAt, true)
		case "{nth}":
			number(day, dayAt, false)
			if s := l.suffix(day); s != "" {
				put(s, nil, dayAt+1)
			}
		case "{day}":
			put(l.dayWords[day-1], []int{dayAt, dayAt + 1})
		case "{month}":
			put(l.months[month-1], []int{monthAt, monthAt + 1})
		case "{mon}":
			put(l.monthsShort[month-1], []int{monthAt, monthAt + 1})
		case "{weekday}":
			put(l.weekdays[date.Weekday()], nil)
		case "{wd}":
			put(l.weekdaysShort[date.Weekday()], nil)
		case "{yyyy}":
			for i, digit := range p.Target[yearAt : yearAt+4] {
				put(digit, []int{yearAt + i})
			}
		case "{yy}":
			put(p.Target[yearAt+2], []int{yearAt + 2}, yearAt, yearAt+1)
			put(p.Target[yearAt+3], []int{yearAt + 3})
		default:
			put(token, nil)
		}
	}
	slices.SortStableFunc(p.Links, func(a, b Link) int { return a.Target - b.Target })
	return p
}
