package ink

import "math"

// nearest() returns the index of the ink that is nearest to `want`. If several inks are equally near, it returns the first of these inks.
func nearest(inks []light, want light) uint8 {
	best, ink := int32(math.MaxInt32), 0
	for i := range inks {
		r, g, b := want[0]-inks[i][0], want[1]-inks[i][1], want[2]-inks[i][2]
		if n := 2*r*r + 4*g*g + b*b; n < best {
			best, ink = n, i
		}
	}
	return uint8(ink)
}

const (
	// cellBits sets the side of a cell to 1<<cellBits units of light. The range of a display's inks is 30 to 40 cells wide in each
	// channel. The table takes one byte for each cell, so it has 30 to 60 kB.
	cellBits = 7
	// maxChoices bounds the number of choices, because the table stores a choice in one byte. Six inks make 21 choices, and seven inks make
	// 28 choices. A cell for which no choice is left gets the value `searched`.
	maxChoices = 255
	// `searched` marks a cell without a choice. For a light in such a cell, all inks are compared.
	searched = maxChoices
)

// A choice is a pair of inks, which may be equal. A plane divides the range of light: on one side the first ink is nearer, and on the other
// side the second ink is nearer.
type choice struct {
	slope  light // the plane. If slope times light + level is negative, the second ink is nearer
	level  int32
	inks   [2]uint8
	first  int64    // the first ink, as a packed number
	other  int64    // the second ink minus the first, as a packed number
	other7 int64    // 7 times the field other
	_      [2]int64 // padding to 64 bytes, so that the address of a choice needs a shift and no multiplication
}

// newChoice returns the choice between the inks a and b, where a <= b. If a light is equally near to both, a is chosen. The weighted sum
// of the three squared differences fits in an int32.
func newChoice(inks []light, a, b uint8) choice {
	p, q := inks[a], inks[b]
	return choice{
		slope: light{4 * (p[0] - q[0]), 8 * (p[1] - q[1]), 2 * (p[2] - q[2])},
		level: square(q) - square(p),
		inks:  [2]uint8{a, b},
		first: packed(p), other: packed(q) - packed(p), other7: 7 * (packed(q) - packed(p)),
	}
}

// square returns the squared length of a light, with the same weights of the channels as in the function nearest().
func square(l light) int32 { return 2*l[0]*l[0] + 4*l[1]*l[1] + l[2]*l[2] }

// beyond() reports whether a light is nearer to the second ink than to the first ink.
func (c *choice) beyond(l light) bool {
	return c.slope[0]*l[0]+c.slope[1]*l[1]+c.slope[2]*l[2]+c.level < 0
}

// cells divides the range of light between the darkest and the brightest ink into cubes, the cells. For each cell, the field `choice` has
// the number of the choice between the two inks that can be the nearest, or the constant `searched`.
type cells struct {
	choice     []uint8 // choice of each cell, by red, green and blue
	red, green int32   // steps of the index from a cell to the next cell in red and in green. The step in blue is 1
	choices    [maxChoices]choice
	n          int
	inks       []light
}

// newCells returns the cells for the given inks. The caller has already subtracted the lowest light
// of each channel from all inks. `most` is the greatest light of each channel after this subtraction.
func newCells(inks []light, most light) *cells {
	n := light{most[0]>>cellBits + 1, most[1]>>cellBits + 1, most[2]>>cellBits + 1}
	c := &cells{choice: make([]uint8, n[0]*n[1]*n[2]), red: n[1] * n[2], green: n[2], inks: inks}
	// corners holds the nearest ink at every corner of the cells, for the lower and the upper red value of the current cells.
	corners := [2][]uint8{make([]uint8, (n[1]+1)*(n[2]+1)), make([]uint8, (n[1]+1)*(n[2]+1))}
	cornersOf(corners[1], inks, 0, n)
	for r := range n[0] {
		corners[0], corners[1] = corners[1], corners[0]
		cornersOf(corners[1], inks, r+1, n)
		plane := c.choice[r*c.red:][:c.red]
		for i := range plane {
			g, b := int32(i)/n[2], int32(i)%n[2]
			plane[i] = c.of(light{r, g, b}, corners, g*(n[2]+1)+b, n[2]+1)
		}
	}
	return c
}

// cornersOf fills dst for one value of red. It stores the nearest ink at every corner of the cells.
func cornersOf(dst []uint8, inks []light, red int32, n light) {
	for i := range dst {
		at := int32(i)
		dst[i] = nearest(inks, light{red << cellBits, at / (n[2] + 1) << cellBits, at % (n[2] + 1) << cellBits})
	}
}

// of() returns the number of a cell's choice. `at` is the index of the cell's first corner. The colors nearest to one ink form a convex
// body. So if all corners of a cell belong to one ink, the whole cell belongs to this ink. A choice between two inks is only possible if no
// third ink can be the nearest anywhere in the cell.
func (c *cells) of(cell light, corners [2][]uint8, at, line int32) uint8 {
	a, b := corners[0][at], corners[0][at]
	for _, p := range corners {
		a = min(a, p[at], p[at+1], p[at+line], p[at+line+1])
		b = max(b, p[at], p[at+1], p[at+line], p[at+line+1])
	}
	for k := range c.inks {
		if ink := uint8(k); a != b && ink != a && ink != b && !c.beaten(cell, a, ink) && !c.beaten(cell, b, ink) {
			return searched
		}
	}
	return c.named(a, b)
}

// beaten() reports whether the first ink, c.inks[by], is nearer than the second ink, c.inks[ink], at every point of a cell. It only checks
// the corners. This is enough, because a plane separates the light that is nearer to one ink from the light that is nearer to the other
// ink.
func (c *cells) beaten(cell light, by, ink uint8) bool {
	half := newChoice(c.inks, min(by, ink), max(by, ink))
	for i := range int32(8) {
		corner := light{(cell[0] + i&1) << cellBits, (cell[1] + i>>1&1) << cellBits, (cell[2] + i>>2) << cellBits}
		if half.beyond(corner) != (by > ink) {
			return false
		}
	}
	return true
}

// named() returns the number of the choice between a and b. It creates the choice if it does not exist yet. If there are already maxChoices
// choices, it returns the constant `searched`.
func (c *cells) named(a, b uint8) uint8 {
	for i := range c.choices[:c.n] {
		if c.choices[i].inks == [2]uint8{a, b} {
			return uint8(i)
		}
	}
	if c.n == maxChoices {
		return searched
	}
	c.choices[c.n] = newChoice(c.inks, a, b)
	c.n++
	return uint8(c.n - 1)
}

// grayCells returns the index of the nearest ink for every gray from 0 to the constant `unit`. The inks are grays in order from dark to
// bright.
func grayCells(inks []light) []uint8 {
	list, i := make([]uint8, unit+1), 0
	for v := range list {
		for i+1 < len(inks) && abs(v-int(inks[i+1][0])) < abs(v-int(inks[i][0])) {
			i++
		}
		list[v] = uint8(i)
	}
	return list
}
