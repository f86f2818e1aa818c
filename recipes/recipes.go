// Package recipes holds the recipes that are part of the program. Each recipe is in a folder with its name.
package recipes

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// Zip is the name of the file that contains all recipes without their pictures. tools/docgen writes it.
const Zip = "recipes.zip"

//go:embed recipes.zip
var packed []byte

// Files returns the recipes as a file system. An error means that the program was built incorrectly.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }
