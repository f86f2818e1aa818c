package reload

import (
	"path/filepath"
)

// A KeptConfig contains the contents of a folder's YAML files. The keys are paths relative to the folder, with slashes.
type KeptConfig map[string][]byte

// Collect reads the YAML files in the folder `home` and below it.
func Collect(home string) KeptConfig {
	all := KeptConfig{}
	for path, data := range yamlFiles(home) {
		if rel, err := filepath.Rel(home, path); err == nil && data != nil {
			all[filepath.ToSlash(rel)] = data
		}
	}
	return all
}
