package client

import (
	"dashboard/internal/testing/golden"
	"dashboard/internal/testing/race"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"testing"
	"time"

	xdraw "golang.org/x/image/draw"
)

var (
	goldenSizes = []image.Point{{320, 240}, {800, 480}, {1366, 768}, {1920, 1080}, {480, 800}}
	goldenTime  = time.Date(2026, 3, 29, 12, 34, 56, 0, time.UTC)
	goldenDelay = latency{
		published:  goldenTime,
		noticed:    goldenTime.Add(3 * time.Millisecond),
		asked:      goldenTime.Add(3 * time.Millisecond),
		downloaded: goldenTime.Add(45 * time.Millisecond),
		decoded:    goldenTime.Add(1062 * time.Millisecond),
	}
)

// `goldens` lists pictures that a screen can show. The pictures "start", "never", "wrong", "looking" and "pairing" have no frame behind the
// card.
var goldens = map[string]func(o *Options, f *frame) State{
	"triangle": func(o *Options, f *frame) State {
		f.setWhole(grey(o.Size))
		return Stale
	},
	"offline": func(o *Options, f *frame) State {
		f.setWhole(stripes(o.Size))
		f.setLatency(latency{published: goldenTime.Add(-17 * time.Minute)})
		o.Offline = defaultOffline()
		return Stale
	},
	"start": func(o *Options, f *frame) State {
		o.Offline = defaultOffline()
		o.Offline.Message = "A message that is much longer than the screen is wide, so that it has to shrink"
		return Stale
	},
	"never": func(o *Options, f *frame) State { return Stale },
	"rejected": func(o *Options, f *frame) State {
		f.setWhole(stripes(o.Size))
		return Rejected
	},
	"wrong": func(o *Options, f *frame) State {
		o.Problem = "client.yaml:3:1: 'serverr' is no key here; did you mean 'server'?"
		return Rejected
	},
	"looking": func(o *Options, f *frame) State {
		o.Notice = &Notice{Title: "Looking for a dashboard", Detail: "found Dashboard on kitchen"}
		return Rejected
	},
	"pairing": func(o *Options, f *frame) State {
		o.Notice = &Notice{Title: "Show Dashboard on kitchen?", Detail: "Allow it on the wall's page", Code: "482 913"}
		return Rejected
	},
	"removed": func(o *Options, f *frame) State {
		f.setWhole(stripes(o.Size))
		o.Paired = true
		return Rejected
	},
	"latency": func(o *Options, f *frame) State {
		f.setWhole(stripes(o.Size))
		f.setLatency(goldenDelay)
		o.Latency = true
		o.Corner = BottomLeft
		return Stale
	},
}

func defaultOffline() *Offline {
	return &Offline{Message: "Dashboard server unavailable", ClockFormat: "%H:%M", Dim: 0.4}
}

func TestGolden(t *testing.T) {
	for name, prepare := range goldens {
		for _, size := range goldenSizes {
			if race.Enabled && size.X > 800 {
				continue // with one goroutine, the race detector finds nothing and takes thirty times as long
			}
			name := fmt.Sprintf("%s-%dx%d", name, size.X, size.Y)
			t.Run(name, func(t *testing.T) {
				o := testOptions(size)
				f := newFrame(size)
				st := prepare(&o, f)
				s := newScreen(&o, f)
				s.update(goldenTime, st)
				s.paint()
				golden.Compare(t, name, s.picture())
			})
		}
	}
}

// state() returns Stale if `warns` is true, otherwise Connected.
func state(warns bool) State {
	if warns {
		return Stale
	}
	return Connected
}

// testOptions returns the options of a client whose display is in memory.
func testOptions(size image.Point) Options {
	o := Options{
		URL: "http://wall.test", Size: size, ReconnectDelay: 2 * time.Second, StaleAfter: 30 * time.Second,
		Display: &display{}, Location: time.UTC,
	}
	if err := o.check(); err != nil {
		panic(err)
	}
	return o
}

// grey() returns a frame in one shade of gray.
func grey(size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{200}), image.Point{}, draw.Src)
	return m
}

// stripes() returns a frame of light and dark stripes.
func stripes(size image.Point) *image.RGBA {
	m := grey(size)
	bands := []color.RGBA{{40, 60, 90, 255}, {235, 203, 139, 255}, {20, 24, 30, 255}, {163, 190, 140, 255}}
	for i, c := range bands {
		r := image.Rect(i*size.X/len(bands), size.Y/8, (i+1)*size.X/len(bands)-size.X/40, size.Y-size.Y/8)
		draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	return m
}

var pictures = flag.String("pictures", "", "`folder` for the picture of TestDrawing, to look at")

// TestDrawing draws the offline screen over a wall, with the words of the design drawing. No text of the wall stays legible.
func TestDrawing(t *testing.T) {
	wall := golden.Read(t, "../docs/pictures/walls/home-night.png")
	o := testOptions(image.Pt(800, 480))
	o.URL, o.Offline = "http://kitchen-wall", &Offline{Message: "No connection to kitchen-wall", ClockFormat: "%H:%M", Dim: 0.4}
	f := newFrame(o.Size)
	m := image.NewRGBA(image.Rectangle{Max: o.Size})
	xdraw.CatmullRom.Scale(m, m.Rect, wall, wall.Rect, draw.Src, nil)
	f.setWhole(m)
	now := time.Date(2025, 5, 15, 10, 41, 0, 0, time.UTC)
	f.setLatency(latency{published: now.Add(-17 * time.Minute)})
	s := newScreen(&o, f)
	s.update(now, Stale)
	s.paint()
	got := s.picture()
	if most := sharpest(got, image.Rect(0, 0, 160, 480)); most > sharpest(wall, wall.Rect)/8 {
		t.Errorf("next to the card, neighboring pixels differ by %d", most)
	}
	if *pictures != "" {
		golden.Write(t, filepath.Join(*pictures, "offline.png"), got)
	}
}

// sharpest returns the largest difference of two neighboring pixels in a rectangle.
func sharpest(m *image.RGBA, r image.Rectangle) (most int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X-1; x++ {
			i := m.PixOffset(x, y)
			most = max(most, int(m.Pix[i])-int(m.Pix[i+4]), int(m.Pix[i+4])-int(m.Pix[i]))
		}
	}
	return most
}
