//go:build !unix

package systemd

// monotonic has no clock: there is no systemd either.
func monotonic() (int64, bool) { return 0, false }
