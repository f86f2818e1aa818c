//go:build unix

package systemd

import "golang.org/x/sys/unix"

// monotonic is CLOCK_MONOTONIC in ns, clock_gettime(2); false if it cannot be had.
func monotonic() (int64, bool) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano(), err == nil
}
