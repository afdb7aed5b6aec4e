package results

import (
	"maps"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	if m.OS != runtime.GOOS || m.Architecture != runtime.GOARCH || m.Cores < 1 {
		t.Errorf("%+v", m)
	}
}

func TestCPUModel(t *testing.T) {
	for want, text := range map[string]string{
		"Some(R) CPU @ 2.00GHz": "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some(R) CPU @ 2.00GHz\n\nprocessor\t: 1\nmodel name\t: Another\n",
		"":                      "processor\t: 0\nBogoMIPS\t: 50.00\nCPU part\t: 0xd0c\n",
	} {
		if got := cpuModel(strings.NewReader(text)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestVersions(t *testing.T) {
	if got := versions(nil); !maps.Equal(got, map[string]string{"go": runtime.Version()}) {
		t.Errorf("no build information: %v", got)
	}
	got := versions(&debug.BuildInfo{
		Main: debug.Module{Path: "seq2attn"},
		Deps: []*debug.Module{
			{Path: "github.com/gomlx/gomlx", Version: "v0.28.2"},
			{Path: "github.com/gomlx/compute", Version: "v0.1.2", Replace: &debug.Module{Path: "/home/someone/compute"}},
			{Path: "gonum.org/v1/plot", Version: "v0.17.0"},
		},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc123"}, {Key: "vcs.modified", Value: "true"}},
	})
	want := map[string]string{"go": runtime.Version(), "github.com/gomlx/gomlx": "v0.28.2", "github.com/gomlx/compute": "v0.1.2 replaced", "seq2attn": "abc123 with changes"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
