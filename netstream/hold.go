package netstream

import (
	"image"
	"time"

	"dashboard/render/damage"
)

// patience is the longest time that a changing picture is held back, as a multiple of the debounce time. So an endless animation is shown
// in spite of the debounce. Transitions are shorter than this time.
const patience = 5

// hold holds frames back until the picture stops changing. Stream.draw guards it.
type hold struct {
	frame   *image.RGBA // most recently drawn frame. nil until a frame is held back, and after forget()
	changed damage.List // where the field frame differs from the published frame
	fresh   damage.List // working memory: the changes of the latest frame
	since   time.Time   // time of the first change in the field changed
	timer   *time.Timer
}

// drawLocked publishes a frame, or holds it back for the debounce time. It never holds back the first frame or a frame of a new size.
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

// wakeLocked starts the timer that calls release() after the given time.
func (s *Stream) wakeLocked(after time.Duration) {
	if s.hold.timer == nil {
		s.hold.timer = time.AfterFunc(after, s.release)
		return
	}
	s.hold.timer.Reset(after)
}

// forget drops the held-back frame.
func (h *hold) forget() {
	if h.timer != nil {
		h.timer.Stop()
	}
	*h = hold{}
}

// release publishes the held-back frame, if there is one.
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
