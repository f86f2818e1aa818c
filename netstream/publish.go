package netstream

import (
	"bytes"
	"encoding/binary"
	"image"
	"time"

	"dashboard/render/damage"
)

// publishLocked compares src with the frame within `rects`, and publishes the changed pixels as a new frame. The caller holds s.draw. The
// frame, its row hashes and its tag change while s.pix is locked. So a reader that holds s.pix sees a frame and a tag that belong together.
func (s *Stream) publishLocked(src *image.RGBA, rects []image.Rectangle) {
	size := src.Rect.Size()
	frame, rows := s.frame, s.rows
	s.changed.Reset()
	if frame == nil || frame.Rect.Size() != size {
		frame, rows = image.NewRGBA(image.Rectangle{Max: size}), newRowSums(size)
		s.changed.Add(frame.Rect) // the size is new, so all pixels have changed
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

// announce makes the new frame the current frame and notifies the subscribers. The caller holds s.pix, so that tag and pixels change
// together.
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

// gapRows limits the unchanged rows inside a rectangle. If fewer than gapRows unchanged rows lie between two changes, one rectangle
// covers both changes. gapRows is about the height of a row of tiles.
const gapRows = 16

// addChanges adds the differences between dst and src to `changed`, as rectangles that cover runs of rows. It compares only within `rects`.
// The top left pixel of dst must be (0, 0).
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

// copyRects copies rectangles from src to dst. Their coordinates are relative to the top left pixel of each picture.
func copyRects(dst, src *image.RGBA, rects []image.Rectangle) {
	for _, r := range rects {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			copy(row(dst, r, y), row(src, r, y))
		}
	}
}

// row returns the pixels in row y of img, from the left to the right edge of r. y and r are relative to the top left pixel of img.
func row(img *image.RGBA, r image.Rectangle, y int) []byte {
	at := y * img.Stride
	return img.Pix[at+4*r.Min.X : at+4*r.Max.X]
}

// rowSums holds the hashes of a frame's rows. A change recomputes only the changed rows.
//
//	width, height, then one hash for each row: 8 bytes each, little endian
type rowSums struct {
	sums []byte
	done []uint64 // for each row, the number of the update that hashed it last. A row in several rectangles is hashed only once
	n    uint64   // number of updates so far
}

// rowSumBytes is the length of a row's hash in bytes.
const rowSumBytes = 8

func newRowSums(size image.Point) rowSums {
	r := rowSums{sums: make([]byte, rowSumBytes*(2+size.Y)), done: make([]uint64, size.Y)}
	binary.LittleEndian.PutUint64(r.sums, uint64(size.X))
	binary.LittleEndian.PutUint64(r.sums[rowSumBytes:], uint64(size.Y))
	return r
}

// update hashes the rows that the rectangles `rects` touch. It hashes all four bytes of each pixel, although alpha is always 255.
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

// sum returns the hash of the frame: a hash of its size and of all row hashes.
func (r *rowSums) sum() uint64 { return hash(r.sums) }
