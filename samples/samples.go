// Package samples holds complete configurations as starting points. Each one is in a folder with its name.
package samples

import (
	"embed"
	"fmt"
	"strings"
)

// Files holds the samples, each in a folder with its name.
//
//go:embed family hat office kiosk home kitchen epaper
//go:embed month agenda weather news frame transit bins builds server energy
//go:embed classic-home
var Files embed.FS

// Names returns the names of the samples in the order of the documentation.
func Names() []string {
	return []string{"family", "hat", "office", "kiosk", "home", "kitchen", "epaper", "month", "agenda", "weather", "news", "frame", "transit", "bins", "builds", "server", "energy", "classic-home"}
}

// About returns the description of a sample. The description is the comment in the second line of
// its conf.yaml, after the line with the schema.
func About(name string) (string, error) {
	conf, err := Files.ReadFile(name + "/conf.yaml")
	if err != nil {
		return "", err
	}
	lines := strings.SplitN(string(conf), "\n", 3)
	if len(lines) < 3 || !strings.HasPrefix(lines[1], "# ") {
		return "", fmt.Errorf("samples: %s/conf.yaml has no comment in its second line", name)
	}
	return strings.TrimPrefix(lines[1], "# "), nil
}
