//go:build unix

package output

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// ReplaceFile replaces the file at path by a file with the given content. If it fails, it leaves the file and the folder unchanged.
func ReplaceFile(path string, data []byte) error {
	return renameio.WriteFile(path, data, filePermissions, renameio.WithTempDir(filepath.Dir(path)))
}

// pointTo makes path a link to the file with the given name in the same folder.
func pointTo(name, path string) error { return renameio.Symlink(name, path) }
