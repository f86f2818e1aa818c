// Package web holds the bundled pages of the service: scripts, styles and icons that a browser loads from /web/.
package web

import (
	"embed"
	"io/fs"
)

//go:generate npm ci --silent --no-audit --no-fund
//go:generate go run ./build

//go:embed dist
var dist embed.FS

// Files returns the bundled files, without their folder.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return files
}
