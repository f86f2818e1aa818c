package state

import "os"

// Replace writes a file in place of the file at the path: a new one first, which then takes its name.
func Replace(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReplaceLike is Replace: the folder's permissions decide.
func ReplaceLike(path string, data []byte) error { return Replace(path, data) }
