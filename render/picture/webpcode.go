package picture

import (
	"cmp"
	"image"
	"sync"

	"dashboard/internal/stable"
)

// places lists the offsets for the first 120 distance codes, in columns to the left and rows above (RFC 9649, section 3.6.2.2.2). Shorter
// distances come first. Among equal distances, the offset with more rows comes first, and then the offset with more columns to the left.
var places = sync.OnceValue(func() (list []image.Point) {
	for y := range 8 {
		for x := -7; x <= 8; x++ {
			if y > 0 || x > 0 {
				list = append(list, image.Pt(x, y))
			}
		}
	}
	stable.Sort(list, func(a, b image.Point) int {
		return cmp.Or(cmp.Compare(a.X*a.X+a.Y*a.Y, b.X*b.X+b.Y*b.Y), cmp.Compare(b.Y, a.Y), cmp.Compare(b.X, a.X))
	})
	return list
})

// distance converts a distance code to the number of pixels between a pixel and the earlier pixel
// that is copied. w is the width of the image.
func distance(w, code int) int {
	if code > len(places()) {
		return code - len(places())
	}
	at := places()[code-1]
	return max(1, at.Y*w+at.X)
}

// A code is a canonical Huffman code. It consists of the number of symbols for each code length, and the symbols in order.
type code struct {
	count   [16]int
	symbols []uint16
}

// code reads a Huffman code for an alphabet of n symbols (section 3.7.2.1).
func (r *vp8l) code(n int) code {
	lengths := make([]uint8, n)
	if r.read(1) == 1 {
		two := r.read(1)
		width := 1 + 7*r.read(1)
		all := []int{r.read(width)}
		if two == 1 {
			all = append(all, r.read(8))
		}
		for _, s := range all {
			if s >= n {
				r.bad = true
				return code{}
			}
			lengths[s] = 1
		}
		return r.build(lengths)
	}
	var first [19]uint8
	order := [19]int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	used := r.read(4) + 4
	if used > len(order) {
		r.bad = true
		return code{}
	}
	for _, i := range order[:used] {
		first[i] = uint8(r.read(3))
	}
	c := r.build(first[:])
	r.lengths(&c, lengths)
	return r.build(lengths)
}

// lengths() reads the code lengths of the symbols, which are encoded with the code c.
func (r *vp8l) lengths(c *code, lengths []uint8) {
	most := len(lengths)
	if r.read(1) == 1 {
		most = 2 + r.read(2+2*r.read(3))
	}
	before := uint8(8)
	for i := 0; i < len(lengths) && most > 0 && r.err() == nil; most-- {
		s := r.symbol(c)
		repeat, value := 1, uint8(s)
		switch s {
		case 16:
			repeat, value = 3+r.read(2), before
		case 17:
			repeat, value = 3+r.read(3), 0
		case 18:
			repeat, value = 11+r.read(7), 0
		}
		if repeat > len(lengths)-i {
			r.bad = true
			return
		}
		for ; repeat > 0; repeat-- {
			lengths[i] = value
			i++
		}
		if s < 16 && s > 0 {
			before = value
		}
	}
}

// build builds a code from the code lengths of its symbols.
func (r *vp8l) build(lengths []uint8) (c code) {
	for _, l := range lengths {
		c.count[l]++
	}
	c.count[0] = 0
	for l := uint8(1); l < 16; l++ {
		for s, is := range lengths {
			if is == l {
				c.symbols = append(c.symbols, uint16(s))
			}
		}
	}
	r.bad = r.bad || len(c.symbols) == 0
	return c
}

// symbol reads one symbol. A code with only one symbol takes no bits.
func (r *vp8l) symbol(c *code) int {
	if len(c.symbols) == 1 {
		return int(c.symbols[0])
	}
	value, first, index := 0, 0, 0
	for l := 1; l < 16; l++ {
		value |= r.read(1)
		n := c.count[l]
		if value-first < n {
			return int(c.symbols[index+value-first])
		}
		index += n
		first, value = (first+n)<<1, value<<1
	}
	r.bad = true
	return 0
}
