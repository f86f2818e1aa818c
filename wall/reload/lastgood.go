package reload

import (
	"path/filepath"
)

// A KeptConfig contains the contents of the YAML files of a folder, by name with slashes.
type KeptConfig map[string][]byte

// Collect reads the YAML files of a configuration. It does not read files outside of the folder.
func Collect(home string) KeptConfig {
	all := KeptConfig{}
	for path, data := range yamlFiles(home) {
		if rel, err := filepath.Rel(home, path); err == nil && data != nil {
			all[filepath.ToSlash(rel)] = data
		}
	}
	return all
}
