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
// file. When the new file is on the disk, ReplaceLike calls `check`. If `check` returns an error, the old file stays.
func ReplaceLike(path string, data []byte, check func() error) error {
	dir := renameio.WithTempDir(filepath.Dir(path))
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions(), dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }() // after a replacement, Cleanup does nothing
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
