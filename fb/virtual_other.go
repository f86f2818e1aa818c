//go:build !unix

package fb

import (
	"fmt"
	"runtime"
)

// OpenVirtual fails: a file is mapped into memory as Unix does.
func OpenVirtual(path string, _ Virtual) (Device, error) {
	return nil, fmt.Errorf("fb: %s: a file cannot stand for a framebuffer on %s", path, runtime.GOOS)
}
