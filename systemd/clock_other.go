//go:build !unix

package systemd

// monotonic has no clock, because there is no systemd on these systems.
func monotonic() (int64, bool) { return 0, false }
