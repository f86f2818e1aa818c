package client

import (
	"errors"
	"image"
	"sync"
)

// A display implements Display and stores its frames. A test can make its calls fail.
type display struct {
	mu     sync.Mutex
	shown  *image.RGBA
	frames int
	last   []image.Rectangle // damage of the newest frame
	fail   bool
	drawn  chan struct{} // capacity 1; receives a value after each drawing; nil if the test does not wait
}

var errUnplugged = errors.New("unplugged")

func (d *display) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail {
		return errUnplugged
	}
	if d.shown == nil {
		d.shown = image.NewRGBA(src.Rect)
	}
	for _, r := range damage {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			i := src.PixOffset(r.Min.X, y)
			copy(d.shown.Pix[i:i+4*r.Dx()], src.Pix[i:])
		}
	}
	d.frames++
	d.last = append(d.last[:0], damage...)
	select {
	case d.drawn <- struct{}{}:
	default:
	}
	return nil
}

// picture() returns a copy of the picture, and the number of frames.
func (d *display) picture() (*image.RGBA, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		return nil, d.frames
	}
	m := image.NewRGBA(d.shown.Rect)
	copy(m.Pix, d.shown.Pix)
	return m, d.frames
}

// picture() returns the picture that a display should show.
func (s *screen) picture() *image.RGBA {
	if s.mixed != nil {
		return s.mixed
	}
	return s.frame.pix
}
