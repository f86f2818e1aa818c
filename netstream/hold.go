package netstream

import (
	"image"
	"time"

	"dashboard/render/damage"
)

// patience is for how many times the debounce a picture that never rests is held back. A transition is over
// within it. An endless animation is still seen.
const patience = 5

// hold keeps back frames until the picture rests. It is guarded by Stream.draw.
type hold struct {
	frame   *image.RGBA // as drawn last (nil while there has been no debounce)
	changed damage.List // the area that differs from the published frame
	fresh   damage.List // scratch: changes of the latest frame
	since   time.Time   // when the first of changed came
	timer   *time.Timer
}

// drawLocked publishes a frame, or holds it back. The first one, and the first of another size, never wait.
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

// wakeLocked has release called after the given time, and not before.
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
