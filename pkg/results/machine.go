package results

import (
	"bufio"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
)

// Machine is what a measurement ran on. It has no host name.
type Machine struct {
	OS           string `json:"os"`            // as in GOOS
	Architecture string `json:"architecture"`  // as in GOARCH
	CPU          string `json:"cpu,omitempty"` // the model; empty where the system does not say
	Cores        int    `json:"cores"`         // that the program may use
}

// ThisMachine describes the machine that runs the program.
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Architecture: runtime.GOARCH, Cores: runtime.NumCPU()}
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		m.CPU = cpuModel(f)
	}
	return m
}

// cpuModel reads the processor's name from the text of Linux's /proc/cpuinfo; not every architecture has one there.
func cpuModel(text io.Reader) string {
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// PeakMemory is the largest resident memory of a process, in bytes.
func PeakMemory(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "linux" { // in KB there, elsewhere in bytes
		return usage.Maxrss << 10
	}
	return usage.Maxrss
}

// Versions are those of Go, of the course (where the build knows its commit) and of the libraries that the program is linked with
// and that numbers may depend on. Commands add what no build knows, such as the XLA plugin.
func Versions() map[string]string {
	info, _ := debug.ReadBuildInfo()
	return versions(info)
}

func versions(info *debug.BuildInfo) map[string]string {
	all := map[string]string{"go": runtime.Version()}
	if info == nil {
		return all
	}
	for _, m := range info.Deps {
		if !strings.HasPrefix(m.Path, "github.com/gomlx/") {
			continue
		}
		all[m.Path] = m.Version
		if m.Replace != nil {
			all[m.Path] += " replaced" // by what may be a folder of this machine
		}
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		if settings["vcs.modified"] == "true" {
			revision += " with changes"
		}
		all[info.Main.Path] = revision
	}
	return all
}
