//go:build unix

package output

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// ReplaceFile replaces path with a file of the given content, or leaves it and the folder unchanged.
func ReplaceFile(path string, data []byte) error {
	return renameio.WriteFile(path, data, filePermissions, renameio.WithTempDir(filepath.Dir(path)))
}

// pointTo makes path a link to the file with the given name in the same folder.
func pointTo(name, path string) error { return renameio.Symlink(name, path) }
