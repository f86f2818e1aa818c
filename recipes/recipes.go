// Package recipes holds the recipes that are part of the program. Each recipe is in a folder with its name.
package recipes

import (
	_ "embed"
	"io/fs"
	"sync"

	"dashboard/internal/packed"
)

// Packed is the name of the file with all recipes without their pictures. 'make docs' writes it.
const Packed = "recipes.packed"

//go:embed recipes.packed
var content []byte

// Files returns the recipes as a file system. Most walls have no recipe, so the recipes are unpacked only when the first file is opened.
// If they cannot be unpacked, the program was built incorrectly, and no file can be opened.
func Files() fs.FS {
	return unpacked(sync.OnceValues(func() (fs.FS, error) { return packed.OpenFolder(content) }))
}

type unpacked func() (fs.FS, error)

// Open implements fs.FS.
func (u unpacked) Open(name string) (fs.File, error) {
	files, err := u()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return files.Open(name)
}
