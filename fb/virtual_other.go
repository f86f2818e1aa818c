//go:build !unix

package fb

import (
	"fmt"
	"runtime"
)

// OpenVirtual returns an error, because mapping a file into memory needs Unix.
func OpenVirtual(path string, _ Virtual) (Device, error) {
	return nil, fmt.Errorf("fb: %s: a file cannot stand for a framebuffer on %s", path, runtime.GOOS)
}
