//go:build race

package output

// raceDetector is true if allocations cannot be counted, because the detector allocates.
const raceDetector = true
