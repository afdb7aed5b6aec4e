package engine

import "strings"

const flagsVariable = "XLA_FLAGS"

// withPlainLoops adds to XLA's flags that LLVM unrolls no loops, where they do not name such an option themselves or lie in a file: a first update comes a sixth sooner, and
// later ones are as fast.
func withPlainLoops(flags string) string {
	const option = "--xla_backend_extra_options"
	if flags != "" && !strings.HasPrefix(flags, "-") || strings.Contains(flags, option) {
		return flags
	}
	return strings.TrimSpace(flags + " " + option + "=xla_cpu_disable_loop_unrolling")
}
