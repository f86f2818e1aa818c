//go:build (!unix && !windows) || solaris

package mdns

import "syscall"

// share does nothing: the system decides whether ports are shared.
func share(_, _ string, _ syscall.RawConn) error { return nil }
