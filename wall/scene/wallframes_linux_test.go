package scene

import (
	"image"
	"os"
	"slices"
	"testing"
	"time"

	"dashboard/internal/testing/race"
	"dashboard/render"
	"dashboard/theme/sun"

	"golang.org/x/sys/unix"
)

// framesOnly is the name of the environment variable that is set if the machine is idle. TestWallFrames then measures for a longer time.
const framesOnly = "DASHBOARD_FRAMES"

// The usual work of a wall of 1920x1080 px needs no allocation. This work is a tick of its clock, a frame that is painted completely, and
// each frame of a fade between themes. Only new text, such as another minute, allocates, because its glyphs are arranged once. The test
// logs the processor time of each kind of frame. docs/benchmarks.md has measured values.
func TestWallFrames(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("it paints many large frames, and the race detector allocates")
	}
	for _, name := range []string{"demo", "home", "family"} {
		t.Run(name, func(t *testing.T) {
			standWall(t, "testdata/walls/"+name, image.Pt(1920, 1080), sun.Day, true, func(sc *Scene, r *render.Renderer) {
				f := wallFrames{t: t, r: r, now: wallsMoment.Add(2 * time.Second), runs: 5}
				if os.Getenv(framesOnly) != "" {
					f.runs = mostRuns
				}
				f.all(sc)
			})
		})
	}
}

// wallFrames paints the frames of a wall.
type wallFrames struct {
	t    *testing.T
	r    *render.Renderer
	now  time.Time
	runs int
}

func (f *wallFrames) all(sc *Scene) {
	for range 3 * warmUp { // until each page has been shown and every digit has been drawn
		f.step(time.Second)
	}
	f.time("another minute", func() { f.step(time.Minute) })
	f.step(f.now.Truncate(time.Minute).Add(time.Minute).Sub(f.now))
	f.measure("another second", func() { f.step(time.Second) })
	f.measure("painted whole", func() { f.r.Repaint(); f.step(0) })
	f.r.CrossFade(time.Duration(10*f.runs) * fadeFrame)
	f.r.SetRoot(sc.Trees[sun.Night].Root)
	f.step(0)
	f.measure("fade frame", func() {
		if f.step(fadeFrame) == 0 {
			f.t.Error("the fade frame changed nothing")
		}
	})
}

// fadeFrame is the time between two frames of a fade.
const fadeFrame = time.Second / 30

// step moves the time of the wall forward by d. It returns the number of rectangles that have changed.
func (f *wallFrames) step(d time.Duration) int {
	f.now = f.now.Add(d)
	damage, _ := f.r.Step(f.now)
	return len(damage)
}

// mostRuns is the maximum number of runs of a measurement. A measurement calls `paint` 4*mostRuns + 3 times, and each call moves the time
// by at most a second. All calls together must stay below a minute, because a new minute needs new text.
const mostRuns = 14

// measure checks that the function `paint`, which paints a frame, does not allocate.
func (f *wallFrames) measure(what string, paint func()) {
	f.t.Helper()
	if got := leastAllocs(f.runs, paint); got != 0 {
		f.t.Errorf("%s: got %v allocations, want 0", what, got)
	}
	f.time(what, paint)
}

// time logs the minimum and the median of the processor time that painting a frame needs.
func (f *wallFrames) time(what string, paint func()) {
	took := make([]time.Duration, f.runs)
	for i := range took {
		began := processorTime()
		paint()
		took[i] = processorTime() - began
	}
	slices.Sort(took)
	f.t.Logf("%s: least %v, median %v", what, took[0], took[len(took)/2])
}

// processorTime returns the processor time that the process has used. time.Now cannot measure this time in a bubble, because the bubble's
// clock advances only while all goroutines wait.
func processorTime() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts) // every Linux has this clock
	return time.Duration(ts.Nano())
}
