package mdns

import "syscall"

// share() allows other programs, such as systemd-resolved and avahi, to use the same port. It does not set SO_REUSEPORT. With that option,
// the kernel would distribute unicast packets among the programs of one user. Without that option, the program that opened the port last
// receives these packets.
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
