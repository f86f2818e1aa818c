package reload

import (
	"path/filepath"
)

// A KeptConfig are the YAML files of a folder: their contents by their names in it, with slashes.
type KeptConfig map[string][]byte

// Collect reads the YAML files of a configuration. The watched files are all of them, except for files elsewhere.
func Collect(home string) KeptConfig {
	all := KeptConfig{}
	for path, data := range yamlFiles(home) {
		if rel, err := filepath.Rel(home, path); err == nil && data != nil {
			all[filepath.ToSlash(rel)] = data
		}
	}
	return all
}
