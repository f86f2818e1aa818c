//go:build !linux

package fb

import (
	"fmt"
	"runtime"
)

// OpenDevice returns an error, because only Linux has framebuffers.
func OpenDevice(path string) (Device, error) {
	return nil, fmt.Errorf("fb: %s: framebuffers are only on Linux, this is %s", path, runtime.GOOS)
}

// A Console is a lease of a virtual terminal. Only Linux has virtual terminals.
type Console struct{ behind bool }

// OpenConsole does nothing. It never calls release and acquire.
func OpenConsole(_ string, _, _ func()) *Console { return &Console{} }

// OpenSwitching does nothing. It never calls release and acquire.
func OpenSwitching(_ string, _, _ func()) *Console { return &Console{} }

// Problem returns nil, because there is nothing to lease.
func (*Console) Problem() error { return nil }

// Restore does nothing.
func (*Console) Restore() {}
