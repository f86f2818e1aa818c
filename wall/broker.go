package wall

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"math"
	"time"

	"dashboard/control/device"
	"dashboard/netstream/bilinear"
	"dashboard/provider/system"
	"dashboard/render"
	"dashboard/wall/view"
)

// deviceWalls describes the views for a broker. It implements device.Walls.
type deviceWalls struct {
	service *Service
	sounds  <-chan device.Sound
	frame   image.RGBA // buffer, reused for the next picture
}

var _ device.Walls = (*deviceWalls)(nil)

// maxSounds is the maximum number of sounds in the queue for the broker.
const maxSounds = 16

// heard() sends a sound to the broker and to HTTP clients. It never blocks.
func (s *Service) heard(v *view.View, name string) {
	s.web.server.Sound(v.Stream, name)
	select {
	case s.sounds <- device.Sound{View: v.Name, Name: name}:
	default: // no broker receives sounds, or the queue is full
	}
}

// Sounds implements device.Walls.
func (d *deviceWalls) Sounds() <-chan device.Sound { return d.sounds }

// State implements device.Walls.
func (d *deviceWalls) State() device.State {
	s, now := d.service, time.Now()
	st := device.State{Temperature: math.NaN(), URL: s.web.url(), Update: s.updateOnBroker()}
	if t, ok := system.Temperature(); ok {
		st.Temperature = t
	}
	if o := s.origin.State(); o.On {
		st.Origin, st.Revision = true, o.Revision
	}
	for _, p := range s.builder.Providers.Status(now) {
		st.Stale = st.Stale || p.Stale
	}
	for _, name := range s.listed() {
		if v := s.all()[name]; v != nil && v.Shown.Load() != nil { // the view may have been added or removed just now
			st.Walls = append(st.Walls, v.OnBroker(now))
		}
	}
	readers, _ := s.readers.Status()
	for _, d := range readers {
		st.Readers = append(st.Readers, device.Reader{
			ID: d.Friendly, Name: "E-reader " + d.Name, Volts: d.Volts, Percent: d.Percent, Charging: d.Charging, Signal: d.Signal, Seen: d.Seen,
		})
	}
	return st
}

const (
	brokerSide    = 1024 // maximum length of a picture's longer side for a broker, in px
	brokerQuality = 80
)

// Picture implements device.Walls. It returns the current picture of a view, reduced in size. It does not paint the view. If the view has
// no viewers, it returns nil.
func (d *deviceWalls) Picture(ctx context.Context, name string) []byte {
	v := d.service.all()[name]
	if v == nil || !v.Watched() || v.Loop.Stats().Frames == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, view.FirstFrame)
	defer cancel()
	err := v.Loop.Do(ctx, func(r *render.Renderer) {
		frame := r.Frame()
		d.frame.Pix = append(d.frame.Pix[:0], frame.Pix...)
		d.frame.Rect, d.frame.Stride = frame.Rect, frame.Stride
	})
	if err != nil {
		return nil
	}
	size := d.frame.Rect.Size()
	small := image.NewRGBA(image.Rectangle{Max: within(size, brokerSide)})
	bilinear.New(small.Rect.Dx(), small.Rect.Dy(), size.X, size.Y).Scale(small, small.Rect, &d.frame)
	var b bytes.Buffer
	if jpeg.Encode(&b, small, &jpeg.Options{Quality: brokerQuality}) != nil {
		return nil
	}
	return b.Bytes()
}

// within() scales a size down until its longer side does not exceed the parameter `most`, in px. It keeps the aspect ratio.
func within(size image.Point, most int) image.Point {
	long := max(size.X, size.Y)
	if long <= most {
		return size
	}
	return image.Pt(max(1, size.X*most/long), max(1, size.Y*most/long))
}
