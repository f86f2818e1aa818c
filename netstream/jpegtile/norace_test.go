//go:build !race

package jpegtile

const raceEnabled = false
