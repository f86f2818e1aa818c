//go:build !race

package walltest

// RaceEnabled is false without the race detector. The detector allocates, so tests of allocations are skipped with it.
const RaceEnabled = false
