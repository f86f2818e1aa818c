// Package race reports whether the race detector watches a test. Under the detector, everything allocates more and takes about ten
// times as long, and long loops in one goroutine have nothing that it could find.
package race

// Left reports whether the race detector is on and case i of a test is not one of every n. Such a case runs without the detector.
func Left(i, n int) bool { return Enabled && i%n != 0 }
