// Package recipes holds the recipes that are part of the program. Each recipe is in a folder with its name.
package recipes

import (
	_ "embed"
	"io/fs"

	"dashboard/internal/packed"
)

// Packed is the name of the file with all recipes without their pictures. 'make docs' writes it.
const Packed = "recipes.packed"

//go:embed recipes.packed
var content []byte

// Files returns the recipes as a file system. An error means that the program was built incorrectly.
func Files() (fs.FS, error) { return packed.OpenFolder(content) }
