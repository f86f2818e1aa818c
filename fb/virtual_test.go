package fb_test

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"

	"dashboard/fb"
	"dashboard/fb/fbtest"
)

// readVirtual returns the picture in a virtual framebuffer's file.
func readVirtual(t *testing.T, path string, v fb.Virtual) *image.RGBA {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) != v.Geometry().Size {
		t.Fatalf("%s: got %d bytes, want %d", path, len(raw), v.Geometry().Size)
	}
	return v.Geometry().DecodeRGBA(raw)
}

// openVirtual returns a display on the file at path.
func openVirtual(t *testing.T, path string, v fb.Virtual, o fb.Options) *fb.Display {
	t.Helper()
	dev, err := fb.OpenVirtual(path, v)
	if err != nil {
		t.Fatal(err)
	}
	d, err := fb.New(dev, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestVirtualFileCutShort draws on a mapped file that was truncated. The draw raises SIGBUS, as with an unplugged device.
func TestVirtualFileCutShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "screen.raw")
	v := fb.Virtual{Width: 200, Height: 100, Format: fb.XRGB8888}
	d := openVirtual(t, path, v, fb.Options{})
	defer d.Halt()
	frame := fbtest.Pattern(d.Bounds(), 1)
	mustDraw(t, d.DrawFrame(frame, nil))
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := d.DrawFrame(frame, nil); err == nil {
		t.Error("DrawFrame on a file cut short: got no error")
	}
	if err := d.Check(); err == nil {
		t.Error("Check on a file cut short: got no error")
	}
}

func TestVirtualGone(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(path string) error
	}{
		{"removed", os.Remove},
		{"replaced", func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, make([]byte, 8*8*2), 0o600))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "screen.raw")
			dev, err := fb.OpenVirtual(path, fb.Virtual{Width: 8, Height: 8, Format: fb.RGB565})
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			if _, err := dev.Geometry(); err != nil {
				t.Fatal(err)
			}
			if err := test.do(path); err != nil {
				t.Fatal(err)
			}
			if _, err := dev.Geometry(); err == nil {
				t.Error("got no error")
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	good := fb.Virtual{Width: 8, Height: 8, Format: fb.RGB565}
	for _, test := range []struct {
		name string
		o    fb.Options
	}{
		{"no device", fb.Options{Path: filepath.Join(dir, "fb0"), TTY: fb.NoTTY}},
		{"no framebuffer", fb.Options{Path: "/dev/null", TTY: fb.NoTTY}},
		{"virtual on a device", fb.Options{Path: "/dev/null", Virtual: &good}},
		{"virtual in no directory", fb.Options{Path: filepath.Join(dir, "no", "screen"), Virtual: &good}},
		{"negative padding", fb.Options{Path: filepath.Join(dir, "a"), Virtual: &fb.Virtual{Width: 8, Height: 8, Padding: -1, Format: fb.RGB565}}},
		{"no size", fb.Options{Path: filepath.Join(dir, "b"), Virtual: &fb.Virtual{Format: fb.RGB565}}},
		{"huge", fb.Options{Path: filepath.Join(dir, "c"), Virtual: &fb.Virtual{Width: 1 << 30, Height: 1 << 30, Format: fb.RGB565}}},
		{"sides that are too much together", fb.Options{Path: filepath.Join(dir, "e"), Virtual: &fb.Virtual{Width: 20000, Height: 20000, Format: fb.RGB565}}},
		{"a frame of too many pixels", fb.Options{Path: filepath.Join(dir, "f"), Virtual: &good, Frame: image.Pt(20000, 20000)}},
		{"rotation", fb.Options{Path: filepath.Join(dir, "d"), Virtual: &good, Rotate: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			k, err := fb.NewKeeper(test.o)
			if err == nil { // NewKeeper returns no error if the device cannot be opened, so get this error from the state
				defer k.Halt()
				err = k.State().Err
			}
			if err == nil {
				t.Error("got no error")
			}
			t.Log(err)
		})
	}
}
