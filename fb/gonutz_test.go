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

// gonutzVariable is an environment variable. It contains the path of the real framebuffer device on
// which TestSecondOpinion may draw. The device must use RGB565.
const gonutzVariable = "DASHBOARD_FB_TEST_DEVICE"

// TestSecondOpinion draws with package fb, and reads the same device with gonutz/framebuffer, which
// shares no code with package fb. gonutz/framebuffer supports only RGB565 at offset 0,0.
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
	console := fb.OpenConsole("/dev/tty1", func() {}, func() {}) // otherwise the cursor would blink over the picture
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

// levels565 returns a picture whose pixels have the colors of RGB565 in order. With at least 65,536 pixels it contains all colors. The
// format can show each of these colors exactly, so they are not dithered.
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

// TestLevels565 checks the picture that TestSecondOpinion draws. The check needs no device.
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
