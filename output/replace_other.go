//go:build !unix

package output

import (
	"os"
	"path/filepath"
)

// ReplaceFile writes data to a new file that then replaces the file at path. If it fails, the file and the folder are not changed.
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
		_ = os.Remove(f.Name()) // ignore an error of Remove, because err is the error to report
	}
	return err
}

// pointTo makes path a copy of the file with the given name in the same folder. It makes no link, because only few users of Windows may
// create links.
func pointTo(name, path string) error {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(path), name))
	if err != nil {
		return err
	}
	return ReplaceFile(path, data)
}
