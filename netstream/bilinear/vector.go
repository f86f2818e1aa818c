//go:build (amd64 || arm64) && !purego

package bilinear

// newVector returns the set with assembly. `picks` appends the indices that pick the four left pixels of a group, and their right
// neighbors, from a window.
func newVector(name string, bias uint64, picks func(perm []uint8, left [groupPixels]uint8) []uint8) *kernels {
	return &kernels{
		name: name, minWidth: windowPixels, sumWords: 1, bias: bias,
		groups: func(t *pointX) { t.pickGroups(picks) },
		filter: filterVector, blend: blendVector, sum: sumVector, shrink: shrinkVector,
	}
}

// pickGroups fills the tables base, perm and pair. `last` is the offset of the last window that fits into a row. A window that would extend
// beyond the row is moved to `last`.
func (t *pointX) pickGroups(picks func([]uint8, [groupPixels]uint8) []uint8) {
	last := t.end - 4*windowPixels
	for i := 0; i < len(t.off); i += groupPixels {
		base := min(t.off[i], last)
		t.base = append(t.base, base)
		var left [groupPixels]uint8
		for j := range left {
			left[j] = uint8((t.off[i+j] - base) / 4)
			w := t.weight[i+j]
			t.pair = append(t.pair, uint8(w>>32), uint8(w))
		}
		t.perm = picks(t.perm, left)
	}
}

func filterVector(row []uint64, src []byte, t *pointX, x0, x1 int) {
	g0, g1 := x0/groupPixels, (x1+groupPixels-1)/groupPixels
	row = row[g0*groupPixels : g1*groupPixels]
	base := t.base[g0:g1]
	permSize := len(t.perm) / len(t.base)
	perm, pair := t.perm[g0*permSize:g1*permSize], t.pair[8*g0:8*g1]
	src = src[:t.end]
	filterAsm(&row[0], &src[0], &base[0], &perm[0], &pair[0], len(base))
}

// blendPixels is the number of pixels that blendAsm computes in one step.
const blendPixels = 8

func blendVector(dst []byte, a, b []uint64, weight int) {
	n := len(dst) / 4
	blocks := n / blendPixels
	a, b = a[:n+slackPixels], b[:n+slackPixels]
	if blocks > 0 {
		blendAsm(&dst[0], &a[0], &b[0], weight, blocks)
	}
	if done := blocks * blendPixels; done < n {
		var last [4 * blendPixels]byte
		blendAsm(&last[0], &a[done], &b[done], weight, 1)
		copy(dst[4*done:], last[:])
	}
}

// sumPixels is the number of pixels that sumAsm computes in one step.
const sumPixels = 8

func sumVector(row []uint64, src []byte, off []int, w []uint8, x0, x1, width int) {
	x0 = max(0, min(x0, x1-sumPixels))
	x1 = min(max(x1, x0+sumPixels), width)
	// If a slice is too short, panic here, because the assembly would read beyond the end of the slice.
	_, _ = src[4*(width-1)+3+off[len(off)-1]], w[len(off)-1]
	blocks := (x1 - x0) / sumPixels
	sumAsm(&row[x0], &src[4*x0], &off[0], &w[0], len(off), blocks)
	if x0+blocks*sumPixels < x1 { // the last block begins earlier, so it overlaps the previous block
		x0 = x1 - sumPixels
		sumAsm(&row[x0], &src[4*x0], &off[0], &w[0], len(off), 1)
	}
}

func shrinkVector(dst []byte, row []uint64, t *areaX, x0, x1 int) {
	n := x1 - x0
	groups := n / groupPixels
	quads := t.stride / quadTaps
	start, weight := t.start[x0:], t.weight[x0*t.stride:]
	if groups > 0 {
		shrinkAsm(&dst[0], &row[0], &start[0], &weight[0], quads, groups)
	}
	if done := groups * groupPixels; done < n {
		var last [4 * groupPixels]byte
		shrinkAsm(&last[0], &row[0], &start[done], &weight[done*t.stride], quads, 1)
		copy(dst[4*done:], last[:])
	}
}

// filterAsm computes a row in groups of four pixels. Each pixel blends two source pixels.
//
//go:noescape
func filterAsm(row *uint64, src *byte, base *int32, perm, pair *uint8, groups int)

// blendAsm blends two rows in blocks of eight pixels.
//
//go:noescape
func blendAsm(dst *byte, a, b *uint64, weight, blocks int)

// sumAsm adds source rows with weights, in blocks of eight pixels. `taps`, the number of rows, is even.
//
//go:noescape
func sumAsm(row *uint64, src *byte, off *int, w *uint8, taps, blocks int)

// shrinkAsm computes a row in groups of four pixels. Each pixel is computed from quads*4 columns.
//
//go:noescape
func shrinkAsm(dst *byte, row *uint64, start *int32, weight *uint16, quads, groups int)
