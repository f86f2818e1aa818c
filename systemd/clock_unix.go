//go:build unix

package systemd

import "golang.org/x/sys/unix"

// monotonic returns CLOCK_MONOTONIC in ns (clock_gettime(2)). After an error it returns false.
func monotonic() (int64, bool) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano(), err == nil
}
