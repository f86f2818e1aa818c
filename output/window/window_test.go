package window

import (
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/fb"
)

func TestOptions(t *testing.T) {
	no := false
	frame := image.Pt(320, 200)
	for _, c := range []struct {
		name string
		conf config.WindowOutput
		want func(o fb.Options) bool
	}{
		{"defaults", config.WindowOutput{Device: "/dev/fb0"}, func(o fb.Options) bool {
			return o.Path == "/dev/fb0" && o.Frame == frame && o.VSync && !o.Pan && o.Virtual == nil && !o.Fullscreen && o.TTY == ""
		}},
		{"all there is", config.WindowOutput{Device: "d", Rotate: 90, Fullscreen: true, VSync: &no, Pan: true, TTY: "tty3"}, func(o fb.Options) bool {
			return o.Rotate == 90 && o.Fullscreen && !o.VSync && o.Pan && o.TTY == "tty3"
		}},
		{"virtual, of the frame's size", config.WindowOutput{Device: "f", Driver: "virtual"}, func(o fb.Options) bool {
			return o.Virtual != nil && o.Virtual.Width == 320 && o.Virtual.Height == 200 && o.Virtual.Format.Bits == 32
		}},
		{"virtual, of another", config.WindowOutput{Device: "f", Driver: "virtual", Format: "rgb565", Size: &config.Size{Width: 64, Height: 48}}, func(o fb.Options) bool {
			return o.Virtual != nil && o.Virtual.Width == 64 && o.Virtual.Height == 48 && o.Virtual.Format.Bits == 16
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if o, err := Options(&c.conf, frame); err != nil || !c.want(o) {
				t.Errorf("got %+v, %v", o, err)
			}
		})
	}
}

func TestNeverWorks(t *testing.T) {
	for name, c := range map[string]config.WindowOutput{
		"format": {Driver: "virtual", Format: "cmyk"},
		"rotat":  {Rotate: 45},
	} {
		if _, err := Options(&c, image.Pt(320, 200)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got error %v, want one that names it", name, err)
		}
	}
}

// TestFullscreen shows a frame on screens that have other sizes. The frame must fill each screen.
func TestFullscreen(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 40, 30))
	red := color.RGBA{255, 0, 0, 255}
	draw.Draw(frame, frame.Rect, image.NewUniform(red), image.Point{}, draw.Src)
	for _, size := range []config.Size{{Width: 80, Height: 60}, {Width: 20, Height: 15}, {Width: 40, Height: 30}, {Width: 7684, Height: 4}, {Width: 2, Height: 8000}} {
		path := filepath.Join(t.TempDir(), "screen")
		o, err := Options(&config.WindowOutput{Device: path, Driver: "virtual", Fullscreen: true, Size: &size}, frame.Rect.Size())
		if err != nil {
			t.Fatal(err)
		}
		d, err := fb.NewKeeper(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.DrawFrame(frame, nil); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, len(raw)/2 + 2*size.Width, len(raw) - 4} { // a pixel has the bytes B, G, R, X (XRGB8888)
			if raw[at] != 0 || raw[at+1] != 0 || raw[at+2] != 255 {
				t.Errorf("%v: got % x at byte %d, want red", size, raw[at:at+4], at)
			}
		}
		if err := d.Halt(); err != nil {
			t.Error(err)
		}
	}
}
