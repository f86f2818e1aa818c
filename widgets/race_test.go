//go:build race

package widgets

// raceEnabled says that the race detector allocates on its own.
const raceEnabled = true
