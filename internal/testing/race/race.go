// Package race reports whether the race detector watches a test. Under the detector, everything allocates more and takes about ten
// times as long, and long loops in one goroutine have nothing that it could find.
package race

// Left reports whether case i of a test is left out: with the race detector, only every n-th case runs.
func Left(i, n int) bool { return Enabled && i%n != 0 }
