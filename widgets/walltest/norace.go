//go:build !race

package walltest

// RaceEnabled reports whether the race detector runs, which allocates.
const RaceEnabled = false
