package reload

import (
	"path/filepath"
)

// A KeptConfig holds the contents of the YAML files of a folder, by their names with slashes.
type KeptConfig map[string][]byte

// Collect reads the YAML files of a configuration. Files outside the folder are not included.
func Collect(home string) KeptConfig {
	all := KeptConfig{}
	for path, data := range yamlFiles(home) {
		if rel, err := filepath.Rel(home, path); err == nil && data != nil {
			all[filepath.ToSlash(rel)] = data
		}
	}
	return all
}
