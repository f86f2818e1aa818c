//go:build !linux

package fb

import (
	"fmt"
	"runtime"
)

// OpenDevice fails: the framebuffer is an interface of Linux.
func OpenDevice(path string) (Device, error) {
	return nil, fmt.Errorf("fb: %s: framebuffers are only on Linux, this is %s", path, runtime.GOOS)
}

// A Console is a lease of a virtual terminal, which only Linux has.
type Console struct{ behind bool }

// OpenConsole leases nothing: release and acquire are never called.
func OpenConsole(_ string, _, _ func()) *Console { return &Console{} }

// OpenSwitching leases nothing.
func OpenSwitching(_ string, _, _ func()) *Console { return &Console{} }

// Problem returns nil: there is no keeper, and nothing is missing.
func (*Console) Problem() error { return nil }

// Restore does nothing.
func (*Console) Restore() {}
