package scene

import (
	"bytes"
	"context"
	"image/color"
	"image/jpeg"
	"io"
	"log/slog"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/race"
	"dashboard/netstream"
	"dashboard/output"
	"dashboard/output/window"
)

// steadyWall is a wall that changes every second, as real walls do.
const steadyWall = `
drop_shadow: true
widgets:
  - widget: grid
    rows: 2
    columns: 2
    padding: 6
    background_color: [20, 30, 60]
    widget_background_color: '#ffffff20'
    widget_corner_radius: 12
    children:
      - {widget: dateclock, time_format: '%H:%M:%S'}
      - {widget: label, text: Seconds, children: [{widget: dateclock, time_format: '%S'}]}
      - {widget: flip, interval: 5, transition: 1, children: [{widget: text, text: one}, {widget: text, text: two}]}
      - {widget: pill, children: [{widget: empty, color: orange}, {widget: text, text: pill}]}
`

// The type steady contains the path of a frame: the tree of a wall, its renderer, its screen, its stream and its clients.
type steady struct {
	step   func() bool // paints the next second, and reports whether anything has changed
	multi  *output.Multi
	screen *fbtest.Memory
	stream *netstream.Stream
}

func newSteady(t testing.TB, g fb.Geometry, c config.WindowOutput) *steady {
	t.Helper()
	t.Chdir(t.TempDir())
	programtest.Write(t, ".", map[string]string{"conf.yaml": "graphics: {resolution: [400, 240]}\noutputs: [{type: stream}]\n", "widgets.yaml": steadyWall})
	builder := NewBuilder(Parts{Wake: func() {}, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(builder.Providers.Close)
	gen, report := builder.Load(Folder{Widgets: "widgets.yaml"}, Alone(func() {}))
	if gen == nil {
		t.Fatal(report)
	}
	wall := gen.Scenes[config.MainView]
	s := &steady{screen: fbtest.NewMemory(g)}
	opts, err := window.Options(&c, wall.Size)
	if err != nil {
		t.Fatal(err)
	}
	display, err := fb.New(s.screen, opts)
	if err != nil {
		t.Fatal(err)
	}
	s.stream = netstream.New(time.Now)
	s.multi = output.NewMulti(slog.New(slog.DiscardHandler), display, s.stream)
	r, now := wall.Renderer("day"), time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)
	s.step = func() bool {
		now = now.Add(time.Second)
		damage, _ := r.Step(now)
		return s.multi.DrawFrame(r.Frame(), damage) == nil && len(damage) > 0
	}
	return s
}

// warmUp is the number of seconds after which every digit of the clock has been drawn.
const warmUp = 70

// answerAllocs is the maximum number of allocations for the answer to a client. The answer needs them for the tag and for a reference to
// the cached file. The pixels are not copied.
const answerAllocs = 3

// leastAllocs returns the smallest of three results of testing.AllocsPerRun. Allocations by other goroutines can only increase a result.
func leastAllocs(runs int, f func()) float64 {
	least := testing.AllocsPerRun(runs, f)
	for range 2 {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}

// No allocation is needed to paint a frame, to show the frame on the screen, and to pass the frame to the stream. A response with the
// scaled and encoded frame needs a few small allocations, in any size.
func TestSteadyFrameAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	plain := fb.Geometry{Width: 400, Height: 240, Format: fb.XRGB8888}
	for _, tc := range []struct {
		name string
		g    fb.Geometry
		c    config.WindowOutput
	}{
		{"32 bits", plain, config.WindowOutput{}},
		{"24 bits", fb.Geometry{Width: 400, Height: 240, Format: fb.BGR888}, config.WindowOutput{}},
		{"16 bits, dithered", fb.Geometry{Width: 400, Height: 240, Format: fb.RGB565}, config.WindowOutput{}},
		{"turned", fb.Geometry{Width: 240, Height: 400, Format: fb.RGB565}, config.WindowOutput{Rotate: 90}},
		{"scaled", fb.Geometry{Width: 683, Height: 384, Format: fb.XRGB8888}, config.WindowOutput{Fullscreen: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSteady(t, tc.g, tc.c)
			ask := func(w, h int) {
				resp, err := s.stream.Get(context.Background(), netstream.Request{W: w, H: h})
				if err != nil {
					t.Fatal(err)
				}
				_, _ = resp.Body.WriteTo(io.Discard)
				_ = resp.Body.Close()
			}
			for range warmUp {
				s.step()
				ask(200, 120)
			}
			if got := leastAllocs(60, func() {
				if !s.step() {
					t.Error("a second did not change the wall")
				}
			}); got != 0 {
				t.Errorf("a frame: got %v allocations, want 0", got)
			}
			fresh := leastAllocs(20, func() { s.step(); ask(200, 120) })
			again := leastAllocs(20, func() { ask(200, 120) })
			if fresh > answerAllocs || again > answerAllocs {
				t.Errorf("got %v allocations for a frame and an answer, %v for one more answer, want at most %d", fresh, again, answerAllocs)
			}
			s.checkShown(t, tc.c)
		})
	}
}

// checkShown decodes the newest frame of the stream. If the screen shows frames in their own size and without a rotation, checkShown
// compares the frame with the screen.
func (s *steady) checkShown(t *testing.T, c config.WindowOutput) {
	t.Helper()
	resp, err := s.stream.Get(context.Background(), netstream.Request{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	_, _ = resp.Body.WriteTo(&file)
	img, err := jpeg.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	shown := s.screen.Shown()
	if c.Rotate != 0 || c.Fullscreen {
		return
	}
	off := 0
	for y := range 240 {
		for x := range 400 {
			a, b := img.At(x, y), shown.At(x, y)
			if !close8(a, b) {
				off++
			}
		}
	}
	if off > 400*240/100 {
		t.Errorf("%d pixels of the screen and of the answer differ", off)
	}
}

// close8 reports whether two colors are equal, apart from the errors of JPEG and of 16-bit colors.
func close8(a, b color.Color) bool {
	p, q := color.RGBAModel.Convert(a).(color.RGBA), color.RGBAModel.Convert(b).(color.RGBA)
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 24 }
	return near(p.R, q.R) && near(p.G, q.G) && near(p.B, q.B)
}

func BenchmarkSteadyFrame(b *testing.B) {
	s := newSteady(b, fb.Geometry{Width: 400, Height: 240, Format: fb.RGB565}, config.WindowOutput{})
	for range warmUp {
		s.step()
	}
	b.ReportAllocs()
	for b.Loop() {
		s.step()
	}
}
