// Package recipes holds the recipes that come with the program, each in a folder with its name.
package recipes

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// Zip is the name of the file with all recipes, without their pictures. tools/docgen writes it.
const Zip = "recipes.zip"

//go:embed recipes.zip
var packed []byte

// Files returns the recipes. An error means that the program was built incorrectly.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }
