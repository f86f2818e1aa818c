package mdns

import "syscall"

// share lets other programs use the same port, such as systemd-resolved and avahi. SO_REUSEPORT is left out, because it distributes
// unicast packets among the programs of one user. Without it the last program receives them.
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
