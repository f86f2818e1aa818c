//go:build !race

package panel

// raceEnabled: the test runs under the race detector.
const raceEnabled = false
