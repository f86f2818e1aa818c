//go:build !windows

package state

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Replace replaces the file at a path. Only the owner of the new file can read it. After a power cut there is either the old file or the
// new file (rename(2), fsync(2)).
func Replace(path string, data []byte) error { return renameio.WriteFile(path, data, 0o600) }

// ReplaceLike is like Replace, but it keeps the permissions of the existing file. If there is no existing file, everyone can read the new
// file.
func ReplaceLike(path string, data []byte) error {
	return renameio.WriteFile(path, data, 0o644, renameio.WithExistingPermissions(), renameio.WithTempDir(filepath.Dir(path)))
}
