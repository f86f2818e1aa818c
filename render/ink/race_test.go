//go:build race

package ink

// raceDetector reports that everything allocates more.
const raceDetector = true
