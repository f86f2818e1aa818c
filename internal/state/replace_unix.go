//go:build !windows

package state

import "github.com/google/renameio/v2"

// Replace writes a file for its owner alone, in place of the file at the path. A loss of power leaves the old file or the new
// one (rename(2), fsync(2)).
func Replace(path string, data []byte) error { return renameio.WriteFile(path, data, 0o600) }
