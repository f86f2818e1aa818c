//go:build !race

package bilinear

const raceEnabled = false
