//go:build !amd64 || purego

package scaledjpeg

// transform4 does the vector part of a line of blocks. It returns the number of these blocks.
func transform4([]uint8, int, []int16, *[16]int16, int) int { return 0 }

// convertVector does the vector part of a row in which pairs of pixels share their colors. It returns the number of these pixels.
func convertVector(_, _, _, _ []uint8) int { return 0 }
