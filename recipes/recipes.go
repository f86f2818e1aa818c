// Package recipes holds the recipes that are part of the program. Each recipe is in a folder with its name.
package recipes

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"io/fs"
)

// Packed is the name of the file with all recipes without their pictures. It is a zip file of uncompressed files, which is compressed as
// a whole (RFC 1951). The many small files are similar, so the result has a third of the size of a usual zip file. 'make docs' writes it.
const Packed = "recipes.packed"

//go:embed recipes.packed
var packed []byte

// Files returns the recipes as a file system. An error means that the program was built incorrectly.
func Files() (fs.FS, error) {
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(plain), int64(len(plain)))
}
