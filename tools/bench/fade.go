//go:build linux

package main

import (
	"image"
	"time"

	"dashboard/fb"
	"dashboard/render"
)

// fadeRate is the number of frames per second of a fade. fadeMost is the share of a processor, in percent, that a fade may use.
const (
	fadeRate         = 30
	fadeMost         = 5.0
	fadeMostPortable = 10.0
)

// fades() measures row 21: the cost of a fade between two themes at 1080p, on a framebuffer with 32 bits.
func fades(l *lab) error {
	fast, plain := entry("assembly", kernels, "fade"), entry("portable", portable, "fade")
	l.contest(fast, plain)
	for e, most := range map[*entrant]float64{fast: fadeMost, plain: fadeMostPortable} {
		if e.err != nil {
			return e.err
		}
		share := e.ns * fadeRate / float64(time.Second) * 100
		l.table.limit(21, "cross-fade of 1080p to a framebuffer, share of a core at 30 frames/s, "+e.label, "%.1f %%", share, most)
	}
	return nil
}

// A wallpaper is a root widget that shows a picture.
type wallpaper struct{ picture *image.RGBA }

func (wallpaper) Update(render.Tick)      {}
func (w wallpaper) Paint(c render.Canvas) { c.Image(image.Point{}, w.picture, true) }

// fadeCase makes one frame of a fade between two walls and shows it. The walls differ in every pixel.
func fadeCase(p pictures, _ string) operation {
	first := p.read(dashboard)
	d := screen(width, height, fb.XRGB8888, fb.Options{})
	now := time.Unix(1000, 0)
	r := render.New(wallpaper{first}, first.Rect.Size())
	r.Step(now)
	const long = 1000 * time.Hour
	r.CrossFade(long)
	r.SetRoot(wallpaper{inverse(first)})
	r.Step(now)
	begin := now
	return func() int {
		if now = now.Add(long / 40); now.Sub(begin) >= long {
			now = begin.Add(long / 40)
		}
		damage, _ := r.Step(now)
		_ = d.DrawFrame(r.Frame(), damage) // cannot fail: it writes to memory
		return 0
	}
}
