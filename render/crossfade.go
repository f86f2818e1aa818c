package render

import (
	"bytes"
	"image"
	"time"

	"dashboard/render/blend"
)

// crossFade is the state of a fade from one picture of the tree to the next picture.
type crossFade struct {
	last, next *image.RGBA // last: picture at the start. next: picture that the tree paints on
	since      time.Time   // start of the fade, or zero before its first step
	duration   time.Duration
}

// CrossFade starts a fade from the present picture to the picture that the tree paints from the next Step on. The fade takes the duration
// d. If a fade is already running, the new fade starts from the mixture that is visible now. A fade needs memory for two frames until it
// ends. Its steps allocate nothing.
func (r *Renderer) CrossFade(d time.Duration) {
	if d <= 0 || !r.painted {
		return // there is no picture to fade from
	}
	if r.fade == nil {
		r.fade = &crossFade{last: image.NewRGBA(r.frame.Rect), next: image.NewRGBA(r.frame.Rect)}
		copy(r.fade.next.Pix, r.frame.Pix)
	}
	copy(r.fade.last.Pix, r.frame.Pix)
	r.fade.since, r.fade.duration = time.Time{}, d
}

// settled() returns the picture at the end of the running fade, or nil if no fade is running.
func (r *Renderer) settled() *image.RGBA {
	if r.fade == nil {
		return nil
	}
	return r.fade.next
}

// target returns the picture that the tree paints on.
func (r *Renderer) target() *image.RGBA {
	if r.fade != nil {
		return r.fade.next
	}
	return r.frame
}

// mix computes the frame of the fade at the time `now`, and adds the changed rows to the damage.
func (r *Renderer) mix(now time.Time) {
	f := r.fade
	if f.since.IsZero() {
		f.since = now
	}
	step := blend.Steps
	if gone := now.Sub(f.since); gone >= 0 && gone < f.duration {
		step = int(int64(gone) * blend.Steps / int64(f.duration))
		r.wakeAt(f.since.Add(f.duration * time.Duration(step+1) / blend.Steps))
	}
	for y := r.frame.Rect.Min.Y; y < r.frame.Rect.Max.Y; y++ {
		r.mixRow(y, step)
	}
	if step == blend.Steps {
		r.fade = nil
	}
}

// mixRow mixes one row. A row that is equal in both pictures is only compared. Most rows of a wall are equal in both pictures.
func (r *Renderer) mixRow(y, step int) {
	all := r.frame.Rect
	row, last, next := rowOf(r.frame, all, y), rowOf(r.fade.last, all, y), rowOf(r.fade.next, all, y)
	if bytes.Equal(last, next) && bytes.Equal(row, next) {
		return
	}
	blend.Fade(row, last, next, step)
	r.pass.damage.Add(image.Rect(all.Min.X, y, all.Max.X, y+1))
}

// wakeAt requests another pass at the given time.
func (r *Renderer) wakeAt(at time.Time) {
	if r.pass.next.IsZero() || at.Before(r.pass.next) {
		r.pass.next = at
	}
}
