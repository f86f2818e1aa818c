package ink

import "math"

// nearest is the ink with the least distance in light. Of several equally near inks it is the first.
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
	// cellBits is the side of a cell, 1<<cellBits of light: the inks of a display span 30 to 40 cells a channel, 30 to 60 kB.
	cellBits = 7
	// maxChoices bounds the choices that cells name by a byte. Six inks make 21, seven 28. A cell whose choice would be one
	// more is searched.
	maxChoices = 255
	// searched names no choice: any ink may be the nearest here.
	searched = maxChoices
)

// A choice is between two inks, which may be the same: a plane halves the lights between those nearer to one and to the other.
type choice struct {
	slope  light // the plane: where slope times light + level is negative, it is the second ink
	level  int32
	inks   [2]uint8
	first  int64    // the first ink, packed
	other  int64    // the further part of the second
	other7 int64    // seven times that
	_      [2]int64 // 64 bytes, so that a shift finds one
}

// newChoice is between the inks a and b, a < b: b must be nearer, not as near. Squares of three weighted differences fit.
func newChoice(inks []light, a, b uint8) choice {
	p, q := inks[a], inks[b]
	return choice{
		slope: light{4 * (p[0] - q[0]), 8 * (p[1] - q[1]), 2 * (p[2] - q[2])},
		level: square(q) - square(p),
		inks:  [2]uint8{a, b},
		first: packed(p), other: packed(q) - packed(p), other7: 7 * (packed(q) - packed(p)),
	}
}

// square is the distance of a light from none, as nearest weighs it.
func square(l light) int32 { return 2*l[0]*l[0] + 4*l[1]*l[1] + l[2]*l[2] }

// beyond reports whether a light is of the second ink's half.
func (c *choice) beyond(l light) bool {
	return c.slope[0]*l[0]+c.slope[1]*l[1]+c.slope[2]*l[2]+c.level < 0
}

// cells holds the inks to choose from in each part of the range between the darkest and the brightest light of all
// inks.
type cells struct {
	choice     []uint8 // of each cell, by red, green and blue
	red, green int32   // from one cell to the next. The step of blue is 1
	choices    [maxChoices]choice
	n          int
	inks       []light
}

// newCells takes the inks less the least light of each channel, and the most that there is then.
func newCells(inks []light, most light) *cells {
	n := light{most[0]>>cellBits + 1, most[1]>>cellBits + 1, most[2]>>cellBits + 1}
	c := &cells{choice: make([]uint8, n[0]*n[1]*n[2]), red: n[1] * n[2], green: n[2], inks: inks}
	corners := [2][]uint8{make([]uint8, (n[1]+1)*(n[2]+1)), make([]uint8, (n[1]+1)*(n[2]+1))} // of two planes of one red
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

// cornersOf finds the nearest inks of the corners of all cells at one red.
func cornersOf(dst []uint8, inks []light, red int32, n light) {
	for i := range dst {
		at := int32(i)
		dst[i] = nearest(inks, light{red << cellBits, at / (n[2] + 1) << cellBits, at % (n[2] + 1) << cellBits})
	}
}

// of is the choice of a cell whose first corner is at a place of the corners. The lights that are nearest to one ink form a
// convex body: if all corners are in it, the cell is. Between two inks, each other must be farther than one of them everywhere.
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

// beaten reports whether an ink is nearer than another in all of a cell: since a plane is between the two, at its corners.
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

// grayCells are the nearest inks of all grays, 0 to unit. The inks are grays from dark to bright.
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
