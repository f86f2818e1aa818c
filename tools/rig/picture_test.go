package rig

import (
	"image"
	"image/color"
	"testing"

	"dashboard/fb"
)

// changed() returns the rainbow with one pixel changed.
func changed(r, g, b int) *image.RGBA {
	m := rainbow()
	p := m.RGBAAt(100, 80)
	m.SetRGBA(100, 80, color.RGBA{uint8(int(p.R) + r), uint8(int(p.G) + g), uint8(int(p.B) + b), 255})
	return m
}

func TestOnDevice(t *testing.T) {
	painted := rainbow()
	for _, f := range []fb.Format{fb.XRGB8888, fb.ABGR8888, fb.RGB565} {
		shown, err := onDevice(painted, f)
		if err != nil {
			t.Errorf("%v: %v", f, err)
			continue
		}
		n, _ := lens{255, 255, 255}.differ(shown, painted)
		if exact := f.Bits == 32; exact != (n == 0) {
			t.Errorf("%v: %d pixels differ", f, n)
		}
	}
}

// dithered() detects the bands in a picture that is only rounded to the levels of its format.
func TestDithered(t *testing.T) {
	painted := rainbow()
	bands := image.NewRGBA(painted.Rect)
	for i, v := range painted.Pix {
		bands.Pix[i] = uint8(int(v) * 31 / 255 * 255 / 31)
	}
	if err := dithered(bands, painted, fb.RGB565); err == nil {
		t.Error("bands are taken for dithered")
	}
	if err := dithered(bands, painted, fb.XRGB8888); err != nil {
		t.Errorf("a format that needs no dithering: %v", err)
	}
}

func TestWithinOneLevel(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      *image.RGBA
		format fb.Format
		want   bool
	}{
		{"the same", rainbow(), fb.XRGB8888, true},
		{"a level of 8 bits", changed(1, 0, 0), fb.XRGB8888, false},
		{"a level of 5 bits", changed(8, 0, 0), fb.RGB565, true},
		{"more than a level of 5 bits", changed(9, 0, 0), fb.RGB565, false},
		{"a level of 6 bits", changed(0, 4, 0), fb.RGB565, true},
		{"more than a level of 6 bits", changed(0, 5, 0), fb.RGB565, false},
	} {
		if err := withinOneLevel(c.m, rainbow(), c.format); (err == nil) != c.want {
			t.Errorf("%s: got %v, want that it is right: %v", c.name, err, c.want)
		}
	}
}

func TestDiffer(t *testing.T) {
	exact, rough := newLens(fb.XRGB8888), newLens(fb.RGB565)
	if n, where := exact.differ(changed(1, 0, 0), rainbow()); n != 1 || where != image.Rect(100, 80, 101, 81) {
		t.Errorf("one pixel: got %d in %v", n, where)
	}
	if n, _ := exact.differ(rainbow(), image.NewRGBA(image.Rect(0, 0, 1, 1))); n == 0 {
		t.Error("pictures of different size are the same")
	}
	// 100 is 0b01100_100. In this format red has only five bits, so the last three bits of the value are missing.
	if n, _ := rough.differ(changed(1, 0, 0), rainbow()); n != 0 {
		t.Errorf("bits that the format does not have: %d pixels differ", n)
	}
	if n, _ := rough.differ(changed(8, 0, 0), rainbow()); n != 1 {
		t.Errorf("a level: %d pixels differ, want 1", n)
	}
}

func TestOneOf(t *testing.T) {
	l := newLens(fb.XRGB8888)
	if err := l.oneOf(changed(9, 0, 0), rainbow(), changed(9, 0, 0)); err != nil {
		t.Errorf("one of them: %v", err)
	}
	if l.oneOf(changed(5, 0, 0), rainbow(), changed(9, 0, 0)) == nil {
		t.Error("a pixel that is in neither was not found")
	}
}

// TestOneOfTorn checks the screenshots of a picture that is being written: some pixels can contain bytes of both pictures.
func TestOneOfTorn(t *testing.T) {
	size := image.Rect(0, 0, 8, 2)
	black, blue := image.NewRGBA(size), image.NewRGBA(size)
	for i := 2; i < len(blue.Pix); i += 4 {
		blue.Pix[i-1], blue.Pix[i] = 0xff, 0xff
	}
	for _, c := range []struct {
		format fb.Format
		pixel  [3]uint8
		n      int // number of pixels with the color `pixel`
		want   bool
	}{
		{fb.XRGB8888, [3]uint8{0, 0, 0xff}, maxTorn, true},
		{fb.XRGB8888, [3]uint8{0, 0, 0xff}, maxTorn + 1, false},
		{fb.XRGB8888, [3]uint8{0, 0, 0x7f}, 1, false},
		{fb.XRGB8888, [3]uint8{1, 0, 0xff}, 1, false},
		{fb.RGB565, [3]uint8{0, 0xe0, 0}, 1, true},
		{fb.RGB565, [3]uint8{0, 0xc0, 0}, 1, false},
	} {
		m := image.NewRGBA(size)
		for x := range c.n {
			copy(m.Pix[4*x:], c.pixel[:])
		}
		if err := newLens(c.format).oneOf(m, black, blue); (err == nil) != c.want {
			t.Errorf("%v, %d pixels %v: got %v, want that it is right: %v", c.format, c.n, c.pixel, err, c.want)
		}
	}
}

func TestNearlySame(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *image.RGBA
		want bool
	}{
		{"the same", rainbow(), true},
		{"a pixel rounded otherwise", changed(0, -1, 1), true},
		{"another pixel", changed(0, 2, 0), false},
	} {
		if err := nearlySame(c.m, rainbow()); (err == nil) != c.want {
			t.Errorf("%s: got %v, want that it is right: %v", c.name, err, c.want)
		}
	}
	many := rainbow()
	for x := range 10 {
		many.Pix[4*x] ^= 1
	}
	if nearlySame(many, rainbow()) == nil {
		t.Error("ten pixels of 40,960 rounded otherwise were taken for few")
	}
}
