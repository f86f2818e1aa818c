package kit

import (
	"context"
	"image"
	"time"

	"dashboard/internal/budget"
	"dashboard/render"
	"dashboard/render/picture"
)

// Film shows a picture and plays its animation, if it has one. The zero value shows nothing.
type Film struct {
	Pic   *picture.Picture
	start time.Time
	Frame int
}

// Show sets the picture. If p is nil, nothing is shown.
func (f *Film) Show(t render.Tick, p *picture.Picture) {
	if p == f.Pic {
		return
	}
	for _, shown := range [2]*picture.Picture{f.Pic, p} {
		if shown != nil {
			t.Damage(shown.Rect)
		}
	}
	*f = Film{Pic: p}
}

// Update selects the frame for the current time. Unless the picture is a drawing, Update reports the picture's rectangle to t as a photo.
func (f *Film) Update(t render.Tick) {
	if f.Pic != nil && !f.Pic.Drawing {
		t.Photo(f.Pic.Rect)
	}
	f.Run(t)
}

// Run is like Update, but does not report a photo. It is for callers that report the photo themselves.
func (f *Film) Run(t render.Tick) {
	if f.Pic == nil || len(f.Pic.Frames) < 2 {
		return
	}
	if f.start.IsZero() || t.Now().Before(f.start) {
		f.start = t.Now()
	}
	i, stays := f.Pic.Frame(t.Now().Sub(f.start))
	if i != f.Frame {
		f.Frame = i
		t.Damage(f.Pic.Rect)
	}
	if stays != picture.Forever {
		t.Wake(t.Now().Add(stays))
	}
}

// Paint draws the current frame. The origin of c is the top left corner of the cell.
func (f *Film) Paint(c render.Canvas) {
	if f.Pic != nil {
		c.Image(f.Pic.Rect.Min, f.Pic.Frames[f.Frame].Img, f.Pic.Opaque)
	}
}

// Cover loads a background picture that covers an area of the given size. If the file cannot be read, Cover reports an error at `key` and
// returns nil.
func (b *Builder) Cover(s *Spec, key, path string, size image.Point) *picture.Picture {
	pic, err := b.Load(path, size, picture.CoverTopLeft)
	if err != nil {
		b.NoPicture(s, key, path, err)
		return nil
	}
	return pic
}

// ShadowRadius is a length in px: the standard deviation of a grid's shadow, and the radius of a screen's shadow.
const ShadowRadius = 5

// Load loads a picture file of the configuration. The memory for decoding the file is charged to b.Memory.
func (b *Builder) Load(path string, size image.Point, fit picture.Fit) (*picture.Picture, error) {
	return picture.Load(budget.With(context.Background(), b.Memory), b.Files, path, size, fit, b.SmoothScaling)
}
