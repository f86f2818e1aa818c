//go:build unix

package output

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// ReplaceFile writes data to a new file that then replaces the file at path. If it fails, the file and the folder are not changed.
func ReplaceFile(path string, data []byte) error {
	return renameio.WriteFile(path, data, filePermissions, renameio.WithTempDir(filepath.Dir(path)))
}

// pointTo makes path a symbolic link to the file with the given name in the same folder.
func pointTo(name, path string) error { return renameio.Symlink(name, path) }
