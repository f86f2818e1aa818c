//go:build !unix

package output

import (
	"os"
	"path/filepath"
)

// ReplaceFile replaces the file at path by a file with the given content. If it fails, it leaves the file and the folder unchanged.
func ReplaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // err has the reason
	}
	return err
}

// pointTo makes path a copy of the file with the given name in the same folder, because only few users of Windows may create links.
func pointTo(name, path string) error {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(path), name))
	if err != nil {
		return err
	}
	return ReplaceFile(path, data)
}
