package netstream

import (
	"image"
	"time"

	"dashboard/render/damage"
)

// patience is the maximum time for which a changing picture is not published, as a multiple of the debounce time. A transition
// ends within this time, and an endless animation is shown in spite of the debounce.
const patience = 5

// hold keeps frames back until the picture stops changing. It is guarded by Stream.draw.
type hold struct {
	frame   *image.RGBA // the frame drawn last (nil if there was no debounce yet)
	changed damage.List // the area that differs from the published frame
	fresh   damage.List // scratch: changes of the latest frame
	since   time.Time   // time of the first change in changed
	timer   *time.Timer
}

// drawLocked publishes a frame or holds it back. The first frame, and a frame with a new size, is never held back.
func (s *Stream) drawLocked(src *image.RGBA, rects []image.Rectangle, debounce time.Duration) {
	first := s.frame == nil || s.frame.Rect.Size() != src.Rect.Size()
	if first {
		s.hold.forget()
	}
	if debounce == 0 {
		s.releaseLocked()
		s.hold.forget()
	}
	if first || debounce == 0 {
		s.publishLocked(src, rects)
		return
	}
	s.holdLocked(src, rects, debounce)
}

func (s *Stream) holdLocked(src *image.RGBA, rects []image.Rectangle, debounce time.Duration) {
	h := &s.hold
	if h.frame == nil {
		h.frame = image.NewRGBA(s.frame.Rect)
		copyRects(h.frame, s.frame, []image.Rectangle{s.frame.Rect})
	}
	h.fresh.Reset()
	addChanges(&h.fresh, h.frame, src, rects)
	if h.fresh.Empty() {
		return
	}
	copyRects(h.frame, src, h.fresh.Rects())
	now := s.now()
	if h.changed.Empty() {
		h.since = now
	}
	h.changed.AddAll(h.fresh.Rects())
	s.wakeLocked(min(debounce, h.since.Add(patience*debounce).Sub(now)))
}

// wakeLocked makes sure that release is called once the given time has passed.
func (s *Stream) wakeLocked(after time.Duration) {
	if s.hold.timer == nil {
		s.hold.timer = time.AfterFunc(after, s.release)
		return
	}
	s.hold.timer.Reset(after)
}

// forget drops the held frame.
func (h *hold) forget() {
	if h.timer != nil {
		h.timer.Stop()
	}
	*h = hold{}
}

// release publishes the held frame.
func (s *Stream) release() {
	s.draw.Lock()
	defer s.draw.Unlock()
	s.releaseLocked()
}

func (s *Stream) releaseLocked() {
	h := &s.hold
	if h.changed.Empty() {
		return
	}
	h.timer.Stop()
	s.publishLocked(h.frame, h.changed.Rects())
	h.changed.Reset()
}
