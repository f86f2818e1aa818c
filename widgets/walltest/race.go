//go:build race

package walltest

// RaceEnabled reports that the race detector allocates too.
const RaceEnabled = true
