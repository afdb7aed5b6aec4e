package corpus

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestDateForms(t *testing.T) {
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		l                *dateLanguage
		date, form, want string
	}{
		{english(), "1998-03-03", "{weekday} , {d} {month} {yyyy}", "Tuesday , 3 March 1 9 9 8"},
		{english(), "2000-02-29", "{weekday} , {month} {d} , {yyyy}", "Tuesday , February 2 9 , 2 0 0 0"},
		{english(), "2001-12-01", "the {nth} of {month} {yyyy}", "the 1 st of December 2 0 0 1"},
		{english(), "2001-12-12", "{nth} {month} {yyyy}", "1 2 th December 2 0 0 1"},
		{english(), "2001-12-22", "{nth} {month} {yyyy}", "2 2 nd December 2 0 0 1"},
		{english(), "2001-05-13", "{mon} {d} , {yyyy}", "May 1 3 , 2 0 0 1"},
		{english(), "1999-01-31", "the {day} of {month} {yyyy}", "the thirty-first of January 1 9 9 9"},
		{english(), "1999-01-03", "{wd} {d} {mon} {yy}", "Sun 3 Jan 9 9"},
		{english(), "1999-01-03", "{dd} / {mm} / {yyyy}", "0 3 / 0 1 / 1 9 9 9"},
		{english(), "1999-11-13", "{d} . {m} . {yyyy}", "1 3 . 1 1 . 1 9 9 9"},
		{french(), "2024-02-01", "le {weekday} {nth} {month} {yyyy}", "le jeudi 1 er février 2 0 2 4"},
		{french(), "2024-08-21", "le {day} {month} {yyyy}", "le vingt-et-un août 2 0 2 4"},
		{french(), "2024-08-02", "{wd} {nth} {mon} {yy}", "ven. 2 août 2 4"},
	} {
		p := c.l.write(day(c.date), c.form)
		if got := strings.Join(p.Source, " "); got != c.want || strings.Join(p.Target, "") != c.date {
			t.Errorf("%s in the form %s became %q → %q, want %q", c.date, c.form, got, p.Target, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	for _, language := range []string{"en", "fr", ""} {
		d, err := Dates(DateOptions{Language: language, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Train) != 5000 || len(d.Dev) != 500 || len(d.Test) != 500 {
			t.Fatalf("%d, %d, %d pairs", len(d.Train), len(d.Dev), len(d.Test))
		}
		dates, sources := map[string]bool{}, map[string]bool{}
		leap := false
		for _, pairs := range [][]Pair{d.Train, d.Dev, d.Test} {
			for _, p := range pairs {
				date, source := strings.Join(p.Target, ""), strings.Join(p.Source, " ")
				if _, err := time.Parse(time.DateOnly, date); err != nil || dates[date] || sources[source] {
					t.Fatalf("%s: %s, %v or a second time", source, date, err)
				}
				dates[date], sources[source] = true, true
				leap = leap || strings.HasSuffix(date, "-02-29")
				checkDateLinks(t, p)
			}
		}
		if !leap {
			t.Error("no 29 February among 6,000 dates")
		}
		again, _ := Dates(DateOptions{Language: language, Seed: 1})
		other, _ := Dates(DateOptions{Language: language, Seed: 2})
		if !reflect.DeepEqual(d, again) || reflect.DeepEqual(d, other) {
			t.Error("the seed does not fix the data, or changes nothing")
		}
	}
}

// checkDateLinks verifies that every digit of the target has a link, and that a link to a digit is a link to the same one, unless
// it is only possible.
func checkDateLinks(t *testing.T, p Pair) {
	t.Helper()
	linked := map[int]bool{}
	for i, l := range p.Links {
		if l.Source < 0 || l.Source >= len(p.Source) || l.Target < 0 || l.Target >= len(p.Target) || i > 0 && l.Target < p.Links[i-1].Target {
			t.Fatalf("link %v of %v", l, p)
		}
		linked[l.Target] = true
		if _, err := strconv.Atoi(p.Source[l.Source]); err == nil && !l.Possible && p.Source[l.Source] != p.Target[l.Target] {
			t.Fatalf("link %v of %v joins two different digits", l, p)
		}
	}
	for i, c := range p.Target {
		if linked[i] == (c == "-") {
			t.Fatalf("target %d of %v: linked %v", i, p, linked[i])
		}
	}
}

// Every form has all of a date in it, and there are enough of them.
func TestDateFormsAreWhole(t *testing.T) {
	for _, l := range []*dateLanguage{english(), french()} {
		if len(l.forms) < 12 || len(l.months) != 12 || len(l.monthsShort) != 12 || len(l.weekdays) != 7 || len(l.weekdaysShort) != 7 || len(l.dayWords) != 31 {
			t.Errorf("%d forms, %d months, %d weekdays, %d days", len(l.forms), len(l.months), len(l.weekdays), len(l.dayWords))
		}
		seen := map[string]bool{}
		for _, form := range l.forms {
			p := l.write(time.Date(1998, 10, 24, 0, 0, 0, 0, time.UTC), form)
			checkDateLinks(t, p)
			key := strings.Join(p.Source, " ")
			if seen[key] || strings.ContainsAny(key, "{}") {
				t.Errorf("form %q gives %q, a second time or in part", form, key)
			}
			seen[key] = true
		}
	}
}

func TestDateErrors(t *testing.T) {
	for _, c := range []struct {
		o    DateOptions
		want string
	}{
		{DateOptions{Language: "de"}, "Language"},
		{DateOptions{FirstYear: 2000, LastYear: 1999}, "LastYear"},
		{DateOptions{FirstYear: 2000}, "LastYear"},
		{DateOptions{FirstYear: 1500, LastYear: 1600}, "FirstYear"},
		{DateOptions{FirstYear: 9000, LastYear: 10000}, "LastYear"},
		{DateOptions{Train: -1}, "Train"},
		{DateOptions{FirstYear: 2000, LastYear: 2000, Train: 367}, "366 days"},
	} {
		if _, err := Dates(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
	if d, err := Dates(DateOptions{FirstYear: 2000, LastYear: 2000, Train: 366}); err != nil || len(d.Train) != 366 {
		t.Errorf("all days of a year: %v", err)
	}
}
