//go:build !race

package walltest

// RaceEnabled reports whether the race detector is on. The detector allocates memory, so tests of allocations are skipped if it is on.
const RaceEnabled = false
