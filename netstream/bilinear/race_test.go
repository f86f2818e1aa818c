//go:build race

package bilinear

const raceEnabled = true
