//go:build linux

package main

import (
	"fmt"
	"image"
	"image/color"
	"runtime"
	"slices"
	"time"

	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testpic"
	"dashboard/netstream"
	"dashboard/netstream/bilinear"
	"dashboard/netstream/jpegtile"
	"dashboard/netstream/pngtile"
	"dashboard/render/text"
)

// steadyFrames is over how many frames allocations are counted.
const steadyFrames = 1000

// allocations is row 1: what a thousand frames that differ by a clock's tick leave to the garbage collector.
func allocations(l *lab) error {
	for _, stage := range stages {
		bytes, err := l.figure(kernels, "steady "+stage.name)
		if err != nil {
			return err
		}
		l.table.limit(1, fmt.Sprintf("bytes allocated in %d frames, a clock's tick each: %s", steadyFrames, stage.name), "%.0f", bytes, 0)
	}
	return nil
}

// ticks are two frames that differ by a clock's tick.
type ticks struct {
	frames [2]*image.RGBA
	damage []image.Rectangle
}

// A stage makes its part of frame n.
type stage struct {
	name    string
	prepare func(t *ticks) func(n int)
}

var stages = append(slices.Clip(parts), stage{"all of these", steadyAll})

var parts = []stage{
	{"text shaped and painted", steadyText},
	{"scaled to 1366x768", steadyScale},
	{"JPEG, file put together", steadyJPEG},
	{"PNG, file put together", steadyPNG},
	{"published", steadyPublish},
	{"shown on an RGB565 framebuffer", steadyScreen},
}

// steadyCase counts the bytes that a stage allocates.
func steadyCase(p pictures, arg string) operation {
	t := &ticks{frames: [2]*image.RGBA{p.read(dashboard), p.read(dashboard)}, damage: changed("tick")}
	testpic.Tick(t.frames[1], 1)
	for _, s := range stages {
		if s.name == arg {
			frame := s.prepare(t)
			return func() int { return allocated(frame) }
		}
	}
	return nil
}

func allocated(frame func(n int)) int {
	for n := range 4 {
		frame(n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for n := range steadyFrames {
		frame(n)
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

func steadyText(*ticks) func(int) {
	c, dst := text.NewCache(1<<20), label()
	var l text.Line
	buf := []byte("12:34:00")
	return func(n int) {
		buf[6], buf[7] = byte('0'+n/10%6), byte('0'+n%10)
		c.ShapeBytes(&l, text.Default(), textSize, buf)
		l.Paint(dst, dst.Rect, image.Pt(5, 30), color.RGBA{255, 255, 255, 255})
	}
}

func steadyScale(t *ticks) func(int) {
	dst := image.NewRGBA(image.Rect(0, 0, 1366, 768))
	s := bilinear.New(1366, 768, width, height)
	return func(n int) { s.Scale(dst, s.DstRect(t.damage[0]), t.frames[n&1]) }
}

func steadyJPEG(t *ticks) func(int) {
	e, err := jpegtile.New(width, height, jpegtile.Options{})
	if err != nil {
		panic(err) // the size is constant
	}
	return coded(t, e)
}

func steadyPNG(t *ticks) func(int) {
	e, err := pngtile.New(width, height)
	if err != nil {
		panic(err) // the size is constant
	}
	return coded(t, e)
}

type encoder interface {
	Update(src *image.RGBA, damage ...image.Rectangle) []int
	AppendTo(dst []byte) []byte
}

func coded(t *ticks, e encoder) func(int) {
	e.Update(t.frames[0], t.frames[0].Rect)
	file := e.AppendTo(make([]byte, 0, 4<<20)) // the frames' files are shorter
	return func(n int) {
		e.Update(t.frames[n&1], t.damage...)
		file = e.AppendTo(file[:0])
	}
}

func steadyPublish(t *ticks) func(int) {
	s := netstream.New(time.Now)
	return func(n int) { _ = s.DrawFrame(t.frames[n&1], t.damage) } // it never fails
}

func steadyScreen(t *ticks) func(int) {
	g := fb.Geometry{Width: width, Height: height, Format: fb.RGB565}
	d, err := fb.New(fbtest.NewMemory(g), fb.Options{TTY: fb.NoTTY})
	if err != nil {
		panic(err) // the geometry is a constant
	}
	return func(n int) { _ = d.DrawFrame(t.frames[n&1], t.damage) } // memory takes everything
}

func steadyAll(t *ticks) func(int) {
	var all []func(int)
	for _, s := range parts {
		all = append(all, s.prepare(t))
	}
	return func(n int) {
		for _, f := range all {
			f(n)
		}
	}
}
