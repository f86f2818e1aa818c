package fb_test

import (
	"errors"
	"image"
	"image/draw"
	"io/fs"
	"testing"

	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testing/race"
)

// copyScaler is a Scaler that allocates nothing. It copies the nearest pixels, which is enough for a test that counts allocations.
type copyScaler struct{}

func (copyScaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	for y := dr.Min.Y; y < dr.Max.Y; y++ {
		for x := dr.Min.X; x < dr.Max.X; x++ {
			from := src.PixOffset(x*src.Rect.Dx()/dst.Rect.Dx(), y*src.Rect.Dy()/dst.Rect.Dy())
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[from:from+4])
		}
	}
}

func TestDrawAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	rgb565 := fb.Geometry{Width: 64, Height: 32, VirtualHeight: 64, Format: fb.RGB565}
	xrgb := fb.Geometry{Width: 64, Height: 32, Stride: 300, Format: fb.XRGB8888}
	plain := fb.Geometry{Width: 64, Height: 32, Format: fb.BGR888}
	for _, test := range []struct {
		name string
		g    fb.Geometry
		o    fb.Options
	}{
		{"565", rgb565, fb.Options{}},
		{"565 rotated", rgb565, fb.Options{Rotate: 90}},
		{"565 panning", rgb565, fb.Options{Pan: true}},
		{"xrgb", xrgb, fb.Options{}},
		{"xrgb with a vsync that is not there", xrgb, fb.Options{VSync: true}},
		{"xrgb scaled", xrgb, fb.Options{Frame: image.Pt(99, 50), Fullscreen: true, Scaler: copyScaler{}}},
		{"24 bpp", plain, fb.Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDisplay(t, fbtest.NewMemory(test.g), test.o)
			defer d.Halt()
			frame := fbtest.Pattern(d.Bounds(), 1)
			nrgba := image.NewNRGBA(d.Bounds())
			draw.Draw(nrgba, nrgba.Rect, frame, image.Point{}, draw.Src)
			damage := []image.Rectangle{image.Rect(1, 1, 9, 9), image.Rect(20, 3, 30, 20)}
			for what, f := range map[string]func() error{
				"DrawFrame":      func() error { return d.DrawFrame(frame, damage) },
				"DrawFrame, all": func() error { return d.DrawFrame(frame, nil) },
				"Draw":           func() error { return d.Draw(damage[1], frame, damage[1].Min) },
				"Draw, NRGBA":    func() error { return d.Draw(damage[1], nrgba, damage[1].Min) },
			} {
				noAllocs(t, what, f)
			}
		})
	}
}

// noAllocs fails the test if f still allocates memory after its first calls.
func noAllocs(t *testing.T, what string, f func() error) {
	t.Helper()
	var err error
	allocs := testing.AllocsPerRun(20, func() { err = errors.Join(err, f()) })
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if allocs != 0 {
		t.Errorf("%s: got %v allocations, want 0", what, allocs)
	}
}

func TestKeeperAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	k, err := fb.NewKeeperOf(fb.Options{TTY: fb.NoTTY}, func() (fb.Device, error) { return memory(64, 32), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer k.Halt()
	frame := fbtest.Pattern(k.Bounds(), 1)
	noAllocs(t, "with a device", func() error { return k.DrawFrame(frame, nil) })
	absent, err := fb.NewKeeperOf(fb.Options{TTY: fb.NoTTY}, func() (fb.Device, error) { return nil, fs.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(20, func() { _ = absent.DrawFrame(frame, nil) }); got != 0 {
		t.Errorf("without a device: got %v allocations, want 0", got)
	}
}

// BenchmarkDrawFrame converts a frame of 1920x1080 into memory. For comparison, it also copies the
// frame row by row. MB/s counts the frame's RGBA bytes.
func BenchmarkDrawFrame(b *testing.B) {
	size := image.Rect(0, 0, 1920, 1080)
	frame := fbtest.Pattern(size, 1)
	b.Run("copy", func(b *testing.B) {
		to := make([]byte, len(frame.Pix))
		b.SetBytes(int64(len(frame.Pix)))
		for b.Loop() {
			for y := range size.Dy() {
				copy(to[y*frame.Stride:(y+1)*frame.Stride], frame.Pix[y*frame.Stride:])
			}
		}
	})
	for _, test := range []struct {
		name string
		f    fb.Format
		o    fb.Options
	}{
		{"xrgb8888", fb.XRGB8888, fb.Options{}},
		{"xbgr8888", fb.XBGR8888, fb.Options{}},
		{"rgb565", fb.RGB565, fb.Options{NoDither: true}},
		{"rgb565 dithered", fb.RGB565, fb.Options{}},
		{"rgb565 dithered rotated 90", fb.RGB565, fb.Options{Rotate: 90}},
		{"xrgb8888 rotated 180", fb.XRGB8888, fb.Options{Rotate: 180}},
		{"bgr565", fb.BGR565, fb.Options{}},
		{"rgb888 plain", fb.RGB888, fb.Options{}},
	} {
		b.Run(test.name, func(b *testing.B) {
			g := fb.Geometry{Width: 1920, Height: 1080, Format: test.f}
			if test.o.Rotate == 90 {
				g.Width, g.Height = g.Height, g.Width
			}
			d, err := fb.New(fbtest.NewMemory(g), test.o)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(frame.Pix)))
			b.ReportAllocs()
			for b.Loop() {
				if err := d.DrawFrame(frame, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
