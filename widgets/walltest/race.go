//go:build race

package walltest

// RaceEnabled is true with the race detector, which allocates.
const RaceEnabled = true
