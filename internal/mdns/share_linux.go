package mdns

import "syscall"

// share lets other programs use the same port: systemd-resolved, avahi. SO_REUSEPORT is left out: it would distribute
// unicast packets among the programs of one user instead of handing them to the last.
func share(_, _ string, c syscall.RawConn) error {
	var failed error
	err := c.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	})
	if err != nil {
		return err
	}
	return failed
}
