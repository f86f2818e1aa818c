package fb

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"
)

// wrapped presents a framebuffer as a draw.Image, so that image/draw can write to it pixel by pixel. Apart from the thresholds, it uses
// no code of the converters.
type wrapped struct {
	g      Geometry
	mem    []byte
	dither bool
}

func (w *wrapped) ColorModel() color.Model { return color.RGBAModel }
func (w *wrapped) Bounds() image.Rectangle { return w.g.bounds() }
func (w *wrapped) At(x, y int) color.Color { return w.g.Format.At(w.mem[w.g.offset(x, y):]) }

// Set rounds in floating point: the level is floor(value + threshold). value is measured in levels,
// and threshold is a fraction of a level.
func (w *wrapped) Set(x, y int, c color.Color) {
	r, g, b, _ := c.RGBA()
	f := w.g.Format
	v := uint64(math.MaxUint64)
	for _, ch := range []struct {
		value uint32
		field Bitfield
	}{{r >> 8, f.Red}, {g >> 8, f.Green}, {b >> 8, f.Blue}} {
		v &^= uint64(ch.field.mask())
		v |= uint64(w.level(ch.value, ch.field.Length, x, y)) << ch.field.Offset
	}
	for i := range f.BytesPerPixel() {
		w.mem[w.g.offset(x, y)+i] = byte(v >> (8 * i))
	}
}

func (w *wrapped) level(c uint32, n uint8, x, y int) uint32 {
	if n >= 8 {
		return uint32(math.Round(float64(c) * float64(uint32(1)<<n-1) / 255))
	}
	steps := math.Exp2(float64(8 - n)) // number of eight-bit values for each level
	threshold := 0.5
	if w.dither {
		threshold = math.Floor(float64(bayer(x, y))/64*steps) / steps
	}
	// value is the color in levels, as exact as its eight bits allow.
	value := (float64(c) - math.Floor(float64(c)/math.Exp2(float64(n)))) / steps
	return uint32(math.Floor(value + threshold))
}

func noise(r image.Rectangle) *image.RGBA {
	m := image.NewRGBA(r)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(rng.Uint32())
	}
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	return m
}

// TestDrawEqualsImageDraw draws every format, stride, offset and rectangle with Display.Draw and with draw.Draw on a wrapped destination.
func TestDrawEqualsImageDraw(t *testing.T) {
	const w, h = 37, 9
	rects := []struct {
		name string
		r    image.Rectangle
	}{
		{"whole", image.Rect(0, 0, w, h)},
		{"inside", image.Rect(3, 2, 20, 7)},
		{"one pixel", image.Rect(5, 5, 6, 6)},
		{"odd start", image.Rect(1, 1, 36, 2)},
		{"left and above", image.Rect(-9, -3, 8, 4)},
		{"right and below", image.Rect(30, 5, 50, 20)},
		{"around", image.Rect(-5, -5, w+5, h+5)},
		{"empty", image.Rect(4, 4, 4, 8)},
		{"outside", image.Rect(w, 0, w+9, h)},
	}
	for _, entry := range formatNames {
		for _, padding := range []int{0, 2, 10} {
			for _, offset := range []image.Point{{}, {3, 2}} {
				for _, dither := range []bool{true, false} {
					for _, rect := range rects {
						name := fmt.Sprintf("%s/padding %d/offset %v/dither %v/%s", entry.name, padding, offset, dither, rect.name)
						g := paddedGeometry(entry.format, w, h, padding, offset)
						if err := compareDraw(g, dither, rect.r); err != nil {
							t.Errorf("%s: %v", name, err)
						}
					}
				}
			}
		}
	}
}

func paddedGeometry(f Format, w, h, padding int, offset image.Point) Geometry {
	g := Geometry{
		Width: w, Height: h, XOffset: offset.X, YOffset: offset.Y, Format: f,
		VirtualWidth: w + offset.X, VirtualHeight: h + offset.Y,
	}
	g.Stride = g.VirtualWidth*f.BytesPerPixel() + padding
	g.Size = g.Stride * g.VirtualHeight
	return g
}

// fakeDevice is the simplest device that New accepts.
type fakeDevice struct {
	g   Geometry
	mem []byte
}

func (d fakeDevice) Geometry() (Geometry, error)   { return d.g, nil }
func (d fakeDevice) Pixels() []byte                { return d.mem }
func (d fakeDevice) Pan(int) error                 { return nil }
func (d fakeDevice) WaitVSync() error              { return nil }
func (d fakeDevice) Flush([]image.Rectangle) error { return nil }
func (d fakeDevice) Power(bool) error              { return nil }
func (d fakeDevice) Close() error                  { return nil }

func compareDraw(g Geometry, dither bool, r image.Rectangle) error {
	src := noise(image.Rect(-4, -4, g.Width+12, g.Height+12))
	got, want := bytes.Repeat([]byte{0xa5}, g.Size), bytes.Repeat([]byte{0xa5}, g.Size)
	d, err := New(fakeDevice{g, got}, Options{NoDither: !dither})
	if err != nil {
		return err
	}
	if err := d.Draw(r, src, image.Pt(1, -2)); err != nil {
		return err
	}
	draw.Draw(&wrapped{g, want, dither}, r, src, image.Pt(1, -2), draw.Src)
	if i := mismatch(got, want); i >= 0 {
		return fmt.Errorf("byte %d (row %d, column %d): got %#x, want %#x", i, i/g.Stride, i%g.Stride, got[i], want[i])
	}
	return nil
}

func mismatch(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// fastConverters holds the converters that newConverter returns, and the portable functions that the assembly replaces on some machines.
var fastConverters = []struct {
	name   string
	format Format
	dither bool
	fast   converter
}{
	{"xrgb8888", XRGB8888, true, newConverter(XRGB8888, true)},
	{"xrgb8888 portable", XRGB8888, true, func(dst, src []byte, _, _ int) { xrgbPlain(dst, src) }},
	{"xbgr8888", XBGR8888, true, newConverter(XBGR8888, true)},
	{"rgb565", RGB565, false, newConverter(RGB565, false)},
	{"rgb565 portable", RGB565, false, func(dst, src []byte, x, y int) { rgb565Plain(dst, src, pattern565(false, x, y)) }},
	{"rgb565 dithered", RGB565, true, newConverter(RGB565, true)},
	{"rgb565 dithered portable", RGB565, true, func(dst, src []byte, x, y int) { rgb565Plain(dst, src, pattern565(true, x, y)) }},
	{"bgr565", BGR565, false, newConverter(BGR565, false)},
	{"bgr565 dithered", BGR565, true, newConverter(BGR565, true)},
}

// TestFastConvertersEqualPlain compares the fast converters with plainConverter at every length and alignment. So the rows also end with
// pixels that do not fill a whole step of the loop. The test also checks that no byte after the row is written.
func TestFastConvertersEqualPlain(t *testing.T) {
	const longest = 75
	src := noise(image.Rect(0, 0, longest, 1)).Pix
	for _, test := range fastConverters {
		plain := plainConverter(test.format, test.dither)
		for n := range longest + 1 {
			for x := range 5 {
				size := n * test.format.BytesPerPixel()
				got, want := bytes.Repeat([]byte{0xa5}, size+64), bytes.Repeat([]byte{0xa5}, size+64)
				test.fast(got[:size], src[:4*n], x, 3*x+n)
				plain(want[:size], src[:4*n], x, 3*x+n)
				if i := mismatch(got, want); i >= 0 {
					t.Fatalf("%s: %d pixels at x %d: byte %d: got %#x, want %#x", test.name, n, x, i, got[i], want[i])
				}
			}
		}
	}
}

// BenchmarkConvert converts the rows of a 1920x1080 frame to one row, which stays in the
// processor's cache. For comparison, the case `copy` copies each row without conversion.
func BenchmarkConvert(b *testing.B) {
	frame := noise(image.Rect(0, 0, 1920, 1080))
	row := make([]byte, frame.Stride)
	run := func(name string, f converter) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(frame.Pix)))
			b.ReportAllocs()
			for b.Loop() {
				for y := range 1080 {
					f(row, frame.Pix[y*frame.Stride:(y+1)*frame.Stride], 0, y)
				}
			}
		})
	}
	run("copy", func(dst, src []byte, _, _ int) { copy(dst, src) })
	for _, test := range fastConverters {
		run(test.name, test.fast)
	}
	run("rgb565 dithered, oracle", plainConverter(RGB565, true))
}

// TestConverterIgnoresAlpha: a transparent premultiplied pixel is drawn in the color that it would have over black.
func TestConverterIgnoresAlpha(t *testing.T) {
	src := []byte{40, 30, 20, 50, 0, 0, 0, 0, 255, 255, 255, 255}
	dst := make([]byte, 12)
	newConverter(XRGB8888, true)(dst, src, 0, 0)
	if want := []byte{20, 30, 40, 255, 0, 0, 0, 255, 255, 255, 255, 255}; !bytes.Equal(dst, want) {
		t.Errorf("got %v, want %v", dst, want)
	}
}

func TestDitherMeanError(t *testing.T) {
	// With five bits the mean over the pattern differs only by the rounding of c>>5: less than one eight-bit level.
	// Plain rounding differs by up to four.
	const limit = 1.0
	for _, f := range []Format{RGB565, BGR565, XRGB1555, ARGB4444, RGB332} {
		for c := range 256 {
			var sum [3]float64
			for y := range ditherSide {
				for x := range ditherSide {
					m := f.unpack(f.pack(uint8(c), uint8(c), uint8(c), bayer(x, y)))
					sum[0] += float64(m.R)
					sum[1] += float64(m.G)
					sum[2] += float64(m.B)
				}
			}
			for i, s := range sum {
				if mean := s / (ditherSide * ditherSide); math.Abs(mean-float64(c)) > limit {
					t.Errorf("%v channel %d: mean of %d is %.2f, want at most %.1f off", f, i, c, mean, limit)
				}
			}
		}
	}
}

func TestExactColorsAreNotDithered(t *testing.T) {
	for _, entry := range formatNames {
		f := entry.format
		for c := range 256 {
			exact := f.unpack(f.pack(uint8(c), uint8(c), uint8(c), nearest))
			want := f.pack(exact.R, exact.G, exact.B, nearest)
			for threshold := range uint32(64) {
				if got := f.pack(exact.R, exact.G, exact.B, threshold); got != want {
					t.Fatalf("%v: %v at threshold %d: got %#x, want %#x", f, exact, threshold, got, want)
				}
			}
		}
	}
}

func TestBayerHasEveryThreshold(t *testing.T) {
	var seen uint64
	for y := range ditherSide {
		for x := range ditherSide {
			seen |= 1 << bayer(x, y)
			if got, want := bayer(x+ditherSide, y-ditherSide), bayer(x, y); got != want {
				t.Errorf("bayer(%d, %d) does not repeat: got %d, want %d", x, y, got, want)
			}
		}
	}
	if seen != math.MaxUint64 {
		t.Errorf("got thresholds %#x, want all 64", seen)
	}
}

func TestRotation(t *testing.T) {
	const w, h = 5, 3
	for _, r := range []Rotation{0, 90, 180, 270} {
		size := r.size(w, h)
		seen := map[image.Point]bool{}
		for y := range h {
			for x := range w {
				u := r.upright(x, y, w, h)
				seen[u] = true
				if !u.In(image.Rectangle{Max: size}) {
					t.Errorf("%d: device %d,%d is upright %v, outside of %v", r, x, y, u, size)
				}
				one := image.Rectangle{u, u.Add(image.Pt(1, 1))}
				if got, want := r.rect(one, w, h), image.Rect(x, y, x+1, y+1); got != want {
					t.Errorf("%d: upright %v: got %v, want %v", r, one, got, want)
				}
			}
		}
		if len(seen) != w*h {
			t.Errorf("%d: got %d positions, want %d", r, len(seen), w*h)
		}
	}
	// With a rotation of 90 degrees clockwise, the upper left corner of the frame is at the upper right of the screen.
	if got, want := Rotation(90).rect(image.Rect(0, 0, 1, 1), w, h), image.Rect(w-1, 0, w, 1); got != want {
		t.Errorf("90: got %v, want %v", got, want)
	}
	if Rotation(45).Validate() == nil {
		t.Error("45 degrees: got no error")
	}
}
