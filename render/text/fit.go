package text

// startSize returns the maximum size, at which the search for a fitting size starts.
func (b *Block) startSize() int {
	if b.o.Size > 0 {
		return clampSize(b.o.Size)
	}
	return clampSize(b.h)
}

// leastSize returns the minimum size of the text.
func (b *Block) leastSize() int {
	if !b.o.Ellipsis {
		return 1
	}
	least := minLegible
	switch {
	case b.o.Least > 0:
		least = b.o.Least
	case b.o.Size > 0:
		least = b.o.Size
	}
	least = min(least, b.startSize())
	for least > 1 && !b.fitsHeight(least, 1) { // reduce the minimum size until one line fits
		least = min(least-1, b.guessHeight(1)+roundingSlack)
	}
	return least
}

// fitsHeight reports whether n lines of a size fit into the box, including descenders. As in Grydgets, descenders may extend into the
// padding. A single line may also extend into the padding, if it is higher than the box without its padding.
func (b *Block) fitsHeight(size, n int) bool {
	if b.o.Lines > 0 && n > b.o.Lines {
		return false
	}
	m := b.o.Font.Metrics(size)
	height := size - m.Descent + (n-1)*b.lineHeight(m)
	switch b.o.VAlign {
	case Middle:
		return height+2*m.Deep <= b.h+2*b.o.Padding && (n == 1 || height <= b.h)
	case Bottom:
		if n == 1 && !b.o.Even {
			// A line whose size is at most b.h fits, because the free space above its capitals is larger than its descenders.
			return size <= b.h || height+max(0, m.Deep-b.o.Padding) <= b.h+b.o.Padding
		}
	}
	return height+m.Deep <= b.h+b.o.Padding
}

// guessHeight returns an estimate of the largest size at which n lines fit. It may be too large, but never too small except for rounding.
func (b *Block) guessHeight(n int) int {
	f := b.o.Font
	em := f.upem - f.descent
	room, least := b.h+b.o.Padding, 0
	if b.o.LineHeight > 0 {
		room -= (n - 1) * b.o.LineHeight
	} else {
		em += (n - 1) * (f.ascent + f.descent + f.gap)
	}
	switch {
	case b.o.VAlign == Middle && n > 1 && int64(b.h)*int64(em+2*f.deep) < int64(b.h+2*b.o.Padding)*int64(em):
		room = b.h
	case b.o.VAlign == Middle:
		em, room = em+2*f.deep, room+b.o.Padding
	case b.o.VAlign == Bottom && n == 1:
		least = b.h
	default:
		em += f.deep
	}
	if em <= 0 {
		return maxSize
	}
	return clampSize(max(least, room*f.upem/em))
}

// roundingSlack is added to an estimated size, because rounding to whole pixels can make the estimate too small. Rounded advances can
// make it smaller by another 1/advanceSlack: at subpixelMax, the narrowest letters are 13 pixels wide, and rounding changes this width by
// up to half a pixel.
const (
	roundingSlack = 3
	advanceSlack  = 26
)

// fitWidth returns the largest size between 1 and `start` at which the segments and their ink are at most w pixels wide. It returns 1 if no
// size fits.
func fitWidth(segs []*segment, start, w int) int {
	size := guessWidth(segs, start, w)
	for size > 1 {
		if wide, _ := inkWidth(segs, size); wide <= w {
			break
		}
		size--
	}
	return size
}

// guessWidth returns an estimate of fitWidth's result, at most `start`. It may be too large, but not too small.
func guessWidth(segs []*segment, start, w int) int {
	em := units(segs)
	if em <= 0 {
		return start
	}
	guess := int(min(int64(max(w, 0))*refEm/em, maxSize))
	return min(start, clampSize(guess+guess/advanceSlack+roundingSlack))
}

// fitRows returns the largest size at which the rows fit, at least leastSize.
func (b *Block) fitRows() int {
	least := b.leastSize()
	size := min(b.startSize(), b.guessHeight(len(b.rows))+roundingSlack)
	for size > least && !b.fitsHeight(size, len(b.rows)) {
		size--
	}
	for i := range b.rows {
		size = min(size, fitWidth(b.rows[i].line.segments, size, b.w))
	}
	return max(size, least)
}

// FitWidth returns the largest size in pixels, between 1 and `start`, at which s is at most w pixels wide on one line. It returns 1 if no
// size fits.
func (c *Cache) FitWidth(f *Font, s string, start, w int) int {
	var l Line
	l.raw(s)
	blankBreaks(l.clean)
	l.cut(c, f, l.clean)
	return fitWidth(l.segments, clampSize(start), w)
}
