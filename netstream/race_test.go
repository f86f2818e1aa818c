//go:build race

package netstream

const underRace = true
