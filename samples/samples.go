// Package samples holds walls that somebody may want as they are: each folder is a whole configuration.
package samples

import "embed"

// Files are the samples, each in a folder of its name.
//
//go:embed family hat office kiosk home kitchen epaper
//go:embed month agenda weather news frame transit bins builds server energy
//go:embed classic-home
var Files embed.FS

// Names are the samples there are, in the order of the documentation.
func Names() []string {
	return []string{"family", "hat", "office", "kiosk", "home", "kitchen", "epaper", "month", "agenda", "weather", "news", "frame", "transit", "bins", "builds", "server", "energy", "classic-home"}
}
