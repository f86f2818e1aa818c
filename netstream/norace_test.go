//go:build !race

package netstream

const underRace = false
