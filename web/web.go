// Package web embeds the bundled pages of the service: scripts, styles and icons that a browser loads from /web/.
package web

import (
	"embed"
	"io/fs"
)

//go:generate npm ci --silent --no-audit --no-fund
//go:generate go run ./build

//go:embed dist-packed
var packed embed.FS

// Files returns the bundled files, compressed by gzip and with the extension .gz.
func Files() fs.FS {
	files, err := fs.Sub(packed, "dist-packed")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}
