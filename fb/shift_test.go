package fb

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// walk returns every position within the bound. No step is longer than one pixel, and the mean of all positions is the center.
func TestWalk(t *testing.T) {
	for r := 1; r <= MaxShift; r++ {
		way := walk(r)
		seen, sum := map[image.Point]int{}, image.Point{}
		for i, p := range way {
			seen[p]++
			sum = sum.Add(p)
			d := p.Sub(way[(i+1)%len(way)])
			if abs(d.X)+abs(d.Y) > 1 || abs(p.X) > r || abs(p.Y) > r {
				t.Fatalf("radius %d: %v to %v", r, p, way[(i+1)%len(way)])
			}
		}
		if len(seen) != (2*r+1)*(2*r+1) || sum != (image.Point{}) {
			t.Errorf("radius %d: %d places, their sum %v", r, len(seen), sum)
		}
	}
}

func abs(v int) int { return max(v, -v) }

// deviceColor returns the color of a pixel in the memory of a screen with 32 bits for each pixel.
func deviceColor(mem []byte, g Geometry, x, y int) (r, gr, b byte) {
	p := mem[g.offset(x, y):]
	return p[2], p[1], p[0]
}

// A moved picture is complete at every position and in every rotation. The pixels around the picture repeat its nearest pixels, after full
// and partial draws. A touch affects the pixel that is visible at the touched position.
func TestShift(t *testing.T) {
	const w, h, r = 23, 17, 2
	for _, turn := range []Rotation{0, 90, 180, 270} {
		for _, frame := range []image.Point{{}, {0, 1}, {40, 30}} { // default size, the screen's size, a frame that is scaled
			t.Run(fmt.Sprint(turn, frame), func(t *testing.T) {
				g := paddedGeometry(XRGB8888, w, h, 4, image.Point{})
				mem := make([]byte, g.Size)
				o := Options{TTY: NoTTY, Rotate: turn, Shift: r}
				if frame.Y == 1 {
					o.Frame = turn.size(w, h)
				} else if frame.X > 0 {
					o.Frame, o.Fullscreen = frame, true
				}
				d, err := New(fakeDevice{g, mem}, o)
				if err != nil {
					t.Fatal(err)
				}
				src := noise(d.Bounds())
				for _, by := range walk(r) {
					d.shiftTo(by)
					if err := d.DrawFrame(src, nil); err != nil {
						t.Fatal(err)
					}
					checkShifted(t, d, mem, g, turn, src, by)
					for i := range src.Pix[:4*7] { // change the top left corner
						src.Pix[i] ^= byte(0x55 * (1 - i%4/3))
					}
					if err := d.DrawFrame(src, []image.Rectangle{image.Rect(0, 0, 7, 1)}); err != nil {
						t.Fatal(err)
					}
					checkShifted(t, d, mem, g, turn, src, by)
				}
			})
		}
	}
}

func checkShifted(t *testing.T, d *Display, mem []byte, g Geometry, turn Rotation, src *image.RGBA, by image.Point) {
	t.Helper()
	p := d.place
	if base := p.screen.Sub(p.target).Div(2); p.origin != base.Add(by) {
		t.Fatalf("at %v: origin %v", by, p.origin)
	}
	shown := src
	if p.scaled {
		shown = d.scaled
	}
	for y := range g.Height {
		for x := range g.Width {
			u := turn.upright(x, y, g.Width, g.Height).Sub(p.origin)
			want := shown.RGBAAt(within(u.X, p.target.X), within(u.Y, p.target.Y))
			if red, green, blue := deviceColor(mem, g, x, y); red != want.R || green != want.G || blue != want.B {
				t.Fatalf("at %v: device %d,%d: got %d %d %d, want %v", by, x, y, red, green, blue, want)
			}
		}
	}
	if got := d.framePoint((float64(g.Width/2)+0.5)/float64(g.Width), (float64(g.Height/2)+0.5)/float64(g.Height)); !p.scaled {
		if want := turn.upright(g.Width/2, g.Height/2, g.Width, g.Height).Sub(p.origin); got != want {
			t.Fatalf("at %v: a finger in the middle: got %v, want %v", by, got, want)
		}
	}
}

// The picture moves only with a draw of the whole frame. A partial draw before that uses the old position.
func TestShiftWaits(t *testing.T) {
	g := paddedGeometry(XRGB8888, 20, 20, 4, image.Point{})
	mem := make([]byte, g.Size)
	d, err := New(fakeDevice{g, mem}, Options{TTY: NoTTY, Shift: 2})
	if err != nil {
		t.Fatal(err)
	}
	src := noise(d.Bounds())
	_ = d.DrawFrame(src, nil)
	d.shiftTo(image.Pt(1, 0))
	_ = d.DrawFrame(src, []image.Rectangle{image.Rect(3, 3, 5, 5)})
	checkShifted(t, d, mem, g, 0, src, image.Point{})
	_ = d.DrawFrame(src, nil)
	checkShifted(t, d, mem, g, 0, src, image.Pt(1, 0))
}

// A keeper requests the whole frame once a minute, but not while the screen is off.
func TestWander(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := paddedGeometry(XRGB8888, 20, 20, 4, image.Point{})
		var asked atomic.Int32
		k, err := NewKeeperOf(Options{TTY: NoTTY, Shift: 4, OnRepaint: func() { asked.Add(1) }}, func() (Device, error) { return fakeDevice{g, make([]byte, g.Size)}, nil })
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { defer close(done); _ = k.Run(ctx) }()
		time.Sleep(time.Hour + time.Second)
		if n := asked.Load(); n != 60 {
			t.Errorf("asked %d times in an hour", n)
		}
		if err := k.Power(false); err != nil {
			t.Fatal(err)
		}
		at := k.step
		time.Sleep(time.Hour)
		if n := asked.Load(); n != 60 || k.step != at {
			t.Errorf("in an hour in the dark: asked %d times, from place %d to %d", n-60, at, k.step)
		}
		if err := k.Power(true); err != nil { // this also requests the whole frame
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if n := asked.Load(); n != 62 || k.step != (at+1)%len(k.way) {
			t.Errorf("a minute after the dark: asked %d times, from place %d to %d", n-60, at, k.step)
		}
		cancel()
		<-done
	})
}

// In a day, the picture visits every position of its walk. Steps are at most one pixel long. The
// frame itself does not change, because other outputs use it too.
func TestDayOfPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := paddedGeometry(XRGB8888, 20, 20, 4, image.Point{})
		k, err := NewKeeperOf(Options{TTY: NoTTY, Shift: 4}, func() (Device, error) { return fakeDevice{g, make([]byte, g.Size)}, nil })
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { defer close(done); _ = k.Run(ctx) }()
		frame := noise(k.Bounds())
		before := append([]byte(nil), frame.Pix...)
		seen, last := map[image.Point]bool{}, image.Point{}
		for minute := range 24 * 60 {
			synctest.Wait()
			if err := k.DrawFrame(frame, nil); err != nil {
				t.Fatal(err)
			}
			at := k.known.display.place.shift
			if d := at.Sub(last); minute > 0 && abs(d.X)+abs(d.Y) > 1 { // the first position may be any position of the walk
				t.Fatalf("from %v to %v", last, at)
			}
			seen[at], last = true, at
			time.Sleep(shiftInterval)
		}
		if len(seen) != 9*9 || !bytes.Equal(frame.Pix, before) {
			t.Errorf("%d places in a day, want 81; the frame is as it was: %v", len(seen), bytes.Equal(frame.Pix, before))
		}
		cancel()
		<-done
	})
}

func TestTint(t *testing.T) {
	if newTint(1, 0) != nil || newTint(7, -1) != nil {
		t.Error("full light costs something")
	}
	g := paddedGeometry(XRGB8888, 16, 16, 4, image.Point{})
	mem := make([]byte, g.Size)
	d, err := New(fakeDevice{g, mem}, Options{TTY: NoTTY})
	if err != nil {
		t.Fatal(err)
	}
	src := noise(d.Bounds())
	for _, c := range []struct{ level, warmth, red, green, blue float64 }{
		{1, 0, 1, 1, 1}, {0.2, 0, 0.2, 0.2, 0.2}, {1, 1, 1, 0.82, 0.6}, {0.5, 0.5, 0.5, 0.455, 0.4}, {0, 0, 0, 0, 0}, {1, 0, 1, 1, 1},
	} {
		d.tint(c.level, c.warmth)
		if err := d.DrawFrame(src, nil); err != nil {
			t.Fatal(err)
		}
		for y := range 16 {
			for x := range 16 {
				p := src.RGBAAt(x, y)
				red, green, blue := deviceColor(mem, g, x, y)
				for i, v := range [3][2]float64{{float64(p.R) * c.red, float64(red)}, {float64(p.G) * c.green, float64(green)}, {float64(p.B) * c.blue, float64(blue)}} {
					if v[0]-v[1] > 1 || v[1]-v[0] > 1 {
						t.Fatalf("%+v at %d,%d, channel %d: got %v, want %v", c, x, y, i, v[1], v[0])
					}
				}
			}
		}
	}
}
