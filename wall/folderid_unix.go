//go:build unix

package wall

import (
	"fmt"
	"io/fs"
	"syscall"
)

// nodeOf returns the device and inode of a folder. For other file systems, it returns the path.
func nodeOf(dir string, info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return dir
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}
