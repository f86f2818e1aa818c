//go:build !windows

package state

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Replace writes a file for its owner alone, in place of the file at the path. A loss of power leaves the old file or the new
// one (rename(2), fsync(2)).
func Replace(path string, data []byte) error { return renameio.WriteFile(path, data, 0o600) }

// ReplaceLike is Replace with the permissions of the file that has the path. A new file is readable for everyone.
func ReplaceLike(path string, data []byte) error {
	return renameio.WriteFile(path, data, 0o644, renameio.WithExistingPermissions(), renameio.WithTempDir(filepath.Dir(path)))
}
