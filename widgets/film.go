package widgets

import (
	"image"
	"time"

	"dashboard/render"
	"dashboard/render/picture"
)

// film shows a picture, and runs it if it moves. The zero value shows nothing.
type film struct {
	pic   *picture.Picture
	start time.Time
	frame int
}

// show starts another picture; nil shows nothing.
func (f *film) show(t render.Tick, p *picture.Picture) {
	if p == f.pic {
		return
	}
	for _, shown := range [2]*picture.Picture{f.pic, p} {
		if shown != nil {
			t.Damage(shown.Rect)
		}
	}
	*f = film{pic: p}
}

// update chooses the frame for now, and reports the photo.
func (f *film) update(t render.Tick) {
	if f.pic != nil && !f.pic.Drawing {
		t.Photo(f.pic.Rect)
	}
	f.run(t)
}

// run is update for who reports the photo.
func (f *film) run(t render.Tick) {
	if f.pic == nil || len(f.pic.Frames) < 2 {
		return
	}
	if f.start.IsZero() || t.Now().Before(f.start) {
		f.start = t.Now()
	}
	i, stays := f.pic.Frame(t.Now().Sub(f.start))
	if i != f.frame {
		f.frame = i
		t.Damage(f.pic.Rect)
	}
	if stays != picture.Forever {
		t.Wake(t.Now().Add(stays))
	}
}

// paint draws the frame with the cell's top left corner at c's origin.
func (f *film) paint(c render.Canvas) {
	if f.pic != nil {
		c.Image(f.pic.Rect.Min, f.pic.Frames[f.frame].Img, f.pic.Opaque)
	}
}

// cover loads a background picture; one that cannot be read is an error at key.
func (b *Builder) cover(s *Spec, key, path string, size image.Point) *picture.Picture {
	pic, err := picture.Load(b.Files, path, size, picture.CoverTopLeft, b.SmoothScaling)
	if err != nil {
		s.Errorf(key, "%v", err)
		return nil
	}
	return pic
}

// shadowRadius is the standard deviation of a grid's shadow, and how far a screen's reaches, px.
const shadowRadius = 5
