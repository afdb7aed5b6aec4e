package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"seq2attn/pkg/project"
)

// PluginVariable names the environment variable with the folders, colon-separated, in which a plugin is looked for.
const PluginVariable = "PJRT_PLUGIN_LIBRARY_PATH"

// pluginName is what the file of a PJRT plugin for the CPU is called, with .so or on macOS .dylib behind it.
const pluginName = "pjrt_c_api_cpu_plugin"

// ErrNoPlugin says that no XLA plugin was found.
var ErrNoPlugin = errors.New("no XLA plugin")

// findPlugin is the absolute path of the plugin: in a folder named by [PluginVariable] where that is set, else in the
// checkout's .lab/pjrt.
func findPlugin() (string, error) {
	folders := filepath.SplitList(os.Getenv(PluginVariable))
	if len(folders) == 0 {
		lab, err := project.Path(".lab", "pjrt")
		if err != nil {
			return "", fmt.Errorf("engine: %w: %w; or name its folder in %s", ErrNoPlugin, err, PluginVariable)
		}
		folders = []string{lab}
	}
	for _, folder := range folders {
		for _, extension := range []string{".so", ".dylib"} {
			path, err := filepath.Abs(filepath.Join(folder, pluginName+extension))
			if err != nil {
				return "", fmt.Errorf("engine: %w", err)
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("engine: %w: no %s.so in %q; run make lab, or name its folder in %s", ErrNoPlugin, pluginName, folders, PluginVariable)
}
