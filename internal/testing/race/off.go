//go:build !race

package race

// Enabled is false if the race detector is off.
const Enabled = false
