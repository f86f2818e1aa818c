// Package web embeds the bundled files of the web pages. Browsers load these scripts, styles and icons from /web/.
package web

import (
	"embed"
	"io/fs"
)

//go:generate npm ci --silent --no-audit --no-fund
//go:generate go run ./build

//go:embed dist-packed
var packed embed.FS

// Files returns the bundled files. Each file is compressed with gzip and has the extension .gz.
func Files() fs.FS {
	files, err := fs.Sub(packed, "dist-packed")
	if err != nil {
		panic(err) // cannot happen, because the folder is embedded
	}
	return files
}
