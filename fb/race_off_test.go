//go:build !race

package fb_test

// raceEnabled says that allocations cannot be counted.
const raceEnabled = false
