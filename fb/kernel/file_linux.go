package kernel

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A File is an open device. If the device supports polling, a Read that waits blocks only its own goroutine. SetReadDeadline and Close
// can end such a Read.
type File struct{ *os.File }

// Open opens a device for reading and writing. If writing is not permitted, it opens the device for reading only.
func Open(path string) (*File, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EROFS) {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return &File{os.NewFile(uintptr(fd), path)}, nil
}

// FileOf returns a File for a file descriptor that came from an ioctl.
func FileOf(fd int, name string) (*File, error) {
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return &File{os.NewFile(uintptr(fd), name)}, nil
}

// Ioctl calls ioctl(2) with a pointer to a structure. It repeats the call if a signal interrupts it.
func (f *File) Ioctl(request uint32, arg unsafe.Pointer) error { return f.ioctl(request, arg, 0) }

// IoctlValue calls ioctl(2) with a number instead of a pointer.
func (f *File) IoctlValue(request uint32, value uintptr) error { return f.ioctl(request, nil, value) }

func (f *File) ioctl(request uint32, arg unsafe.Pointer, value uintptr) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var errno unix.Errno
	err = raw.Control(func(fd uintptr) {
		for {
			if arg != nil {
				_, _, errno = unix.Syscall(unix.SYS_IOCTL, fd, uintptr(request), uintptr(arg))
			} else {
				_, _, errno = unix.Syscall(unix.SYS_IOCTL, fd, uintptr(request), value)
			}
			if errno != unix.EINTR {
				return
			}
		}
	})
	if err == nil && errno != 0 {
		err = errno
	}
	return err
}
