//go:build race

package pngtile

const raceEnabled = true
