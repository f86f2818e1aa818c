//go:build unix

package wall

import (
	"os"
	"syscall"
)

// lock locks a folder for this program. It returns false if another program has locked the folder. `release` removes the lock.
func lock(dir string) (release func(), ok bool) {
	none := func() {}
	f, err := os.Open(dir)
	if err != nil {
		return none, true // the error appears again when the files are read
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
		f.Close()
		return none, false
	}
	return func() { f.Close() }, true // if the file system has no locks, another program cannot be detected
}
