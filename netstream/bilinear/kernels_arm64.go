//go:build arm64 && !purego

package bilinear

// best needs no detection: every arm64 processor has NEON.
var best = newVector("neon", 0, pickBytes)

// pickBytes appends the byte indices of the four left pixels for TBL. The indices of the right pixels are four higher.
func pickBytes(perm []uint8, left [groupPixels]uint8) []uint8 {
	for _, n := range left {
		perm = append(perm, 4*n, 4*n+1, 4*n+2, 4*n+3)
	}
	return perm
}
