package output

import (
	"image"
	"image/draw"
	"sync"

	"dashboard/render/damage"
)

// mailbox hands frames from a renderer that must not wait to a consumer that may be slow. It holds the newest frame and
// the damage the consumer has not seen.
//
// A consumer that keeps up costs one copy of the frame: the renderer copies its damage into front. Only while the
// consumer reads front does the damage go to back, which is made when first needed and copied to front when it is done.
type mailbox struct {
	wake chan struct{} // capacity 1: there may be something to take

	mu          sync.Mutex
	front, back *image.RGBA
	fresh       damage.List // what of front has not been taken
	late        damage.List // what of back is newer than front; every pixel of it is valid
	busy        bool        // the consumer is reading front
	pending     bool        // a frame has come since the last take
	lost        uint64      // frames that came while another was pending
}

func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

// put takes over the damage of a frame. A frame of another size than the one before is taken over whole.
func (m *mailbox) put(src *image.RGBA, rs []image.Rectangle) {
	m.mu.Lock()
	resized := m.newest() == nil || m.newest().Rect != src.Rect
	if len(rs) == 0 && !resized {
		m.mu.Unlock()
		return
	}
	whole := [1]image.Rectangle{src.Rect}
	if resized {
		rs = whole[:]
	}
	if m.busy {
		m.putBack(src, rs)
	} else {
		m.putFront(src, rs)
	}
	m.arrived()
	m.mu.Unlock()
	m.ring()
}

func (m *mailbox) putFront(src *image.RGBA, rs []image.Rectangle) {
	if m.front == nil || m.front.Rect != src.Rect {
		m.front = image.NewRGBA(src.Rect)
		m.fresh.Reset()
	}
	for _, r := range rs {
		r = r.Intersect(src.Rect)
		copyRect(m.front, src, r)
		m.fresh.Add(r)
	}
}

// putBack copies everything the list covers after adding rs, for a list may grow by more than was added.
func (m *mailbox) putBack(src *image.RGBA, rs []image.Rectangle) {
	m.needBack(src.Rect)
	for _, r := range rs {
		m.late.Add(r.Intersect(src.Rect))
	}
	for _, r := range m.late.Rects() {
		copyRect(m.back, src, r)
	}
}

// putPart takes over a rectangle whose surroundings the caller does not have. bounds is the size of a frame if none
// has come yet.
func (m *mailbox) putPart(bounds, r image.Rectangle, src image.Image, at image.Point) {
	m.mu.Lock()
	if m.front == nil {
		m.front = image.NewRGBA(bounds)
	}
	to := m.newest()
	if clipped := r.Intersect(to.Rect); clipped != r {
		at = at.Add(clipped.Min.Sub(r.Min))
		r = clipped
	}
	if m.busy {
		m.needBack(to.Rect)
		to = m.back
		m.growLate(r)
	} else {
		m.fresh.Add(r)
	}
	draw.Draw(to, r, src, at, draw.Src)
	m.arrived()
	m.mu.Unlock()
	m.ring()
}

// growLate adds r and brings what else the list then covers from front. Of a frame of another size the list
// covers everything already.
func (m *mailbox) growLate(r image.Rectangle) {
	before := m.late
	m.late.Add(r)
	if m.back.Rect != m.front.Rect {
		return
	}
	for _, g := range m.late.Rects() {
		for y := g.Min.Y; y < g.Max.Y; y++ {
			for x := g.Min.X; x < g.Max.X; x++ {
				if !covers(&before, x, y) {
					copy(m.back.Pix[m.back.PixOffset(x, y):][:4], m.front.Pix[m.front.PixOffset(x, y):])
				}
			}
		}
	}
}

func covers(l *damage.List, x, y int) bool {
	for _, r := range l.Rects() {
		if (image.Point{X: x, Y: y}).In(r) {
			return true
		}
	}
	return false
}

func (m *mailbox) needBack(size image.Rectangle) {
	if m.back == nil || m.back.Rect != size {
		m.back = image.NewRGBA(size)
		m.late.Reset()
	}
}

// newest returns the image whose size is that of the newest frame. Only while the consumer is busy can it be back.
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

// invalidate makes all of the frame damage.
func (m *mailbox) invalidate() {
	m.mu.Lock()
	if m.front != nil {
		m.fresh.Add(m.front.Rect)
	}
	m.mu.Unlock()
	m.ring()
}

func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take returns the newest frame and moves to d the damage since the last take. It returns nil if no frame has come. The
// frame holds until done.
func (m *mailbox) take(d *damage.List) *image.RGBA {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.front == nil {
		return nil
	}
	*d = m.fresh
	m.fresh.Reset()
	m.busy, m.pending = true, false
	return m.front
}

// mergeLate brings front up to date with what came while it was read.
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
	m.late.Reset()
}

// done ends the reading that take began. What could not be used, d, is damage again.
func (m *mailbox) done(d *damage.List, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = false
	if failed {
		m.fresh.AddAll(d.Rects())
	}
	m.mergeLate()
}

// changed tells whether a frame has come since the last take.
func (m *mailbox) changed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pending
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
