//go:build (!unix && !windows) || solaris

package mdns

import "syscall"

// share() does nothing, because there is no known option. The system decides whether programs share ports.
func share(_, _ string, _ syscall.RawConn) error { return nil }
