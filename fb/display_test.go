package fb_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/fb"
	"dashboard/fb/fbtest"

	"periph.io/x/conn/v3/display"
)

// geometries are layouts of memory that real drivers have. In some layouts, rows have unused bytes at their end. A display that ignored the
// stride would then show a slanted picture. In other layouts, the visible window does not begin at the start of the memory.
var geometries = []struct {
	name string
	g    fb.Geometry
}{
	{"vc4 16 bpp", fb.Geometry{Width: 40, Height: 12, Format: fb.RGB565}},
	{"padded rows", fb.Geometry{Width: 40, Height: 12, Stride: 40*4 + 36, Format: fb.XRGB8888}},
	{"odd padding", fb.Geometry{Width: 41, Height: 11, Stride: 41*2 + 3, Format: fb.RGB565}},
	{"offset window", fb.Geometry{Width: 40, Height: 12, XOffset: 9, YOffset: 5, VirtualWidth: 60, VirtualHeight: 30, Format: fb.XRGB8888}},
	{"offset and padding", fb.Geometry{Width: 33, Height: 9, XOffset: 2, YOffset: 9, VirtualWidth: 40, VirtualHeight: 18, Stride: 130, Format: fb.BGR888}},
	{"alpha", fb.Geometry{Width: 40, Height: 12, Format: fb.ABGR8888}},
	{"1555", fb.Geometry{Width: 17, Height: 8, Format: fb.ARGB1555}},
	{"8 bpp", fb.Geometry{Width: 19, Height: 10, Stride: 23, Format: fb.RGB332}},
}

func TestDrawerConformance(t *testing.T) {
	for _, test := range geometries {
		for _, rotation := range []fb.Rotation{0, 90, 180, 270} {
			t.Run(fmt.Sprint(test.name, "/", int(rotation)), func(t *testing.T) {
				fbtest.TestDrawer(t, func(t *testing.T) (display.Drawer, func() image.Image) {
					m := fbtest.NewMemory(test.g)
					t.Cleanup(func() {
						if err := m.CheckGuards(); err != nil {
							t.Error(err)
						}
						if !m.Closed() {
							t.Error("the device was not closed")
						}
					})
					d := newDisplay(t, m, fb.Options{Rotate: rotation})
					return d, func() image.Image { return upright(m.Shown(), rotation) }
				})
			})
		}
	}
}

func TestVirtualConformance(t *testing.T) {
	for _, rotation := range []fb.Rotation{0, 90} {
		fbtest.TestDrawer(t, func(t *testing.T) (display.Drawer, func() image.Image) {
			v := fb.Virtual{Width: 24, Height: 16, Format: fb.RGB565, Padding: 6}
			path := filepath.Join(t.TempDir(), "screen.raw")
			d := openVirtual(t, path, v, fb.Options{Rotate: rotation})
			return d, func() image.Image { return upright(readVirtual(t, path, v), rotation) }
		})
	}
}

// TestPanningConformance runs the tests of fbtest on a display that shows another page at every draw.
func TestPanningConformance(t *testing.T) {
	fbtest.TestDrawer(t, func(t *testing.T) (display.Drawer, func() image.Image) {
		m := fbtest.NewMemory(fb.Geometry{Width: 20, Height: 10, VirtualHeight: 20, Format: fb.XRGB8888})
		d := newDisplay(t, m, fb.Options{Pan: true})
		return d, func() image.Image { return m.Shown() }
	})
}

func newDisplay(t *testing.T, m *fbtest.Memory, o fb.Options) *fb.Display {
	t.Helper()
	d, err := fb.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// upright() rotates the picture of a rotated screen back, by 90 degrees counter-clockwise, r/90 times. Its formula differs from the
// display's formula, so that an error in one of them is found.
func upright(m *image.RGBA, r fb.Rotation) *image.RGBA {
	for ; r > 0; r -= 90 {
		b := m.Bounds()
		turned := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
		for y := range b.Dy() {
			for x := range b.Dx() {
				turned.SetRGBA(y, b.Dx()-1-x, m.RGBAAt(x, y))
			}
		}
		m = turned
	}
	return m
}

// TestNewRefuses: New rejects geometries with which a display would write outside its memory, or show a wrong picture.
func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		g    fb.Geometry
		o    fb.Options
		want string
	}{
		{"memory too short", fb.Geometry{Width: 8, Height: 8, Size: 8*8*4 - 1, Format: fb.XRGB8888}, fb.Options{}, "ends at byte 256"},
		{"stride too short", fb.Geometry{Width: 8, Height: 8, Stride: 31, Format: fb.XRGB8888}, fb.Options{}, "too short"},
		{"no format", fb.Geometry{Width: 8, Height: 8, Stride: 8}, fb.Options{}, "0 bits"},
		{"rotation", fb.Geometry{Width: 8, Height: 8, Format: fb.RGB565}, fb.Options{Rotate: 45}, "rotation 45"},
		{"frame", fb.Geometry{Width: 8, Height: 8, Format: fb.RGB565}, fb.Options{Frame: image.Pt(0, 9)}, "frame size"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := fb.New(fbtest.NewMemory(test.g), test.o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestCentred(t *testing.T) {
	for _, test := range []struct {
		name   string
		frame  image.Point
		origin image.Point
	}{
		{"smaller", image.Pt(10, 6), image.Pt(5, 3)},
		{"larger", image.Pt(30, 20), image.Pt(-5, -4)},
		{"wider and lower", image.Pt(30, 4), image.Pt(-5, 4)},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := fbtest.NewMemory(fb.Geometry{Width: 20, Height: 12, Stride: 99, Format: fb.XRGB8888})
			d := newDisplay(t, m, fb.Options{Frame: test.frame})
			if got := d.Bounds().Size(); got != test.frame {
				t.Errorf("bounds: got %v, want %v", got, test.frame)
			}
			frame := fbtest.Pattern(d.Bounds(), 1)
			if err := d.DrawFrame(frame, nil); err != nil {
				t.Fatal(err)
			}
			want := image.NewRGBA(image.Rect(0, 0, 20, 12))
			draw.Draw(want, want.Rect, image.Black, image.Point{}, draw.Src)
			draw.Draw(want, frame.Rect.Add(test.origin), frame, image.Point{}, draw.Src)
			if err := fbtest.Same(m.Shown(), want); err != nil {
				t.Error(err)
			}
			if err := m.CheckGuards(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFullscreenByDamage: scaling only the damaged parts gives the same picture as scaling the whole frame.
func TestFullscreenByDamage(t *testing.T) {
	for _, frame := range []image.Point{{50, 30}, {13, 7}, {40, 40}} {
		for _, rotation := range []fb.Rotation{0, 270} {
			o := fb.Options{Frame: frame, Fullscreen: true, Rotate: rotation, NoDither: true}
			g := fb.Geometry{Width: 32, Height: 20, Format: fb.XRGB8888}
			parts, whole := fbtest.NewMemory(g), fbtest.NewMemory(g)
			d, all := newDisplay(t, parts, o), newDisplay(t, whole, o)
			src := fbtest.Pattern(d.Bounds(), 1)
			mustDraw(t, d.DrawFrame(src, nil))
			damage := []image.Rectangle{image.Rect(3, 2, 6, 5), image.Rect(9, 4, 13, 7), image.Rect(-4, -4, 1, 1)}
			for _, r := range damage {
				draw.Draw(src, r, fbtest.Pattern(src.Rect, 2), r.Min, draw.Src)
			}
			mustDraw(t, d.DrawFrame(src, damage))
			mustDraw(t, all.DrawFrame(src, nil))
			if err := fbtest.Same(parts.Shown(), whole.Shown()); err != nil {
				t.Errorf("frame %v rotated by %d: %v", frame, rotation, err)
			}
		}
	}
}

// TestFullscreenFlat: a flat color stays exact when it is scaled to the whole screen.
func TestFullscreenFlat(t *testing.T) {
	m := fbtest.NewMemory(fb.Geometry{Width: 31, Height: 17, Format: fb.XBGR8888})
	d := newDisplay(t, m, fb.Options{Frame: image.Pt(64, 48), Fullscreen: true})
	flat := color.RGBA{200, 100, 50, 255}
	mustDraw(t, d.Draw(d.Bounds(), image.NewUniform(flat), image.Point{}))
	want := image.NewRGBA(image.Rect(0, 0, 31, 17))
	draw.Draw(want, want.Rect, image.NewUniform(flat), image.Point{}, draw.Src)
	if err := fbtest.Same(m.Shown(), want); err != nil {
		t.Error(err)
	}
}

func mustDraw(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestPartialRedrawHasNoSeam: dithering a gradient in pieces gives the same picture as dithering it at once.
func TestPartialRedrawHasNoSeam(t *testing.T) {
	g := fb.Geometry{Width: 64, Height: 16, Format: fb.RGB565}
	src := image.NewRGBA(image.Rect(0, 0, 64, 16))
	for y := range 16 {
		for x := range 64 {
			src.SetRGBA(x, y, color.RGBA{uint8(x * 2), uint8(x + y), uint8(100 - x), 255})
		}
	}
	for _, rotation := range []fb.Rotation{0, 180} {
		pieces, whole := fbtest.NewMemory(g), fbtest.NewMemory(g)
		d, all := newDisplay(t, pieces, fb.Options{Rotate: rotation}), newDisplay(t, whole, fb.Options{Rotate: rotation})
		for x := 0; x < 64; x += 7 {
			for y := 0; y < 16; y += 5 {
				r := image.Rect(x, y, x+7, y+5)
				mustDraw(t, d.Draw(r, src, r.Min))
			}
		}
		mustDraw(t, all.DrawFrame(src, nil))
		if err := fbtest.Same(pieces.Shown(), whole.Shown()); err != nil {
			t.Errorf("rotated by %d: %v", rotation, err)
		}
	}
}

func TestDrawFrame(t *testing.T) {
	m := fbtest.NewMemory(fb.Geometry{Width: 16, Height: 8, Format: fb.XRGB8888})
	d := newDisplay(t, m, fb.Options{})
	mustDraw(t, d.DrawFrame(fbtest.Pattern(image.Rect(0, 0, 16, 8), 1), nil))
	before := m.Shown()
	// The frame does not begin at 0,0, and one rectangle of the damage extends beyond it.
	next := fbtest.Pattern(image.Rect(5, 5, 21, 13), 2)
	mustDraw(t, d.DrawFrame(next, []image.Rectangle{image.Rect(1, 1, 3, 3), image.Rect(14, 6, 99, 99), {}}))
	want := before
	draw.Draw(want, image.Rect(1, 1, 3, 3), next, image.Pt(6, 6), draw.Src)
	draw.Draw(want, image.Rect(14, 6, 16, 8), next, image.Pt(19, 11), draw.Src)
	if err := fbtest.Same(m.Shown(), want); err != nil {
		t.Error(err)
	}
	mustDraw(t, d.DrawFrame(next, []image.Rectangle{}))
	if err := fbtest.Same(m.Shown(), want); err != nil {
		t.Errorf("no damage: %v", err)
	}
	if err := d.DrawFrame(fbtest.Pattern(image.Rect(0, 0, 15, 8), 1), nil); err == nil {
		t.Error("frame of another size: got no error")
	}
}

func TestPanning(t *testing.T) {
	g := fb.Geometry{Width: 16, Height: 8, VirtualHeight: 16, Format: fb.RGB565}
	t.Run("alternates and goes back", func(t *testing.T) {
		m := fbtest.NewMemory(g)
		d := newDisplay(t, m, fb.Options{Pan: true})
		for i := range 3 {
			mustDraw(t, d.DrawFrame(fbtest.Pattern(d.Bounds(), i), nil))
			mustDraw(t, d.Check())
		}
		mustDraw(t, d.Halt())
		if got, want := fmt.Sprint(m.Pans()), "[8 0 8 0]"; got != want {
			t.Errorf("panned to %s, want %s", got, want)
		}
	})
	t.Run("driver refuses", func(t *testing.T) {
		m := fbtest.NewMemory(g)
		m.FailPan(errors.New("invalid argument"))
		d := newDisplay(t, m, fb.Options{Pan: true})
		want := fbtest.Pattern(d.Bounds(), 1)
		mustDraw(t, d.DrawFrame(want, nil))
		if err := fbtest.Same(m.Shown(), want); err != nil {
			t.Error(err)
		}
		if got := d.State().Panning; !strings.HasPrefix(got, "off: ") {
			t.Errorf("state: got %q", got)
		}
		mustDraw(t, d.Check())
	})
	t.Run("no second page", func(t *testing.T) {
		m := fbtest.NewMemory(fb.Geometry{Width: 16, Height: 8, VirtualHeight: 15, Format: fb.RGB565})
		d := newDisplay(t, m, fb.Options{Pan: true})
		mustDraw(t, d.DrawFrame(fbtest.Pattern(d.Bounds(), 1), nil))
		if got := m.Pans(); len(got) != 0 {
			t.Errorf("panned to %v", got)
		}
	})
	t.Run("much damage", func(t *testing.T) {
		m := fbtest.NewMemory(g)
		d := newDisplay(t, m, fb.Options{Pan: true})
		frame := fbtest.Pattern(d.Bounds(), 1)
		mustDraw(t, d.DrawFrame(frame, nil))
		var many []image.Rectangle
		for x := range 16 {
			for y := range 4 {
				many = append(many, image.Rect(x, y, x+1, y+1))
			}
		}
		draw.Draw(frame, image.Rect(0, 0, 16, 4), image.White, image.Point{}, draw.Src)
		mustDraw(t, d.DrawFrame(frame, many))
		mustDraw(t, d.DrawFrame(frame, []image.Rectangle{image.Rect(0, 0, 1, 1)}))
		if err := fbtest.Same(m.Shown(), frame); err != nil {
			t.Error(err)
		}
	})
}

func TestHalted(t *testing.T) {
	m := fbtest.NewMemory(fb.Geometry{Width: 16, Height: 8, Format: fb.RGB565})
	d := newDisplay(t, m, fb.Options{})
	mustDraw(t, d.Halt())
	if err := d.DrawFrame(fbtest.Pattern(d.Bounds(), 0), nil); !errors.Is(err, fb.ErrHalted) {
		t.Errorf("DrawFrame: got %v, want ErrHalted", err)
	}
	if err := d.Check(); !errors.Is(err, fb.ErrHalted) {
		t.Errorf("Check: got %v, want ErrHalted", err)
	}
	if s := d.State(); s.Open || s.Err == nil {
		t.Errorf("State: got %+v", s)
	}
}
