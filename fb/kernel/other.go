//go:build !linux

package kernel

import (
	"context"
	"errors"
	"os"
	"unsafe"
)

// A File is an open device.
type File struct{ *os.File }

// Open fails: there are no devices.
func Open(string) (*File, error) { return nil, errors.ErrUnsupported }

// FileOf fails: there are no devices.
func FileOf(int, string) (*File, error) { return nil, errors.ErrUnsupported }

// Ioctl fails: there are no devices.
func (*File) Ioctl(uint32, unsafe.Pointer) error { return errors.ErrUnsupported }

// IoctlValue fails: there are no devices.
func (*File) IoctlValue(uint32, uintptr) error { return errors.ErrUnsupported }

// Watch fails: there are no messages.
func Watch(context.Context, func(Message) bool, func()) error { return errors.ErrUnsupported }
