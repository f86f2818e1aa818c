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

// framesOnly reports that TestWallFrames has the machine alone: it then measures long enough for figures.
const framesOnly = "DASHBOARD_FRAMES"

// The daily work of a wall of 1920x1080 allocates nothing: a tick of its clock, a frame painted whole, and each frame
// while one theme turns into the other. (New words, such as the words of another minute, are shaped once.) The
// processor time of each is logged, and docs/benchmarks.md has figures.
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

// wallFrames paints a wall over and over.
type wallFrames struct {
	t    *testing.T
	r    *render.Renderer
	now  time.Time
	runs int
}

func (f *wallFrames) all(sc *Scene) {
	for range 3 * warmUp { // pages have turned, every digit has been drawn
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

// fadeFrame is how long each frame of a fade is shown.
const fadeFrame = time.Second / 30

// step brings the wall some time on, and returns how many rectangles changed.
func (f *wallFrames) step(d time.Duration) int {
	f.now = f.now.Add(d)
	damage, _ := f.r.Step(f.now)
	return len(damage)
}

// mostRuns is how often anything is measured: twice as many seconds are less than a minute.
const mostRuns = 25

// measure wants no allocations of what paints a frame.
func (f *wallFrames) measure(what string, paint func()) {
	f.t.Helper()
	if got := testing.AllocsPerRun(f.runs, paint); got != 0 {
		f.t.Errorf("%s: got %v allocations, want 0", what, got)
	}
	f.time(what, paint)
}

// time logs the processor time of painting a frame: the least, and the median.
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

// processorTime is the used processor time of the process, because time.Now stands still in a test in which all
// goroutines wait.
func processorTime() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts) // every Linux has it
	return time.Duration(ts.Nano())
}
