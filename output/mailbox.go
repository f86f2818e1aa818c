package output

import (
	"image"
	"slices"
	"sync"

	"dashboard/render/damage"
	"dashboard/render/ink"
)

// mailbox passes frames from a renderer, which must not wait, to a slow consumer. It holds the newest frame, and the damage that the
// consumer has not seen yet.
//
// Usually each change is copied only once: the renderer's damage is copied to `front`. While the consumer reads `front`, damage is copied
// to `back` instead. When the consumer has finished reading, this damage is copied from `back` to `front`. The memory of `back` is
// allocated at its first use.
type mailbox struct {
	wake chan struct{} // capacity 1. Receives a value when there may be a frame to take

	mu          sync.Mutex
	front, back *image.RGBA
	spare       *image.RGBA                      // memory of `front`, kept while frames bypass the mailbox
	passed      int                              // number of consecutive frames that have bypassed the mailbox
	seen        image.Rectangle                  // bounds of the newest frame, or empty before the first frame
	whole       [1]image.Rectangle               // working memory of pass()
	fresh       damage.List                      // damage in `front` that the consumer has not taken yet
	late        damage.List                      // parts of `back` that are newer than `front`. Other parts of `back` are invalid
	busy        bool                             // the consumer is reading `front`
	pending     bool                             // a frame has arrived since the last take
	skipped     bool                             // frames were dropped, so the damage of the next frame is the whole frame
	grown       [damage.Capacity]image.Rectangle // working memory of putBack
	turned      bool                             // `front` and `back` hold frames that are rotated by 180 degrees
	lost        uint64                           // number of frames that arrived while another frame was pending

	told                      ink.Regions // regions of the frame that put() will receive next
	frontRegions, backRegions ink.Regions // regions of the frames in `front` and `back`
}

func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

// put() copies the damage rs of a frame. It copies the whole frame if it is the first frame, if its size has changed, or if frames were
// dropped before it.
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

// regions() sets the regions of the frame that put() will receive next.
func (m *mailbox) regions(r *ink.Regions) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = *r
}

// mark() stores the regions for the frame that put() has just copied. `bounds` are the bounds of this frame.
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

// turn() sets whether frames are rotated by 180 degrees from now on.
func (m *mailbox) turn(on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turned = on
}

// passedMost is the number of consecutive frames that bypass the mailbox before the mailbox frees its memory.
const passedMost = 8

// pass() offers a frame to the consumer by calling `try`, which does not copy the frame. It calls `try` only if the consumer has already
// taken all earlier frames, and if frames are not rotated. For the first frame and for a frame of another size, the damage is the whole
// frame. `taken` reports whether the consumer has taken the frame. In that case the mailbox drops the older frame that it holds.
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

// skip() drops a frame, because there is no consumer. It frees the memory, unless the consumer is still reading.
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

// putBack copies the changes rs to `back`, and adds them to the list `late`. The rectangles of `late` may then cover more than these
// changes. In this case, putBack also copies the additional area, so that `back` is valid in all rectangles of `late`.
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

// placed() returns where the mailbox stores the rectangle r of a frame. `bounds` are the frame's bounds.
func (m *mailbox) placed(r, bounds image.Rectangle) image.Rectangle {
	if !m.turned || r.Empty() {
		return r
	}
	return image.Rectangle{Min: bounds.Min.Add(bounds.Max).Sub(r.Max), Max: bounds.Min.Add(bounds.Max).Sub(r.Min)}
}

// copyIn copies pixels from a frame to the rectangle r of dst.
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

// newest() returns the picture that holds the newest frame. If frames have arrived while the consumer reads `front`, this is `back`.
// Otherwise it is `front`.
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

// invalidate marks the whole frame as damage. `kept` is false if the mailbox does not hold the newest frame.
func (m *mailbox) invalidate() (kept bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.front != nil {
		m.fresh.Add(m.front.Rect)
	}
	m.ring()
	return m.front != nil && !m.skipped
}

// ring() wakes the consumer with a signal. The caller must hold mu, so that take() removes this signal only together with the frame to
// which it belongs.
func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// due() reports whether the consumer has something to do. It has something to do if there is a change, or if the parameter `any` is true
// and there is a frame.
func (m *mailbox) due(any bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.fresh.Empty() || any && m.front != nil
}

// take() moves the damage since the last call of take() to d, and copies the frame's regions to *regions. It returns the newest frame,
// which is valid until done() is called. Before the first frame it returns nil.
func (m *mailbox) take(d *damage.List, regions *ink.Regions) *image.RGBA {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.front == nil {
		return nil
	}
	select {
	case <-m.wake: // remove the signal for the frame that is taken now
	default:
	}
	*d = m.fresh
	m.fresh.Reset()
	m.busy, m.pending = true, false
	*regions = m.frontRegions
	return m.front
}

// mergeLate copies changes from `back` to `front`. These changes arrived while the consumer was reading `front`.
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

// done() ends the reading that take() began. If the consumer has failed, done() adds d to the damage again.
func (m *mailbox) done(d *damage.List, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = false
	if failed {
		m.fresh.AddAll(d.Rects())
	}
	m.mergeLate()
}

// restore adds d to the damage again. The consumer has drawn d, but has not used the result, for example because an upload failed.
func (m *mailbox) restore(d *damage.List) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range d.Rects() {
		m.fresh.Add(r.Intersect(m.front.Rect)) // the size of `front` may have changed
	}
}

func (m *mailbox) lostFrames() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lost
}

// copyRect copies the pixels in r from src to dst. r must lie in both pictures.
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

// Turned returns a copy of a frame, rotated by 180 degrees. A Pacer shows this picture after the call Turn(true).
func Turned(frame *image.RGBA) *image.RGBA {
	turned := image.NewRGBA(frame.Rect)
	copyTurned(turned, frame, frame.Rect)
	return turned
}

// copyTurned copies a rectangle of src to the rectangle r of dst, rotated by 180 degrees about the center. r must lie in both pictures.
func copyTurned(dst, src *image.RGBA, r image.Rectangle) {
	if r.Empty() {
		return
	}
	last := src.Rect.Min.Add(src.Rect.Max).Sub(r.Min).Sub(image.Pt(1, 1)) // position in src of the pixel for r.Min
	for y := range r.Dy() {
		from := src.Pix[src.PixOffset(last.X+1-r.Dx(), last.Y-y):]
		to := dst.Pix[dst.PixOffset(r.Min.X, r.Min.Y+y):]
		for i := range r.Dx() {
			copy(to[4*i:4*i+4], from[4*(r.Dx()-1-i):])
		}
	}
}
