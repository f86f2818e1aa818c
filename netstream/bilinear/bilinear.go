// Package bilinear scales RGBA pictures with a separable bilinear filter in fixed-point arithmetic. If a picture shrinks, the triangle of
// the filter becomes wider, so that every source pixel counts.
//
// A [Scaler] scales from one size to one other size. Its tables are built once, with integers only. So the tables are the same on every
// machine, and all kernels (portable Go, AVX2, NEON) produce the same bytes. Scaling itself allocates nothing.
//
// # The two filters
//
// The center of destination pixel i is at c = (i+½)·src/dst − ½ in the source.
//
//   - If neither direction shrinks by more than 3:2, the two source pixels next to c are
//     blended in each direction. Each source row is filtered horizontally once. The two
//     latest filtered rows are kept and blended.
//   - Otherwise, the weight of source pixel j is max(0, s−|j−c|) in each direction, with
//     s = max(1, src/dst). The weights are normalized over the pixels that exist. Source
//     rows are added first, columns second.
//
// Areas of one color keep their value exactly, because the weights of a pixel add up to a power of two.
//
// Pixels have premultiplied alpha. All four channels are filtered in the same way, so the opaque pixels of a frame stay opaque.
package bilinear

import (
	"fmt"
	"image"
	"sort"
)

// MaxSide is the longest side of a picture that can be scaled, in pixels. An 8K screen has this width. Up to this size, table indices fit
// in 16 bits, and sums fit in 32 bits.
const MaxSide = 7680

// pointNum:pointDen is 3:2, the strongest reduction for which only two source pixels are used in each direction.
// docs/dev/decisions/scaler.md explains the choice.
const (
	pointNum = 3
	pointDen = 2
)

// Scaler scales pictures of one size to one other size. Its memory is proportional to the sum of the four sides (see [Scaler.Bytes]). Only
// one goroutine at a time may use it, because it keeps rows in memory during a call.
type Scaler struct {
	x, y axis
	k    *kernels
	two  *twoTap // nil unless two source pixels are used in each direction
	area *area   // nil unless pixels are scaled by area
}

// New returns a Scaler from srcW x srcH to dstW x dstH pixels. It panics if a side is not in 1..[MaxSide], so check untrusted sizes
// first.
func New(dstW, dstH, srcW, srcH int) *Scaler {
	return newScaler(dstW, dstH, srcW, srcH, best, pointNum, pointDen)
}

// newScaler does the same as New, but with the kernels k. num:den is the strongest reduction for which only two source pixels are used in
// each direction.
func newScaler(dstW, dstH, srcW, srcH int, k *kernels, num, den int) *Scaler {
	for _, n := range [...]int{dstW, dstH, srcW, srcH} {
		if n < 1 || n > MaxSide {
			panic(fmt.Sprintf("bilinear: side of %d pixels, want 1 to %d", n, MaxSide))
		}
	}
	if srcW < k.minWidth {
		k = portable
	}
	s := &Scaler{x: axis{dst: dstW, src: srcW}, y: axis{dst: dstH, src: srcH}, k: k}
	switch {
	case dstW == srcW && dstH == srcH:
		s.x.identity()
		s.y.identity()
	case srcW >= minPointWidth && srcW*den <= dstW*num && srcH*den <= dstH*num:
		s.two = newTwoTap(&s.x, &s.y, k)
	default:
		s.area = newArea(&s.x, &s.y, k)
	}
	return s
}

// DstRect returns a rectangle of the scaled picture. It is the smallest rectangle that contains every pixel which depends on src. src is
// a rectangle of the source, relative to its top left pixel.
func (s *Scaler) DstRect(src image.Rectangle) image.Rectangle {
	if src.Empty() {
		return image.Rectangle{}
	}
	x0, x1 := s.x.touched(src.Min.X, src.Max.X)
	y0, y1 := s.y.touched(src.Min.Y, src.Max.Y)
	return nonEmpty(x0, y0, x1, y1)
}

// SrcRect returns the smallest rectangle of the source on which the pixels in dst depend.
func (s *Scaler) SrcRect(dst image.Rectangle) image.Rectangle {
	dst = dst.Intersect(image.Rect(0, 0, s.x.dst, s.y.dst))
	if dst.Empty() {
		return image.Rectangle{}
	}
	x0, x1 := s.x.reads(dst.Min.X, dst.Max.X)
	y0, y1 := s.y.reads(dst.Min.Y, dst.Max.Y)
	return image.Rect(x0, y0, x1, y1)
}

// Bytes returns the memory of the tables and row buffers, in bytes.
func (s *Scaler) Bytes() int {
	n := s.x.bytes() + s.y.bytes()
	if s.two != nil {
		n += s.two.bytes()
	}
	if s.area != nil {
		n += s.area.bytes()
	}
	return n
}

// Kernels returns the name of the row functions in use: "portable", "avx2" or "neon".
func (s *Scaler) Kernels() string { return s.k.name }

func nonEmpty(x0, y0, x1, y1 int) image.Rectangle {
	if x0 >= x1 || y0 >= y1 {
		return image.Rectangle{}
	}
	return image.Rect(x0, y0, x1, y1)
}

// axis describes one direction of scaling: the two lengths, and the first and last source pixel that each destination pixel uses. From
// one destination pixel to the next, both source indices stay equal or increase.
type axis struct {
	dst, src int
	lo, hi   []int16
}

func (a *axis) identity() {
	for i := range a.dst {
		a.span(i, i)
	}
}

// span appends the first and the last source pixel of the next destination pixel.
func (a *axis) span(lo, hi int) {
	a.lo = append(a.lo, int16(lo))
	a.hi = append(a.hi, int16(hi))
}

// centre returns the center of destination pixel i in source pixels, multiplied by 2·dst: (2i+1)·src − dst.
func (a *axis) centre(i int) int { return (2*i+1)*a.src - a.dst }

// touched() returns the range of destination pixels that use a source pixel in [from, to).
func (a *axis) touched(from, to int) (int, int) {
	first := sort.Search(a.dst, func(i int) bool { return int(a.hi[i]) >= from })
	end := sort.Search(a.dst, func(i int) bool { return int(a.lo[i]) >= to })
	return first, end
}

// reads() returns the range of source pixels that the destination pixels in [from, to) use.
func (a *axis) reads(from, to int) (int, int) {
	return int(a.lo[from]), int(a.hi[to-1]) + 1
}

func (a *axis) bytes() int { return 2 * (cap(a.lo) + cap(a.hi)) }
