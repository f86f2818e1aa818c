//go:build !windows

package state

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Replace writes a file, readable only by its owner, in place of the file at the path. After a loss of power there is either the
// old file or the new one (rename(2), fsync(2)).
func Replace(path string, data []byte) error { return renameio.WriteFile(path, data, 0o600) }

// ReplaceLike is Replace with the permissions of the existing file. A new file is readable for everyone.
func ReplaceLike(path string, data []byte) error {
	return renameio.WriteFile(path, data, 0o644, renameio.WithExistingPermissions(), renameio.WithTempDir(filepath.Dir(path)))
}
