//go:build !unix

package systemd

// monotonic returns false, because these systems have no systemd.
func monotonic() (int64, bool) { return 0, false }
