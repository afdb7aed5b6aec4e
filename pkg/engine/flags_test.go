package engine

import "testing"

// A user's own flags stay.
func TestWithPlainLoops(t *testing.T) {
	const added = "--xla_backend_extra_options=xla_cpu_disable_loop_unrolling"
	for flags, want := range map[string]string{
		"":                             added,
		"--xla_dump_to=x":              "--xla_dump_to=x " + added,
		added:                          added,
		"/a/file/with/flags":           "/a/file/with/flags",
		"--xla_backend_extra_options=": "--xla_backend_extra_options=",
	} {
		if got := withPlainLoops(flags); got != want {
			t.Errorf("%q becomes %q, want %q", flags, got, want)
		}
	}
}
