package drm

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Open opens a card. The first program that opens a card becomes its master, until it closes or drops the card.
func Open(path string) (*Card, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("open %s: %w; is the user in group video?", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return &Card{path: path, node: &kernelNode{path: path, fd: fd}}, nil
}

// Permitted returns nil if this program may open a card's device, and otherwise the reason why not. It does not open the device.
func Permitted(path string) error {
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// A kernelNode is the open device of a card in the kernel.
type kernelNode struct {
	path string
	fd   int
}

// Ioctl calls ioctl(2). It repeats the call if a signal interrupts it.
func (n *kernelNode) Ioctl(request uint32, arg unsafe.Pointer) error {
	for {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), uintptr(request), uintptr(arg))
		switch errno {
		case 0:
			return nil
		case unix.EINTR, unix.EAGAIN:
		default:
			return errno
		}
	}
}

// Mmap maps memory of the card, shared with the hardware.
func (n *kernelNode) Mmap(offset int64, size int) ([]byte, error) {
	return unix.Mmap(n.fd, offset, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

// Munmap removes a mapping.
func (n *kernelNode) Munmap(b []byte) error { return unix.Munmap(b) }

// Close closes the device.
func (n *kernelNode) Close() error { return unix.Close(n.fd) }

// Same returns an error unless the path still leads to the open device.
func (n *kernelNode) Same() error {
	var now, then unix.Stat_t
	if err := unix.Stat(n.path, &now); err != nil {
		return fmt.Errorf("%s: %w", n.path, err)
	}
	if err := unix.Fstat(n.fd, &then); err != nil {
		return fmt.Errorf("%s: %w", n.path, err)
	}
	if now.Ino != then.Ino || now.Dev != then.Dev || now.Rdev != then.Rdev {
		return fmt.Errorf("%s has been replaced", n.path)
	}
	return nil
}
