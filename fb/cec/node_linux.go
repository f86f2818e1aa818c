package cec

import (
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A kernelNode is an open CEC device of the kernel. It is not a kernel.File, because its ioctl calls block: waiting for an answer takes up
// to a second.
type kernelNode struct{ fd int }

// Open opens the device of an adapter, such as /dev/cec0.
func Open(path string) (Node, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &kernelNode{fd}, nil
}

// Ioctl calls ioctl(2). It repeats the call if a signal interrupts it.
func (n *kernelNode) Ioctl(request uint32, arg unsafe.Pointer) error {
	for {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(n.fd), uintptr(request), uintptr(arg))
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}

// Close closes the device.
func (n *kernelNode) Close() error { return unix.Close(n.fd) }

// Paths returns the paths of the CEC devices in a folder such as /dev.
func Paths(dev string) []string {
	all, _ := filepath.Glob(filepath.Join(dev, "cec*"))
	return all[:min(len(all), maxAdapters)]
}

// maxAdapters bounds the number of adapters that are used.
const maxAdapters = 8
