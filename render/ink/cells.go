package ink

import "math"

// nearest returns the ink with the least distance in light. If several inks are equally near, it returns the first one.
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
	// cellBits sets the side of a cell to 1<<cellBits of light. The inks of a display span 30 to 40 cells in each channel, which
	// takes 30 to 60 kB.
	cellBits = 7
	// maxChoices bounds the choices, because a cell stores its choice in a byte. Six inks make 21 choices, and seven make 28. In a
	// cell whose choice would exceed the bound, all inks are searched.
	maxChoices = 255
	// searched marks a cell without a choice, in which all inks are searched.
	searched = maxChoices
)

// A choice is between two inks, which may be equal. A plane separates the lights that are nearer to the one from those nearer to
// the other.
type choice struct {
	slope  light // the plane: if slope times light + level is negative, the second ink is nearer
	level  int32
	inks   [2]uint8
	first  int64    // the first ink, packed
	other  int64    // difference between the second ink and the first
	other7 int64    // seven times other
	_      [2]int64 // padding to 64 bytes, so that a shift computes the address
}

// newChoice returns the choice between the inks a and b, where a < b. b is chosen only if it is nearer, not if both are equally
// near. Squares of three weighted differences fit in an int32.
func newChoice(inks []light, a, b uint8) choice {
	p, q := inks[a], inks[b]
	return choice{
		slope: light{4 * (p[0] - q[0]), 8 * (p[1] - q[1]), 2 * (p[2] - q[2])},
		level: square(q) - square(p),
		inks:  [2]uint8{a, b},
		first: packed(p), other: packed(q) - packed(p), other7: 7 * (packed(q) - packed(p)),
	}
}

// square returns the squared length of a light, with the weights of nearest.
func square(l light) int32 { return 2*l[0]*l[0] + 4*l[1]*l[1] + l[2]*l[2] }

// beyond reports whether a light is nearer to the second ink.
func (c *choice) beyond(l light) bool {
	return c.slope[0]*l[0]+c.slope[1]*l[1]+c.slope[2]*l[2]+c.level < 0
}

// cells holds the possible inks for each part of the range between the darkest and the brightest light of all inks.
type cells struct {
	choice     []uint8 // choice of each cell, by red, green and blue
	red, green int32   // index steps between neighboring cells of red and of green. The step of blue is 1
	choices    [maxChoices]choice
	n          int
	inks       []light
}

// newCells returns the cells of inks from which the least light of each channel has been subtracted. most is the greatest remaining
// light.
func newCells(inks []light, most light) *cells {
	n := light{most[0]>>cellBits + 1, most[1]>>cellBits + 1, most[2]>>cellBits + 1}
	c := &cells{choice: make([]uint8, n[0]*n[1]*n[2]), red: n[1] * n[2], green: n[2], inks: inks}
	corners := [2][]uint8{make([]uint8, (n[1]+1)*(n[2]+1)), make([]uint8, (n[1]+1)*(n[2]+1))} // corners at two neighboring values of red
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

// cornersOf finds the nearest ink at the corners of all cells at one value of red.
func cornersOf(dst []uint8, inks []light, red int32, n light) {
	for i := range dst {
		at := int32(i)
		dst[i] = nearest(inks, light{red << cellBits, at / (n[2] + 1) << cellBits, at % (n[2] + 1) << cellBits})
	}
}

// of returns the choice of a cell. at is the index of its first corner. The colors nearest to one ink form a convex body, so if
// all corners are in it, the whole cell is in it. For a choice between two inks, every other ink must be farther away than one of
// them in the whole cell.
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

// beaten reports whether the ink by is nearer than ink in a whole cell. It is enough to check the corners, because a plane
// separates the two.
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

// named returns the number of a choice, and makes the choice if it does not exist yet.
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

// grayCells returns the nearest inks of all grays from 0 to unit. The inks are grays from dark to bright.
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
