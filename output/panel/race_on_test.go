//go:build race

package panel

// raceEnabled: the test runs under the race detector, which makes long ones of many frames take a quarter of an hour.
const raceEnabled = true
