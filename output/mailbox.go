package output

import (
	"image"
	"slices"
	"sync"

	"dashboard/render/damage"
	"dashboard/render/ink"
)

// mailbox passes frames from a renderer that must not wait to a slow consumer. It holds the newest frame and the damage that the
// consumer has not seen.
//
// If the consumer is fast, a frame needs only one copy: the renderer copies its damage into front. While the consumer reads
// front, the damage is copied to back, which is allocated on demand, and later from back to front.
type mailbox struct {
	wake chan struct{} // capacity 1. A value reports that there may be a frame

	mu          sync.Mutex
	front, back *image.RGBA
	spare       *image.RGBA                      // memory of front while frames bypass the mailbox
	passed      int                              // number of frames in a row that bypassed the mailbox
	seen        image.Rectangle                  // bounds of the newest frame (empty before the first)
	whole       [1]image.Rectangle               // scratch for pass
	fresh       damage.List                      // parts of front that were not taken yet
	late        damage.List                      // part of back that is newer than front. All of its pixels are valid
	busy        bool                             // the consumer is reading front
	pending     bool                             // a frame has arrived since the last take
	skipped     bool                             // frames were dropped, so the next one is damaged completely
	grown       [damage.Capacity]image.Rectangle // scratch for putBack
	turned      bool                             // front and back hold frames rotated by 180 degrees
	lost        uint64                           // frames that arrived while another one was pending

	told                      ink.Regions // regions of the next frame for put
	frontRegions, backRegions ink.Regions // regions of front and back
}

func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

// put copies the damage of a frame. If its size differs from the previous frame, it copies the whole frame.
func (m *mailbox) put(src *image.RGBA, rs []image.Rectangle) {
	m.mu.Lock()
	resized := m.newest() == nil || m.newest().Rect != src.Rect || m.skipped
	if len(rs) == 0 && !resized {
		m.mu.Unlock()
		return
	}
	whole := [1]image.Rectangle{src.Rect}
	if resized {
		rs = whole[:]
	}
	m.skipped = false
	if m.busy {
		m.putBack(src, rs)
	} else {
		m.putFront(src, rs)
	}
	m.mark(src.Rect)
	m.arrived()
	m.ring()
	m.mu.Unlock()
}

// regions sets the regions of the next frame.
func (m *mailbox) regions(r *ink.Regions) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = *r
}

// mark sets the regions of the frame that was just put, with the given bounds.
func (m *mailbox) mark(bounds image.Rectangle) {
	at := &m.frontRegions
	if m.busy {
		at = &m.backRegions
	}
	*at = m.told
	if m.turned {
		at.Turn(bounds)
	}
}

// turn sets whether later frames are rotated by 180 degrees.
func (m *mailbox) turn(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turned = on
}

// passedMost is the number of frames that bypass the mailbox before it frees its memory.
const passedMost = 8

// pass offers a frame directly to the consumer with try, if the mailbox is empty. The first frame, and the first of a new size, is
// damaged completely. pass reports whether try took the frame. If so, the stored frame is outdated and dropped.
func (m *mailbox) pass(src *image.RGBA, rs []image.Rectangle, try func(*image.RGBA, []image.Rectangle) bool) (taken bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.turned || m.busy || !m.fresh.Empty() {
		return false
	}
	if m.seen != src.Rect {
		m.whole[0] = src.Rect
		rs = m.whole[:]
	}
	if !try(src, rs) {
		return false
	}
	m.seen = src.Rect
	if m.front != nil {
		m.spare, m.front, m.back = m.front, nil, nil
	}
	if m.passed++; m.passed >= passedMost {
		m.spare = nil
	}
	m.pending = false
	return true
}

// skip drops a frame because there is no consumer. It frees the memory unless it is being read.
func (m *mailbox) skip() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.skipped, m.pending = true, false
	if m.busy {
		return
	}
	m.front, m.back, m.spare, m.seen = nil, nil, nil, image.Rectangle{}
	m.fresh.Reset()
	m.late.Reset()
}

func (m *mailbox) putFront(src *image.RGBA, rs []image.Rectangle) {
	m.passed, m.seen = 0, src.Rect
	if m.front == nil || m.front.Rect != src.Rect {
		m.front = m.spare
		m.spare = nil
		if m.front == nil || m.front.Rect != src.Rect {
			m.front = image.NewRGBA(src.Rect)
		}
		m.fresh.Reset()
	}
	for _, r := range rs {
		r = m.placed(r.Intersect(src.Rect), src.Rect)
		m.copyIn(m.front, src, r)
		m.fresh.Add(r)
	}
}

// putBack copies the changes to back. If the list covers more than was added, it copies that area too, so that this is done only
// once.
func (m *mailbox) putBack(src *image.RGBA, rs []image.Rectangle) {
	m.seen = src.Rect
	m.needBack(src.Rect)
	before := m.late
	for _, r := range rs {
		m.late.Add(m.placed(r.Intersect(src.Rect), src.Rect))
	}
	grown := m.grown[:0]
	for _, r := range m.late.Rects() {
		if !slices.Contains(before.Rects(), r) {
			m.copyIn(m.back, src, r)
			grown = append(grown, r)
		}
	}
	for _, r := range rs {
		r = m.placed(r.Intersect(src.Rect), src.Rect)
		if !slices.ContainsFunc(grown, r.In) {
			m.copyIn(m.back, src, r)
		}
	}
}

// placed returns the rectangle in the mailbox for r of a frame with the given bounds.
func (m *mailbox) placed(r, bounds image.Rectangle) image.Rectangle {
	if !m.turned || r.Empty() {
		return r
	}
	return image.Rectangle{Min: bounds.Min.Add(bounds.Max).Sub(r.Max), Max: bounds.Min.Add(bounds.Max).Sub(r.Min)}
}

// copyIn copies the pixels that belong at r from a frame.
func (m *mailbox) copyIn(dst, src *image.RGBA, r image.Rectangle) {
	if m.turned {
		copyTurned(dst, src, r)
		return
	}
	copyRect(dst, src, r)
}

func (m *mailbox) needBack(size image.Rectangle) {
	if m.back == nil || m.back.Rect != size {
		m.back = image.NewRGBA(size)
		m.late.Reset()
	}
}

// newest returns the image with the newest frame. It is back only while the consumer reads front.
func (m *mailbox) newest() *image.RGBA {
	if !m.late.Empty() {
		return m.back
	}
	return m.front
}

func (m *mailbox) arrived() {
	if m.pending {
		m.lost++
	}
	m.pending = true
}

// invalidate marks the whole frame as damage. It reports whether the newest frame is stored.
func (m *mailbox) invalidate() (kept bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.front != nil {
		m.fresh.Add(m.front.Rect)
	}
	m.ring()
	return m.front != nil && !m.skipped
}

// ring wakes the consumer. The caller holds mu, so that take can undo it.
func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// due reports whether there is a change. If any is true, it reports whether there is a frame.
func (m *mailbox) due(any bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.fresh.Empty() || any && m.front != nil
}

// take returns the newest frame with its regions, and moves the damage since the last take to d. It returns nil before the first
// frame. The frame is valid until done is called.
func (m *mailbox) take(d *damage.List, regions *ink.Regions) *image.RGBA {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.front == nil {
		return nil
	}
	select {
	case <-m.wake: // the signal belongs to this frame
	default:
	}
	*d = m.fresh
	m.fresh.Reset()
	m.busy, m.pending = true, false
	*regions = m.frontRegions
	return m.front
}

// mergeLate copies the changes that arrived while front was read to front.
func (m *mailbox) mergeLate() {
	if m.late.Empty() {
		return
	}
	if m.front.Rect != m.back.Rect {
		m.front, m.back = m.back, nil
		m.fresh.Reset()
		m.fresh.Add(m.front.Rect)
	} else {
		for _, r := range m.late.Rects() {
			copyRect(m.front, m.back, r)
		}
		m.fresh.AddAll(m.late.Rects())
	}
	m.frontRegions = m.backRegions
	m.late.Reset()
}

// done ends the reading that take began. If it failed, d is added to the damage again.
func (m *mailbox) done(d *damage.List, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = false
	if failed {
		m.fresh.AddAll(d.Rects())
	}
	m.mergeLate()
}

// restore adds d, which was taken and not used, to the damage again.
func (m *mailbox) restore(d *damage.List) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range d.Rects() {
		m.fresh.Add(r.Intersect(m.front.Rect)) // front may have another size by now
	}
}

func (m *mailbox) lostFrames() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lost
}

// copyRect copies the pixels of r, which must lie in both images.
func copyRect(dst, src *image.RGBA, r image.Rectangle) {
	if r.Empty() {
		return
	}
	d, s, n := dst.PixOffset(r.Min.X, r.Min.Y), src.PixOffset(r.Min.X, r.Min.Y), 4*r.Dx()
	for range r.Dy() {
		copy(dst.Pix[d:d+n], src.Pix[s:s+n])
		d += dst.Stride
		s += src.Stride
	}
}

// Turned returns a frame rotated by 180 degrees, as a Pacer shows it after Turn.
func Turned(frame *image.RGBA) *image.RGBA {
	turned := image.NewRGBA(frame.Rect)
	copyTurned(turned, frame, frame.Rect)
	return turned
}

// copyTurned copies a rectangle into r of dst, rotated by 180 degrees about the center. r must lie in both images.
func copyTurned(dst, src *image.RGBA, r image.Rectangle) {
	if r.Empty() {
		return
	}
	last := src.Rect.Min.Add(src.Rect.Max).Sub(r.Min).Sub(image.Pt(1, 1)) // source pixel for r.Min
	for y := range r.Dy() {
		from := src.Pix[src.PixOffset(last.X+1-r.Dx(), last.Y-y):]
		to := dst.Pix[dst.PixOffset(r.Min.X, r.Min.Y+y):]
		for i := range r.Dx() {
			copy(to[4*i:4*i+4], from[4*(r.Dx()-1-i):])
		}
	}
}
