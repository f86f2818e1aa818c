//go:build !unix

package fb

import (
	"fmt"
	"runtime"
)

// OpenVirtual returns an error, because only Unix systems can map a file into memory as needed here.
func OpenVirtual(path string, _ Virtual) (Device, error) {
	return nil, fmt.Errorf("fb: %s: a file cannot stand for a framebuffer on %s", path, runtime.GOOS)
}
