//go:build race

package walltest

// RaceEnabled says that the race detector allocates on its own.
const RaceEnabled = true
