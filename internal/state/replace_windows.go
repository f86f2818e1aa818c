package state

import "os"

// Replace replaces the file at a path. It first writes a temporary file and then renames it.
func Replace(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReplaceLike does the same as Replace, because on Windows the folder determines the permissions of its files.
func ReplaceLike(path string, data []byte, check func() error) error {
	if err := check(); err != nil {
		return err
	}
	return Replace(path, data)
}
