package path

import (
	"image"
	"math/bits"
)

// MaxSide bounds the width and height of a shape, in px. It is the longer side of an 8K screen. If a shape is larger, only its top left
// part is filled.
const MaxSide = 7680

// whole is the sum for a pixel that lies completely inside the outline: 256 (its height in 1/256 px) times 512 (its width in 1/512 px).
const (
	wholeBits = 2*subBits + 1
	whole     = 1 << wholeBits
)

// edge is a piece of an outline inside the box. It always runs downwards. The rasterizer follows it from row to row.
type edge struct {
	x      int64 // x at the top of the current row, in 1/2^32 px, plus 1/512 px for rounding
	slope  int64 // increase of x from row to row
	x1     int32 // x at the lower end, in 1/256 px
	y0, y1 int32 // top and bottom, in 1/256 px
	dir    int32 // 1, or -1 if the outline runs upwards
	next   int32 // index of the next edge that begins in the same row, or -1
}

// `fine` is the number of fraction bits that edge.x has in addition to the fraction bits of a coordinate.
const fine = 32 - subBits

// Raster fills paths. It reuses its memory: the edges, and the sums of one row. Only one goroutine may use a Raster. The zero value is
// ready to use.
type Raster struct {
	w, h   int32
	edges  []edge
	first  []int32 // for each row, the index of the first edge that begins in it, or -1
	active []int32
	sums   []int32 // coverage as differences between neighboring pixels: the coverage of pixel i is the sum of the elements 0 to i
	marks  []uint  // one bit for each element of sums. A bit is 0 if its element is 0
}

// Fill computes the pixels of `box` that p covers, by the non-zero rule, and stores them in dst. `box` is in p's coordinates. A broken path
// covers no pixels. Fill replaces the previous content of dst and reuses its memory.
func (r *Raster) Fill(dst *Shape, p *Path, box image.Rectangle) {
	box = box.Intersect(p.bounds())
	box.Max = image.Pt(min(box.Max.X, box.Min.X+MaxSide), min(box.Max.Y, box.Min.Y+MaxSide))
	dst.reset(box)
	if box.Empty() {
		return
	}
	r.begin(box.Dx(), box.Dy())
	p.each(func(points []point, _ bool) { r.outline(points, box.Min) })
	for y := range r.h {
		r.row(y)
		r.sweep(dst)
	}
}

// bounds returns the smallest rectangle of whole pixels that contains all points of the path. It is empty for a broken path.
func (p *Path) bounds() image.Rectangle {
	if len(p.points) == 0 || p.broken {
		return image.Rectangle{}
	}
	lo, hi := p.points[0], p.points[0]
	for _, v := range p.points {
		lo.x, lo.y, hi.x, hi.y = min(lo.x, v.x), min(lo.y, v.y), max(hi.x, v.x), max(hi.y, v.y)
	}
	return image.Rect(int(lo.x>>subBits), int(lo.y>>subBits), int((hi.x+sub-1)>>subBits), int((hi.y+sub-1)>>subBits))
}

// begin allocates memory for a box of w times h pixels.
func (r *Raster) begin(w, h int) {
	r.w, r.h = int32(w), int32(h)
	r.edges, r.active = r.edges[:0], r.active[:0]
	r.first = sized(r.first, h)
	for i := range r.first {
		r.first[i] = -1
	}
	r.sums = sized(r.sums, w+2) // an edge at the right border also writes to the two elements beyond the border
	r.marks = sized(r.marks, (w+2+bits.UintSize-1)/bits.UintSize)
	clear(r.sums)
	clear(r.marks)
}

// sized() returns a slice of n elements with undefined values. It reuses the memory of s if there is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// outline adds the edges of one contour. `org` is the top left corner of the box.
func (r *Raster) outline(points []point, org image.Point) {
	ox, oy := int32(org.X)<<subBits, int32(org.Y)<<subBits
	last := points[len(points)-1]
	a := point{last.x - ox, last.y - oy}
	for _, v := range points {
		b := point{v.x - ox, v.y - oy}
		switch {
		case a.y < b.y:
			r.clipRows(a, b, 1)
		case a.y > b.y:
			r.clipRows(b, a, -1)
		}
		a = b
	}
}

// clipRows cuts off the parts of an edge above and below the box. The edge must run downwards.
func (r *Raster) clipRows(a, b point, dir int32) {
	bottom := r.h << subBits
	if b.y <= 0 || a.y >= bottom {
		return
	}
	from, to := a, b
	if a.y < 0 {
		from = point{xAt(a, b, 0), 0}
	}
	if b.y > bottom {
		to = point{xAt(a, b, bottom), bottom}
	}
	r.clipColumns(from, to, dir)
}

func xAt(a, b point, y int32) int32 {
	return a.x + int32(int64(b.x-a.x)*int64(y-a.y)/int64(b.y-a.y))
}

func yAt(a, b point, x int32) int32 {
	return a.y + int32(int64(b.y-a.y)*int64(x-a.x)/int64(b.x-a.x))
}

// clipColumns handles the parts of an edge outside the columns of the box. It moves parts on the left to the left border. It drops parts
// on the right, because an edge changes only the pixels to its right.
func (r *Raster) clipColumns(a, b point, dir int32) {
	right := r.w << subBits
	switch {
	case a.x >= right && b.x >= right:
		return
	case a.x <= 0 && b.x <= 0:
		r.add(point{0, a.y}, point{0, b.y}, dir)
		return
	}
	if lo, hi := min(a.x, b.x), max(a.x, b.x); lo < 0 || hi > right {
		r.split(a, b, right, dir)
		return
	}
	r.add(a, b, dir)
}

// split cuts an edge where it crosses a border, and adds both parts.
func (r *Raster) split(a, b point, right, dir int32) {
	border := int32(0)
	if min(a.x, b.x) >= 0 {
		border = right
	}
	cut := point{border, yAt(a, b, border)}
	r.clipColumns(a, cut, dir)
	r.clipColumns(cut, b, dir)
}

// add stores an edge that lies inside the box.
func (r *Raster) add(a, b point, dir int32) {
	dy := int64(b.y - a.y)
	if dy <= 0 {
		return
	}
	row := a.y >> subBits
	e := edge{
		x: int64(a.x)<<fine + 1<<(fine-1), slope: int64(b.x-a.x) << 32 / dy, x1: b.x,
		y0: a.y, y1: b.y, dir: dir, next: r.first[row],
	}
	r.first[row] = int32(len(r.edges))
	r.edges = append(r.edges, e)
}

// row adds all edges that cross row y to the sums of that row.
func (r *Raster) row(y int32) {
	for i := r.first[y]; i >= 0; i = r.edges[i].next {
		r.active = append(r.active, i)
	}
	bottom := (y + 1) << subBits
	kept := r.active[:0]
	for _, i := range r.active {
		e := &r.edges[i]
		from := int32(e.x >> fine)
		if e.y1 <= bottom {
			r.cross(from, e.x1, (e.y1-e.y0)*e.dir)
			continue
		}
		e.x += e.slope * int64(bottom-e.y0) >> subBits
		r.cross(from, r.within(int32(e.x>>fine)), (bottom-e.y0)*e.dir)
		e.y0 = bottom
		kept = append(kept, i)
	}
	r.active = kept
}

// within() limits an x coordinate to the box, because rounding can move it past a border.
func (r *Raster) within(x int32) int32 { return min(max(x, 0), r.w<<subBits) }

// cross adds a piece of an edge between the x coordinates `from` and `to`, in 1/256 px. The piece runs downwards by dy/256 of a row.
func (r *Raster) cross(from, to, dy int32) {
	from = r.within(from)
	c := from >> subBits
	if c == to>>subBits {
		r.cell(c, dy, from&(sub-1)+to&(sub-1))
		return
	}
	if from > to {
		from, to = to, from
	}
	r.cells(from, to, dy)
}

// cell adds a piece of an edge inside column c. f/512 is the mean distance of the piece from the left side of the column.
func (r *Raster) cell(c, dy, f int32) {
	s := r.sums[c : c+2 : c+2]
	s[0] += dy * (2*sub - f)
	s[1] += dy * f
	r.marks[uint(c)/bits.UintSize] |= 1 << (uint(c) % bits.UintSize)
	c++
	r.marks[uint(c)/bits.UintSize] |= 1 << (uint(c) % bits.UintSize)
}

// cells() adds a piece of an edge that crosses several columns. The heights of its parts must add up to dy exactly, because an error
// would change all pixels from the piece to the right border.
func (r *Raster) cells(from, to, dy int32) {
	rise := int64(dy) << 32 / int64(to-from) // height for each 1/256 px of width, in 1/2^40 px
	x, done := from, int32(0)
	for {
		c := x >> subBits
		end := min((c+1)<<subBits, to)
		up := int32((rise*int64(end-from) + 1<<31) >> 32)
		if end == to {
			up = dy
		}
		r.cell(c, up-done, x+end-c<<(subBits+1))
		if end == to {
			return
		}
		x, done = end, up
	}
}

// sweep converts the sums of a row to spans of dst, and clears the sums. The coverage changes only at columns whose bit in r.marks is
// set.
func (r *Raster) sweep(dst *Shape) {
	sum, at := int32(0), 0
	w := int(r.w)
	for i, word := range r.marks {
		if word == 0 {
			continue
		}
		r.marks[i] = 0
		for ; word != 0; word &= word - 1 {
			x := i*bits.UintSize + bits.TrailingZeros(word)
			if x > at && at < w {
				dst.run(at, min(x, w), level(sum))
			}
			sum += r.sums[x]
			r.sums[x] = 0
			if x < w {
				dst.cell(x, level(sum))
			}
			at = x + 1
		}
	}
	if at < w {
		dst.run(at, w, level(sum))
	}
	dst.endRow()
}

// level converts a sum to a coverage from 0 to 255. An area that the outline encloses twice counts once.
func level(sum int32) uint8 {
	if sum < 0 {
		sum = -sum
	}
	if sum >= whole {
		return 255
	}
	return uint8((sum*255 + whole/2) >> wholeBits)
}
