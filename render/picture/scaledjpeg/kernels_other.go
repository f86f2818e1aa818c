//go:build !amd64 || purego

package scaledjpeg

// transform4 does what a vector can of a line of blocks, and returns how many of them those are.
func transform4([]uint8, int, []int16, *[16]int16, int) int { return 0 }

// convertVector does what a vector can of a row of pixels that share their colors by pairs, and returns how many of them those are.
func convertVector(_, _, _, _ []uint8) int { return 0 }
