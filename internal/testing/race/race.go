// Package race reports whether the race detector watches a test. With the detector, a test allocates more and takes about ten times as
// long. In a long loop of one goroutine the detector cannot find anything.
package race

// Left reports whether a test should omit case i. With the race detector, only every n-th case runs.
func Left(i, n int) bool { return Enabled && i%n != 0 }
