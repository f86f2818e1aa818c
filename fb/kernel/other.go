//go:build !linux

package kernel

import (
	"errors"
	"os"
	"unsafe"
)

// A File is an open device.
type File struct{ *os.File }

// Open returns an error, because there are no devices on this system.
func Open(string) (*File, error) { return nil, errors.ErrUnsupported }

// FileOf returns an error, because there are no devices on this system.
func FileOf(int, string) (*File, error) { return nil, errors.ErrUnsupported }

// Ioctl returns an error, because there are no devices on this system.
func (*File) Ioctl(uint32, unsafe.Pointer) error { return errors.ErrUnsupported }

// IoctlValue returns an error, because there are no devices on this system.
func (*File) IoctlValue(uint32, uintptr) error { return errors.ErrUnsupported }

// Listen returns an error, because there are no messages on this system.
func Listen() (*Listener, error) { return nil, errors.ErrUnsupported }
