//go:build !race

package ink

const raceDetector = false
