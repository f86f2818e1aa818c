//go:build race

package wall

const raceEnabled = true
