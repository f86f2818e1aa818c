// Package samples holds complete configurations as starting points. Each one is in a folder with its name.
package samples

import (
	_ "embed"
	"fmt"
	"io/fs"
	"strings"

	"dashboard/internal/packed"
)

// Packed is the name of the file with all samples. 'make docs' writes it.
const Packed = "samples.packed"

//go:embed samples.packed
var content []byte

// Files returns the samples, each in a folder with its name. An error means that the program was built incorrectly.
func Files() (fs.FS, error) { return packed.OpenFolder(content) }

// Names returns the names of the samples in the order of the documentation.
func Names() []string {
	return []string{"family", "hat", "office", "kiosk", "home", "kitchen", "epaper", "month", "agenda", "weather", "news", "frame", "transit", "bins", "builds", "server", "energy", "classic-home"}
}

// About returns the description of a sample. The description is the comment in the second line of
// its conf.yaml, after the line with the schema.
func About(name string) (string, error) {
	files, err := Files()
	if err != nil {
		return "", err
	}
	conf, err := fs.ReadFile(files, name+"/conf.yaml")
	if err != nil {
		return "", err
	}
	lines := strings.SplitN(string(conf), "\n", 3)
	if len(lines) < 3 || !strings.HasPrefix(lines[1], "# ") {
		return "", fmt.Errorf("samples: %s/conf.yaml has no comment in its second line", name)
	}
	return strings.TrimPrefix(lines[1], "# "), nil
}
