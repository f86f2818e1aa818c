//go:build arm64 && !purego

package bilinear

// best is the set of NEON kernels. The program does not check the processor, because every arm64 processor has NEON.
var best = newVector("neon", 0, pickBytes)

// pickBytes appends indices of bytes for the instruction TBL. They select the four left pixels of a group. The indices for the right
// pixels are greater by four.
func pickBytes(perm []uint8, left [groupPixels]uint8) []uint8 {
	for _, n := range left {
		perm = append(perm, 4*n, 4*n+1, 4*n+2, 4*n+3)
	}
	return perm
}
