package fb

import (
	"errors"

	"golang.org/x/sys/unix"
)

// allocate allocates the blocks of the first `size` bytes of a file (fallocate(2)). If the file is shorter, it gets longer. `length` is the
// present length.
func allocate(fd int, length, size int64) error {
	for {
		err := unix.Fallocate(fd, 0, 0, size)
		switch {
		case errors.Is(err, unix.EINTR): // tmpfs stops at a signal
		case errors.Is(err, unix.EOPNOTSUPP):
			return writeZeros(fd, length, size)
		default:
			return err
		}
	}
}
