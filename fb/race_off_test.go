//go:build !race

package fb_test

// raceEnabled reports that allocations cannot be counted.
const raceEnabled = false
