//go:build cgo && linux

package fb_test

import (
	"image"
	"image/color"
	"os"
	"testing"

	"dashboard/fb"

	"github.com/gonutz/framebuffer"
)

// gonutzVariable names the real framebuffer device, in RGB565, that
// TestSecondOpinion may draw on.
const gonutzVariable = "DASHBOARD_FB_TEST_DEVICE"

// TestSecondOpinion draws with our driver and reads the same device through
// gonutz/framebuffer, which shares no code with it. That package knows only
// RGB565 at offset 0,0 with rows that are not padded beyond the mapping.
func TestSecondOpinion(t *testing.T) {
	path := os.Getenv(gonutzVariable)
	if path == "" {
		t.Skipf("SKIPPED: %s names no framebuffer device; the second opinion was not asked", gonutzVariable)
	}
	dev, err := fb.OpenDevice(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := fb.New(dev, fb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Halt()
	if g := d.State().Geometry; g.Format != fb.RGB565 || g.XOffset != 0 || g.YOffset != 0 {
		t.Skipf("SKIPPED: gonutz/framebuffer reads RGB565 at offset 0,0 only; %s is %v", path, g)
	}
	console := fb.OpenConsole("/dev/tty1", func() {}, func() {}) // without it, the cursor would blink over the picture
	defer console.Restore()
	frame := levels565(d.Bounds())
	mustDraw(t, d.DrawFrame(frame, nil))
	second, err := framebuffer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got, want := second.Bounds(), d.Bounds(); got != want {
		t.Fatalf("bounds: got %v, want %v", got, want)
	}
	model := second.ColorModel()
	wrong := 0
	for y := range frame.Rect.Dy() {
		for x := range frame.Rect.Dx() {
			if got, want := second.At(x, y), model.Convert(frame.At(x, y)); got != want {
				if wrong++; wrong <= 5 {
					t.Errorf("pixel %d,%d: got %v, want %v", x, y, got, want)
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d pixels are wrong", wrong)
	}
}

// levels565 returns a picture of all 65,536 colors of RGB565, as far as there
// is room. They are exact in the format, so they are not dithered.
func levels565(r image.Rectangle) *image.RGBA {
	m := image.NewRGBA(r)
	for y := range r.Dy() {
		for x := range r.Dx() {
			n := uint16(y*r.Dx() + x)
			m.SetRGBA(x, y, fb.RGB565.At([]byte{byte(n), byte(n >> 8)}))
		}
	}
	return m
}

// TestLevels565 tests the picture of TestSecondOpinion, which needs no device.
func TestLevels565(t *testing.T) {
	m := levels565(image.Rect(0, 0, 256, 256))
	seen := map[color.RGBA]bool{}
	for y := range 256 {
		for x := range 256 {
			seen[m.RGBAAt(x, y)] = true
		}
	}
	if len(seen) != 1<<16 {
		t.Errorf("got %d colors, want %d", len(seen), 1<<16)
	}
}
