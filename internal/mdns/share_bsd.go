//go:build unix && !linux && !solaris

package mdns

import (
	"errors"
	"syscall"
)

// share() allows other programs to use the same port. On this system, both socket options are needed.
func share(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = errors.Join(
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
			syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEPORT, 1))
	})
	return errors.Join(err, failed)
}
