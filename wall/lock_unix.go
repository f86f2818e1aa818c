//go:build unix

package wall

import (
	"os"
	"syscall"
)

// lock locks a folder for this program until release is called. It returns false if another program has locked it.
func lock(dir string) (release func(), ok bool) {
	none := func() {}
	f, err := os.Open(dir)
	if err != nil {
		return none, true // reading the files reports the error
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == syscall.EWOULDBLOCK {
		f.Close()
		return none, false
	}
	return func() { f.Close() }, true // the file system has no locks, so another program cannot be detected
}
