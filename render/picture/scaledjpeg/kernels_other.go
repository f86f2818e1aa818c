//go:build !amd64 || purego

package scaledjpeg

// transform4 does nothing, because there is no vector code for this processor. The caller transforms all blocks.
func transform4([]uint8, int, []int16, *[16]int16, int) int { return 0 }

// convertVector does nothing, because there is no vector code for this processor. The caller converts all pixels.
func convertVector(_, _, _, _ []uint8) int { return 0 }
