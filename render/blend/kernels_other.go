//go:build (!amd64 && !arm64) || purego

package blend

import "image/color"

// Kernels returns the name of the row functions in use.
func Kernels() string { return "portable" }

func cover(b block, col color.RGBA) { coverLanes(b, col) }

func fill(row []uint8, col color.RGBA) { fillLanes(row, col) }

func fade(dst, a, b []uint8, t uint32) { fadeLanes(dst, a, b, t) }
