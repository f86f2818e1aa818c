package render

import (
	"encoding/binary"
	"image"
	"math"
)

// Frost is the blurred background of a rectangle, for cards over pictures. The blur of a completely visible rectangle is computed once
// and kept until Stale is called. A strong blur has no fine details. So a blur with a standard deviation of at least 4 px is stored with
// half the width and height. From 8 px on, it is stored with a quarter of the width and height. The stored blur is enlarged while it is
// painted. Beyond the edges of the rectangle, the blur uses a mirror image of the inside, so pixels next to the card have no effect.
// NewFrost allocates all memory.
type Frost struct {
	size  image.Point
	shift int // a cell is 1<<shift px wide and high
	cols  int
	rows  int
	old   bool // true if the next Take must read the background
	taken bool // true if the fields cells and soft are valid

	radius  int    // radius of the box of each of the three passes
	inverse uint64 // 1<<16 divided by the width of a box in cells
	cells   []four // the background, averaged cell by cell
	soft    []four // cells after the blur
	in, out []four // working memory of a pass
	mid     []four // working memory for one painted row: interpolated cells, with one more cell at each end
}

// four holds the four channels of a pixel with 16 bits each: red, blue, green and alpha, from the lowest bits on.
type four uint64

// MaxFrost bounds the standard deviation of a Frost, in px. Greater values count as MaxFrost.
const MaxFrost = 400

const (
	pairMask = 0x00ff00ff
	fourMask = 0x00ff00ff00ff00ff
	fourOnes = 0x0001000100010001
)

func fourOf(pix uint32) four { return four(pix&pairMask) | four(pix>>8&pairMask)<<32 }

func (f four) pixel() uint32 { return uint32(f&pairMask) | uint32(f>>32&pairMask)<<8 }

// share multiplies each channel by inverse/(1<<16), rounded to nearest. Each of its two multiplications computes two channels.
func (f four) share(inverse uint64) four {
	const odd, half = 0x0000ffff0000ffff, 0x0000800000008000
	low, high := (uint64(f)&odd)*inverse+half, (uint64(f)>>16&odd)*inverse+half
	return four(low>>16&odd | high&^odd)
}

// NewFrost returns the frost of a rectangle of the given size. `sigma` is the standard deviation in px, as in the blur of CSS. NewFrost
// returns nil if there is nothing to blur.
func NewFrost(size image.Point, sigma float64) *Frost {
	sigma = min(sigma, MaxFrost)
	if !(sigma >= 0.5) || size.X <= 0 || size.Y <= 0 {
		return nil
	}
	f := &Frost{size: size, old: true}
	for f.shift < 2 && sigma >= float64(int(4)<<f.shift) {
		f.shift++
	}
	n := 1 << f.shift
	f.cols, f.rows = (size.X+n-1)>>f.shift, (size.Y+n-1)>>f.shift
	sigma /= float64(n)
	f.radius = int(math.Round((math.Sqrt(4*float64(sigma*sigma)+1) - 1) / 2)) // three box passes then approximate the Gaussian
	width := uint64(2*f.radius + 1)
	f.inverse = (1<<16 + width/2) / width
	longest := max(f.cols, f.rows)
	f.cells, f.soft = make([]four, f.cols*f.rows), make([]four, f.cols*f.rows)
	f.in, f.out, f.mid = make([]four, longest+2*f.radius), make([]four, longest), make([]four, f.cols+2)
	return f
}

// Stale marks the stored background as out of date. The next Paint reads the background again.
func (f *Frost) Stale() { f.old = true }

// Paint paints the blurred background of the rectangle at p. If the stored background is out of date, Paint first reads the background
// from the canvas. It does not read a background with a transparent corner, for example on a moving layer. In this case it uses the
// stored background.
func (f *Frost) Paint(c Canvas, p image.Point) {
	f.Take(c, p)
	f.show(c, p)
}

// Take reads the background of the rectangle at p without painting. It is the first half of Paint.
func (f *Frost) Take(c Canvas, p image.Point) {
	whole := image.Rectangle{Min: p, Max: p.Add(f.size)}
	r := c.local(whole)
	if !f.old || r.Empty() || !opaqueCorners(c.Dst, r) {
		return
	}
	f.reduce(c.Dst, r, whole.Min.Add(c.Org))
	f.blur()
	f.taken, f.old = true, r != whole.Add(c.Org)
}

func opaqueCorners(m *image.RGBA, r image.Rectangle) bool {
	for _, at := range [4]image.Point{r.Min, {r.Max.X - 1, r.Min.Y}, {r.Min.X, r.Max.Y - 1}, r.Max.Sub(image.Pt(1, 1))} {
		if m.Pix[m.PixOffset(at.X, at.Y)+3] != 255 {
			return false
		}
	}
	return true
}

// reduce sets each cell that r touches to the mean of the cell's pixels in r. `org` is the position of the first cell.
func (f *Frost) reduce(m *image.RGBA, r image.Rectangle, org image.Point) {
	n := 1 << f.shift
	for cy := (r.Min.Y - org.Y) >> f.shift; cy <= (r.Max.Y-1-org.Y)>>f.shift; cy++ {
		top, bottom := max(r.Min.Y, org.Y+cy*n), min(r.Max.Y, org.Y+cy*n+n)
		for cx := (r.Min.X - org.X) >> f.shift; cx <= (r.Max.X-1-org.X)>>f.shift; cx++ {
			left, right := max(r.Min.X, org.X+cx*n), min(r.Max.X, org.X+cx*n+n)
			sum := four(0)
			for y := top; y < bottom; y++ {
				sum += sumOf(m.Pix[m.PixOffset(left, y):][:4*(right-left)])
			}
			count := uint64((right - left) * (bottom - top))
			f.cells[cy*f.cols+cx] = sum.share((1<<16 + count/2) / count)
		}
	}
}

// sumOf returns the sum of the given pixels, channel by channel.
func sumOf(pix []uint8) (sum four) {
	if len(pix) == 16 {
		a, b := binary.LittleEndian.Uint64(pix), binary.LittleEndian.Uint64(pix[8:])
		low, high := a&fourMask+b&fourMask, a>>8&fourMask+b>>8&fourMask
		return four(low&0xffffffff+low>>32) | four(high&0xffffffff+high>>32)<<32
	}
	for i := 0; i < len(pix); i += 4 {
		sum += fourOf(binary.LittleEndian.Uint32(pix[i:]))
	}
	return sum
}

// blur computes soft from cells.
func (f *Frost) blur() {
	copy(f.soft, f.cells)
	for y := range f.rows {
		row := f.soft[y*f.cols:][:f.cols]
		for range 3 {
			f.pass(row)
		}
	}
	column := f.out[:f.rows]
	for x := range f.cols {
		for y := range column {
			column[y] = f.soft[y*f.cols+x]
		}
		for range 3 {
			f.pass(column)
		}
		for y, v := range column {
			f.soft[y*f.cols+x] = v
		}
	}
}

// pass() replaces each cell of a line by the mean of the box around it. A box has at most 257 cells, so a sum fits in 16 bits.
func (f *Frost) pass(line []four) {
	r, in := f.radius, f.in[:len(line)+2*f.radius]
	copy(in[r:], line)
	for i := range r {
		in[r-1-i], in[r+len(line)+i] = line[mirrored(-1-i, len(line))], line[mirrored(len(line)+i, len(line))]
	}
	sum := four(0)
	for _, v := range in[:2*r] {
		sum += v
	}
	for i := range line {
		sum += in[i+2*r]
		line[i] = sum.share(f.inverse)
		sum -= in[i]
	}
}

// mirrored() returns the index of the cell at place i of a line of n cells. Beyond the ends, the line continues as its mirror image.
func mirrored(i, n int) int {
	i = (i%(2*n) + 2*n) % (2 * n)
	return min(i, 2*n-1-i)
}

// show paints the soft cells onto the canvas. It enlarges them by interpolation between the centers of the cells.
func (f *Frost) show(c Canvas, p image.Point) {
	r := c.local(image.Rectangle{Min: p, Max: p.Add(f.size)})
	if !f.taken || r.Empty() {
		return
	}
	org, parts := p.Add(c.Org), four(2)<<f.shift // parts: number of steps between two cells
	half := four(fourOnes) << (2*f.shift + 1)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		f.between(y - org.Y)
		out := rowOf(c.Dst, r, y)
		at := 2*(r.Min.X-org.X) + 1 - 1<<f.shift
		for i := 0; i < len(out); i += 4 {
			j, w := at>>(f.shift+1)+1, four(at)&(parts-1)
			v := (f.mid[j]*(parts-w) + f.mid[j+1]*w + half) >> (2*f.shift + 2) & fourMask
			binary.LittleEndian.PutUint32(out[i:], v.pixel())
			at += 2
		}
	}
}

// between() fills the field `mid` with a row of cells, interpolated for row y of the rectangle. The values are multiplied by `parts`, the
// number of steps between two cells.
func (f *Frost) between(y int) {
	parts := four(2) << f.shift
	at := 2*y + 1 - 1<<f.shift
	j, w := at>>(f.shift+1), four(at)&(parts-1)
	above, below := f.soft[max(0, j)*f.cols:][:f.cols], f.soft[min(f.rows-1, j+1)*f.cols:][:f.cols]
	mid := f.mid[1:][:f.cols]
	for i := range mid {
		mid[i] = above[i]*(parts-w) + below[i]*w
	}
	f.mid[0], f.mid[f.cols+1] = mid[0], mid[f.cols-1]
}
