//go:build race

package output

// raceDetector tells that allocations cannot be counted: the detector makes its own.
const raceDetector = true
