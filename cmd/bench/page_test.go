package main

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	for i, want := range []string{"update 10.0 ms 20.0 ms 0.50 0.40 0.60", "memory 100 MB 400 MB 0.25 0.25 0.25", "first 2.00 s"} {
		if got := strings.Join(strings.Fields(examples()[i].line()), " "); got != want {
			t.Errorf("line: %q, want %q", got, want)
		}
	}
}

func TestPage(t *testing.T) {
	got := string(page(examples()))
	for _, want := range []string{
		"| update | 10.0 ms | 20.0 ms | **0.50** | 0.40 | 0.60 | 768 | 768 |\n",
		"| memory | 100 MB | 400 MB | **0.25** | 0.25 | 0.25 |  |  |\n",
		"| first | 2.00 s |  |\n",
		"- 2030-01-02, 5 rounds",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
	if strings.Count(got, "2030-01-02") != 1 {
		t.Errorf("one machine and date, more than once:\n%s", got)
	}
}
