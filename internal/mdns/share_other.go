//go:build (!unix && !windows) || solaris

package mdns

import "syscall"

// share does nothing: where it runs, ports are shared or not as the system likes.
func share(_, _ string, _ syscall.RawConn) error { return nil }
