package panel

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
)

// TestEveryPanelShowsTheFrame: the simulated panel shows exactly the expected inks, with and without rotation. After the conversion to
// the panel's inks, the frame matches the golden picture.
func TestEveryPanelShowsTheFrame(t *testing.T) {
	for _, m := range papers() {
		for _, size := range []image.Point{m.Upright(), image.Pt(m.Upright().Y, m.Upright().X)} {
			for name, sample := range samples(size) {
				if name != "half" && m.Name == "inky-13in3" && (!*long || size != m.Upright()) {
					continue // the test of two million pixels takes too long
				}
				if (!*long && size != m.Upright() || race.Enabled || testing.Short()) && name != "half" {
					continue // one sample is enough for a rotated wall
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%s", m.Name, size.X, size.Y, name), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						r := start(t, newSim(m), size, nil)
						frame, photos := sample()
						r.show(frame, photos, time.Minute)
						r.stop()
						r.sound()
						r.looks(frame, photos)
						if size == m.Upright() {
							part := r.frame.Rect
							if part.Dx() > 800 { // compare only a part of the largest panel
								part = image.Rect(400, 0, 1200, 600)
							}
							looked := image.NewRGBA(image.Rectangle{Max: part.Size()})
							draw.Draw(looked, looked.Rect, r.frame, part.Min, draw.Src)
							golden.Compare(t, m.Name+"-"+name, looked)
						}
					})
				})
			}
		}
	}
}

// TestTextOnPanelsIsInk: pixels outside of photos have the ink of their color, regardless of their neighbors.
func TestTextOnPanelsIsInk(t *testing.T) {
	for _, m := range papers() {
		q := m.Quantizer(m.Upright())
		frame := testpic.Dashboard(m.Upright().X, m.Upright().Y)
		got := q.NewPicture()
		q.Quantize(got, frame, nil)
		seen := map[color.RGBA]uint8{}
		for i, v := range got.Pix {
			c := frame.RGBAAt(i%got.Stride, i/got.Stride)
			if was, ok := seen[c]; ok && was != v {
				t.Fatalf("%s: %v is ink %d here and ink %d there", m.Name, c, was, v)
			}
			seen[c] = v
		}
	}
}

// clock() returns a frame with a square that moves every minute. It also returns the rectangle that contains all positions of the square.
func clock(size image.Point, minute int) (*image.RGBA, image.Rectangle) {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	at := image.Rect(10, 20, 74, 36)
	x := at.Min.X + minute*3%56
	draw.Draw(m, image.Rect(x, at.Min.Y, x+7, at.Max.Y), image.Black, image.Point{}, draw.Src)
	return m, at
}

// TestTicksArePartial: a tick of a clock refreshes only the clock. The eleventh tick is a full refresh.
func TestTicksArePartial(t *testing.T) {
	for _, m := range papers() {
		if !m.Partial {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(12 * time.Hour) // begin at noon, because a synctest bubble begins at midnight
				r := start(t, newSim(m), m.Size, nil)
				for i := range 13 {
					frame, _ := clock(m.Size, i)
					r.show(frame, nil, time.Minute)
					r.looks(frame, nil)
				}
				r.stop()
				r.sound()
				_, at := clock(m.Size, 0)
				for i, s := range r.sim.shown {
					if want := i != 0 && i != 11; s.partial != want {
						t.Errorf("refresh %d: partial %v, want %v", i, s.partial, want)
					}
					if s.partial && !s.drove.In(at) {
						t.Errorf("refresh %d drove %v, want no more than %v", i, s.drove, at)
					}
				}
				if len(r.sim.shown) != 13 {
					t.Errorf("%d refreshes, want 13", len(r.sim.shown))
				}
			})
		})
	}
}

// `long` enables the complete test. The command "make long" sets it.
var long = flag.Bool("long", false, "the mutants of every panel, and seven days of each instead of one or two, and all samples on the largest")

// TestWeekOfPanels: a wall changes all the time for days. The driver breaks no rule and does not refresh more often than allowed. A panel
// with partial refreshes is cleaned every night.
func TestWeekOfPanels(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("thousands of frames, of one goroutine")
	}
	for _, m := range papers() {
		days := 1
		switch {
		case *long:
			days = 7
		case m.Partial:
			days = 2
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := start(t, newSim(m), m.Size, func(o *Options) { o.Save = nil })
				began := time.Now()
				step := 2 * time.Hour // larger panels take longer to check
				if m.Partial {
					step = 30 * time.Minute
				}
				switch m.Name {
				case "waveshare-2in13-v4":
					step = 10 * time.Minute
				case "inky-13in3":
					step = 4 * time.Hour
				}
				for i := range int(time.Duration(days) * 24 * time.Hour / step) {
					frame, _ := clock(m.Size, i)
					r.show(frame, nil, step)
				}
				time.Sleep(time.Hour)
				r.stop()
				r.sound()
				updates, full, last := 0, 0, time.Time{}
				for _, s := range r.sim.shown {
					if s.at.Sub(last) < 30*time.Second && full > 0 && !s.partial {
						continue // skip this refresh, because a cleaning consists of several refreshes
					}
					if d := s.at.Sub(last); !last.IsZero() && d < m.MinInterval-10*time.Second {
						t.Fatalf("updates %v apart at %v", d, s.at.Sub(began))
					}
					if !s.partial {
						full++
					}
					updates, last = updates+1, s.at
				}
				t.Logf("%d refreshes, %d updates, %d of them full", len(r.sim.shown), updates, full)
				if m.Partial && len(r.sim.shown) != updates+3*days {
					t.Errorf("%d refreshes in %d updates, want three more for each of %d nights", len(r.sim.shown), updates, days)
				}
				if want := int(time.Duration(days) * 24 * time.Hour / max(step, m.MinInterval)); updates < want*8/10 || updates > want+8 {
					t.Errorf("%d updates, want about %d", updates, want)
				}
			})
		})
	}
}
