// Package recipes holds the recipes that come with the program, each in a folder of its name.
package recipes

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// Zip is the file of all recipes without their pictures, which tools/docgen writes.
const Zip = "recipes.zip"

//go:embed recipes.zip
var packed []byte

// Files are the recipes. The error comes from a wrong build of the program.
func Files() (fs.FS, error) { return zip.NewReader(bytes.NewReader(packed), int64(len(packed))) }
