//go:build race

package picture

// raceDetector tells that everything takes ten times as long.
const raceDetector = true
