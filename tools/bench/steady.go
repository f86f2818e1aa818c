//go:build linux

package main

import (
	"fmt"
	"image"
	"image/color"
	"runtime"

	"dashboard/render/text"
)

// steadyFrames is the number of frames over which allocations are counted.
const steadyFrames = 1000

// stages lists the cases for the stages of a frame. If the work of a stage depends on the change of the picture, the change is a tick of a
// clock.
var stages = []struct{ what, name string }{
	{"text shaped and painted", "clock"},
	{"scaled to 1366x768", "scale 1366x768"},
	{"JPEG, file put together", "jpeg dashboard 420 tick"},
	{"PNG, file put together", "png dashboard tick"},
	{"published", "publish tick"},
	{"shown on an RGB565 framebuffer", "fb rgb565 dithered"},
	{"a cross-fade, painted and shown", "fade"},
}

// allocations() measures row 1: how many bytes a thousand frames allocate.
func allocations(l *lab) error {
	for _, where := range []string{kernels, portable} {
		for _, stage := range stages {
			bytes, err := l.figure(where, "steady "+stage.name)
			if err != nil {
				return err
			}
			l.table.limit(1, fmt.Sprintf("bytes allocated in %d frames, %s: %s", steadyFrames, where, stage.what), "%.0f", bytes, 0)
		}
	}
	return nil
}

// steadyCase counts the bytes that frames allocate after the first frames. It counts a thousand frames twice and returns the smaller
// number, because other parts of the program may allocate at the same time.
func steadyCase(frame operation) operation {
	if frame == nil {
		return nil
	}
	for range 4 {
		frame()
	}
	return func() int { return min(allocated(frame, steadyFrames), allocated(frame, steadyFrames)) }
}

// allocated() returns how many bytes the given number of runs allocate.
func allocated(op operation, runs int) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		op()
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// clockCase shapes and paints a clock with a different second in each run.
func clockCase(pictures, string) operation {
	c, dst, n := text.NewCache(1<<20), label(), 0
	var l text.Line
	buf := []byte("12:34:00")
	return func() int {
		n++
		buf[6], buf[7] = byte('0'+n/10%6), byte('0'+n%10)
		c.ShapeBytes(&l, text.Default(), textSize, buf)
		l.Paint(dst, dst.Rect, image.Pt(5, 30), color.RGBA{255, 255, 255, 255})
		return 0
	}
}
