//go:build !amd64 || purego

package scaledjpeg

// transform4 does the vector part of a line of blocks, and returns the number of its blocks.
func transform4([]uint8, int, []int16, *[16]int16, int) int { return 0 }

// convertVector does the vector part of a row of pixels that share their colors by pairs, and returns the number of its pixels.
func convertVector(_, _, _, _ []uint8) int { return 0 }
