//go:build race

package picture

// raceDetector reports that everything takes ten times as long.
const raceDetector = true
