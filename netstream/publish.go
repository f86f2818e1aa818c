package netstream

import (
	"bytes"
	"encoding/binary"
	"image"
	"time"

	"dashboard/render/damage"
)

// publishLocked makes the changed pixels of src the newest frame. draw is held. Frame, rows and tag change while pix is locked, so
// a reader that holds pix finds the matching tag.
func (s *Stream) publishLocked(src *image.RGBA, rects []image.Rectangle) {
	size := src.Rect.Size()
	frame, rows := s.frame, s.rows
	s.changed.Reset()
	if frame == nil || frame.Rect.Size() != size {
		frame, rows = image.NewRGBA(image.Rectangle{Max: size}), newRowSums(size)
		s.changed.Add(frame.Rect) // all pixels are new
	} else if addChanges(&s.changed, frame, src, rects); s.changed.Empty() {
		s.countUnchanged()
		return
	}
	s.pix.Lock()
	defer s.pix.Unlock()
	copyRects(frame, src, s.changed.Rects())
	rows.update(frame, s.changed.Rects())
	s.frame, s.rows = frame, rows
	s.announce(rows.sum(), size)
}

// announce makes the frame the current one. pix is held, so that tag and pixels change together.
func (s *Stream) announce(base uint64, size image.Point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	resized := size != s.cur.size
	s.cur = frameID{seq: s.cur.seq + 1, base: base, at: now.Truncate(time.Microsecond), size: size}
	s.tag = ""
	s.counts.published++
	s.dropIdleLocked(now)
	for _, z := range s.sizes {
		if resized {
			z.pending.Reset()
		}
		z.pending.AddAll(s.changed.Rects())
	}
	s.tellLocked()
}

func (s *Stream) countUnchanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.unchanged++
}

// gapRows is the maximum number of unchanged rows in one rectangle of changes: about a row of tiles.
const gapRows = 16

// addChanges adds the differences between dst, whose corner is (0, 0), and src to changed, as runs of rows. It compares only within
// rects, and changes neither picture.
func addChanges(changed *damage.List, dst, src *image.RGBA, rects []image.Rectangle) {
	for _, r := range rects {
		r = r.Intersect(src.Rect).Sub(src.Rect.Min)
		if r.Empty() {
			continue
		}
		first, last := -1, -1
		for y := r.Min.Y; y < r.Max.Y; y++ {
			if bytes.Equal(row(dst, r, y), row(src, r, y)) {
				continue
			}
			if first >= 0 && y-last > gapRows {
				changed.Add(image.Rect(r.Min.X, first, r.Max.X, last+1))
				first = -1
			}
			if first < 0 {
				first = y
			}
			last = y
		}
		if first >= 0 {
			changed.Add(image.Rect(r.Min.X, first, r.Max.X, last+1))
		}
	}
}

// copyRects copies rectangles whose coordinates are relative to the corner of each picture.
func copyRects(dst, src *image.RGBA, rects []image.Rectangle) {
	for _, r := range rects {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			copy(row(dst, r, y), row(src, r, y))
		}
	}
}

// row returns the part of row y that r spans, counted from img's corner.
func row(img *image.RGBA, r image.Rectangle, y int) []byte {
	at := y * img.Stride
	return img.Pix[at+4*r.Min.X : at+4*r.Max.X]
}

// rowSums holds the hashes of a frame's rows. A change recomputes only the changed rows.
//
//	width, height, then one hash a row: 8 bytes each, little endian
type rowSums struct {
	sums []byte
	done []uint64 // the round in which each row was last hashed, so that a row in several rectangles is hashed once
	n    uint64   // rounds
}

// rowSumBytes is the size of a hash of one row.
const rowSumBytes = 8

func newRowSums(size image.Point) rowSums {
	r := rowSums{sums: make([]byte, rowSumBytes*(2+size.Y)), done: make([]uint64, size.Y)}
	binary.LittleEndian.PutUint64(r.sums, uint64(size.X))
	binary.LittleEndian.PutUint64(r.sums[rowSumBytes:], uint64(size.Y))
	return r
}

// update hashes the rows that the rectangles touch. It hashes four bytes for each pixel, although alpha is always 255.
func (r *rowSums) update(frame *image.RGBA, rects []image.Rectangle) {
	r.n++
	for _, d := range rects {
		for y := d.Min.Y; y < d.Max.Y; y++ {
			if r.done[y] == r.n {
				continue
			}
			r.done[y] = r.n
			binary.LittleEndian.PutUint64(r.sums[rowSumBytes*(2+y):], hash(row(frame, frame.Rect, y)))
		}
	}
}

// sum is the hash of the frame: of its size and all rows.
func (r *rowSums) sum() uint64 { return hash(r.sums) }
