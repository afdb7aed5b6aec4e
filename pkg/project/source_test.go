package project

import (
	"strings"
	"testing"
)

func TestSource(t *testing.T) {
	t.Setenv(RootVariable, "")
	for _, c := range []struct{ name, begin, end string }{
		{"Source", "// Source is the text", "\n}"},
		{"span.Pos", "func (s *span) Pos()", "return s.start }"},
		{"span", "// span is the part", "}"},
	} {
		text, err := Source("pkg/project", c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.HasPrefix(text, c.begin) || !strings.HasSuffix(strings.TrimSpace(text), c.end) {
			t.Errorf("%s: got %q", c.name, text)
		}
	}
	for _, c := range []struct{ pkg, name string }{{"pkg/project", "nowhere"}, {"pkg/nowhere", "Source"}} {
		if text, err := Source(c.pkg, c.name); err == nil {
			t.Errorf("%s of %s: got %q, want an error", c.name, c.pkg, text)
		}
	}
}
