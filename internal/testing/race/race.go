// Package race reports whether the race detector watches a test. With the detector, a test allocates more and takes about ten times as
// long. If a long loop runs in only one goroutine, the detector cannot find a race in it.
package race

// Left reports whether a test should omit case i. With the race detector, only every n-th case runs.
func Left(i, n int) bool { return Enabled && i%n != 0 }
