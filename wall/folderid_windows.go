package wall

import (
	"io/fs"
	"path/filepath"
)

// nodeOf returns the path of a folder without links.
func nodeOf(dir string, _ fs.FileInfo) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}
