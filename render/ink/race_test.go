//go:build race

package ink

// raceDetector tells that everything allocates more.
const raceDetector = true
