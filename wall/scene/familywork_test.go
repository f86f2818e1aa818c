package scene

import (
	"flag"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/theme/sun"
)

// BenchmarkFamily paints the family sample at 800x480: the whole wall again, all frames of a minute, and the frame of one second. The clock
// of these walls is not real and stands still, so the benchmark counts frames and needs a number of them, such as -benchtime 10x.
func BenchmarkFamily(b *testing.B) {
	if !strings.HasSuffix(flag.Lookup("test.benchtime").Value.String(), "x") {
		b.Skip("a benchmark of a wall with a simulated clock does not end after a time: use -benchtime 10x")
	}
	for _, work := range []struct {
		name string
		run  func(*render.Renderer, time.Time) time.Time
	}{{"repaint", paintAll}, {"minute", paintMinute}, {"tick", paintTick}} {
		b.Run(work.name, func(b *testing.B) {
			stand := testing.InternalTest{Name: b.Name(), F: func(t *testing.T) {
				standWall(t, "../../samples/family", image.Pt(800, 480), sun.Night, true, func(_ *Scene, r *render.Renderer) {
					now := paintMinute(r, paintMinute(r, wallsMoment.Add(time.Minute))) // shapes the texts of all seconds
					for b.ResetTimer(); b.Loop(); {
						now = work.run(r, now)
					}
				})
			}}
			if !testing.RunTests(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{stand}) {
				b.Fatal("the wall cannot be drawn")
			}
		})
	}
}

// paintAll paints the whole wall. Like paintMinute and paintTick, it returns the time of the next frame.
func paintAll(r *render.Renderer, now time.Time) time.Time {
	r.Repaint()
	r.Step(now)
	return now
}

func paintMinute(r *render.Renderer, now time.Time) time.Time {
	for end := now.Add(time.Minute); now.Before(end); {
		_, now = r.Step(now)
	}
	return now
}

func paintTick(r *render.Renderer, now time.Time) time.Time {
	r.Step(now)
	return now.Add(time.Second)
}
