package corpus

import "testing"

func TestFingerprint(t *testing.T) {
	base := func() Data {
		return Data{Name: "n", Source: "en", Target: "fr",
			Train: []Pair{{Source: []string{"a", "b"}, Target: []string{"c"}, Links: []Link{{Source: 1}}}, {Source: []string{"d"}, Target: []string{"e"}}},
			Dev:   []Pair{{Source: []string{"f"}, Target: []string{"g"}}}}
	}
	// A run folder of another year must still be found.
	const golden = "4da46c1121be698d27e9c02976b320439ab7008e97cd48a3cc5e47496e857e32"
	if got := Fingerprint(base()); got != golden {
		t.Errorf("fingerprint %s, want %s", got, golden)
	}
	seen := map[string]string{golden: "nothing"}
	for name, change := range map[string]func(*Data){
		"name":                func(d *Data) { d.Name = "m" },
		"source language":     func(d *Data) { d.Source = "de" },
		"languages shifted":   func(d *Data) { d.Source, d.Target = "enf", "r" },
		"a token":             func(d *Data) { d.Train[0].Source[0] = "A" },
		"tokens joined":       func(d *Data) { d.Train[0].Source = []string{"ab"} },
		"token moved over":    func(d *Data) { d.Train[0].Source, d.Train[0].Target = []string{"a"}, []string{"b", "c"} },
		"order":               func(d *Data) { d.Train[0], d.Train[1] = d.Train[1], d.Train[0] },
		"pair moved":          func(d *Data) { d.Dev, d.Test = nil, d.Dev },
		"train to dev":        func(d *Data) { d.Train, d.Dev = d.Train[:1], append(d.Train[1:2:2], d.Dev...) },
		"a link":              func(d *Data) { d.Train[0].Links[0].Source = 0 },
		"a link less certain": func(d *Data) { d.Train[0].Links[0].Possible = true },
		"no links":            func(d *Data) { d.Train[0].Links = nil },
	} {
		d := base()
		change(&d)
		sum := Fingerprint(d)
		if before, ok := seen[sum]; ok {
			t.Errorf("changing %s gives the fingerprint of changing %s", name, before)
		}
		seen[sum] = name
	}
}
