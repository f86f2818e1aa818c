// Package damage keeps a bounded list of rectangles that covers every changed pixel.
//
// A painter adds its changes. The next consumer of the frame (a screen, an encoder or a network client) processes only these rectangles.
// The list may cover more than the added rectangles, but never less. When the list is full, it merges the two rectangles whose union adds
// the fewest pixels.
package damage

import "image"

// Capacity is the greatest number of rectangles in a List. A wall has ten to twenty widgets, and few of them change in the same frame. If
// a 17th rectangle is added, 136 comparisons find the best pair to merge. The cost of these comparisons is negligible compared with
// painting.
const Capacity = 16

// List is a bounded set of rectangles. The zero value is an empty list. A List takes 0.5 kB, contains no pointers and never allocates. It
// may be copied. It is not safe for concurrent use. Coordinates must lie within ±2^30.
//
// No rectangle of a List contains another. Two rectangles overlap only if painting both costs less than painting their union.
type List struct {
	n     int
	rects [Capacity]image.Rectangle
}

// Add adds r to the covered area. An empty r changes nothing.
func (l *List) Add(r image.Rectangle) {
	if r.Empty() {
		return
	}
	r, done := l.absorb(r)
	if done {
		return
	}
	for l.n == Capacity {
		// makeRoom may have joined rectangles, and the larger rectangle may contain other rectangles. So call absorb() again.
		if r, done = l.absorb(l.makeRoom(r)); done {
			return
		}
	}
	l.rects[l.n] = r
	l.n++
}

// AddAll adds every rectangle of rs.
func (l *List) AddAll(rs []image.Rectangle) {
	for _, r := range rs {
		l.Add(r)
	}
}

// Rects returns the rectangles. The slice belongs to the list and is valid until the next Add or Reset.
func (l *List) Rects() []image.Rectangle { return l.rects[:l.n:l.n] }

// Bounds returns the smallest rectangle that contains the whole list, or the zero rectangle.
func (l *List) Bounds() image.Rectangle {
	var b image.Rectangle
	for _, r := range l.Rects() {
		b = b.Union(r)
	}
	return b
}

// Empty reports whether the list is empty.
func (l *List) Empty() bool { return l.n == 0 }

// Reset empties the list.
func (l *List) Reset() { l.n = 0 }

// absorb removes every rectangle that r can replace at no extra cost, and enlarges r to contain the removed rectangles. It returns the
// enlarged r. `done` is true if the list already covers r.
func (l *List) absorb(r image.Rectangle) (grown image.Rectangle, done bool) {
	for i := 0; i < l.n; {
		if r.In(l.rects[i]) {
			return r, true
		}
		if extra(r, l.rects[i]) > 0 {
			i++
			continue
		}
		r = r.Union(l.rects[i])
		l.remove(i)
		i = 0 // start again: the enlarged r may now absorb earlier rectangles
	}
	return r, false
}

// makeRoom merges the cheapest pair among r and the rectangles of the full list. It removes the pair from the list and returns the merged
// rectangle, which the caller adds. If r is not part of the pair, makeRoom stores r in the list.
func (l *List) makeRoom(r image.Rectangle) image.Rectangle {
	const isR = -1
	a, b, least := 0, isR, extra(l.rects[0], r)
	for i := 0; i < l.n; i++ {
		if e := extra(l.rects[i], r); e < least {
			a, b, least = i, isR, e
		}
		for j := i + 1; j < l.n; j++ {
			if e := extra(l.rects[i], l.rects[j]); e < least {
				a, b, least = i, j, e
			}
		}
	}
	if b == isR {
		joined := l.rects[a].Union(r)
		l.remove(a)
		return joined
	}
	joined := l.rects[a].Union(l.rects[b])
	l.rects[a] = r
	l.remove(b)
	return joined
}

// remove removes rectangle i and moves the last rectangle to its index.
func (l *List) remove(i int) {
	l.n--
	l.rects[i] = l.rects[l.n]
}

// extra returns the number of pixels in the union rectangle of a and b, minus the number of pixels in both rectangles. The result is
// negative if a and b overlap enough.
func extra(a, b image.Rectangle) int64 { return area(a.Union(b)) - area(a) - area(b) }

func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }
