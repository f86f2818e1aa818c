//go:build !race

package widgets

const raceEnabled = false
