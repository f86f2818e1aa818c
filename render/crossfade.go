package render

import (
	"bytes"
	"image"
	"time"

	"dashboard/render/blend"
)

// crossFade is a frame that turns into the tree's next pictures.
type crossFade struct {
	last, next *image.RGBA // the picture at the start, and the picture that the tree paints
	since      time.Time   // zero before the first step
	duration   time.Duration
}

// CrossFade turns the present picture into the picture that the tree paints from the next Step on, over a duration. A
// fade under way continues from its present state. It takes memory for two frames until it ends. Its steps allocate
// nothing.
func (r *Renderer) CrossFade(d time.Duration) {
	if d <= 0 || !r.painted {
		return // there is nothing to fade from
	}
	if r.fade == nil {
		r.fade = &crossFade{last: image.NewRGBA(r.frame.Rect), next: image.NewRGBA(r.frame.Rect)}
		copy(r.fade.next.Pix, r.frame.Pix)
	}
	copy(r.fade.last.Pix, r.frame.Pix)
	r.fade.since, r.fade.duration = time.Time{}, d
}

// settled returns the picture at the end of the fade that runs, or nil.
func (r *Renderer) settled() *image.RGBA {
	if r.fade == nil {
		return nil
	}
	return r.fade.next
}

// target is what the tree is painted on.
func (r *Renderer) target() *image.RGBA {
	if r.fade != nil {
		return r.fade.next
	}
	return r.frame
}

// mix makes the frame of a fade at now, and adds the rows that changed to the damage.
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

// mixRow mixes one row. Rows that are the same before and after, most of a wall whose colors stay, cost a look.
func (r *Renderer) mixRow(y, step int) {
	all := r.frame.Rect
	row, last, next := rowOf(r.frame, all, y), rowOf(r.fade.last, all, y), rowOf(r.fade.next, all, y)
	if bytes.Equal(last, next) && bytes.Equal(row, next) {
		return
	}
	blend.Fade(row, last, next, step)
	r.pass.damage.Add(image.Rect(all.Min.X, y, all.Max.X, y+1))
}

// wakeAt requests another pass.
func (r *Renderer) wakeAt(at time.Time) {
	if r.pass.next.IsZero() || at.Before(r.pass.next) {
		r.pass.next = at
	}
}
