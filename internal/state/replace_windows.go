package state

import "os"

// Replace writes a file in place of the file at the path. It writes a new file first and then renames it.
func Replace(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReplaceLike is Replace, because the folder decides about permissions.
func ReplaceLike(path string, data []byte) error { return Replace(path, data) }
