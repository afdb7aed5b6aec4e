package plotting_test

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"seq2attn/pkg/plotting"
)

// An SVG needs no font and no identifier, is well-formed whatever the words are, and says in words what it shows.
func TestSVG(t *testing.T) {
	figure, err := plotting.Heatmap{Title: `<b> & "quotes"`, Source: []string{"a<b", "船", "]]>"}, Target: []string{"é\x00\xff", "d"}, Weights: rows(2, 3, 0.3)}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.svg")
	if err := figure.Save(file); err != nil {
		t.Fatal(err)
	}
	text := string(read(t, file))
	decoder := xml.NewDecoder(strings.NewReader(text))
	elements := map[string]int{}
	said := map[string]string{}
	inside := ""
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
			inside = token.Name.Local
			for _, a := range token.Attr {
				if a.Name.Local == "id" || strings.Contains(a.Name.Local, "font") || strings.Contains(a.Value, "url(") {
					t.Errorf("attribute %v", a)
				}
			}
		case xml.CharData:
			said[inside] += string(token)
		}
	}
	if elements["text"] > 0 || elements["style"] > 0 || elements["defs"] > 0 || elements["image"] > 0 || elements["path"] < 10 {
		t.Errorf("%v", elements)
	}
	if strings.TrimSpace(said["title"]) != `<b> & "quotes"` || !strings.Contains(said["desc"], "Heatmap of attention weights") {
		t.Errorf("%q", said)
	}
}
