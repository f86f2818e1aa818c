package rig

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"

	"dashboard/fb"
	"dashboard/fb/fbtest"
)

func writePNG(path string, m image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// onDevice returns the picture that a framebuffer with the format `f` shows for m. Package fb, compiled for this machine, writes m to
// memory, and onDevice decodes the memory.
func onDevice(m *image.RGBA, f fb.Format) (*image.RGBA, error) {
	mem := fbtest.NewMemory(fb.Geometry{Width: m.Rect.Dx(), Height: m.Rect.Dy(), Format: f})
	d, err := fb.New(mem, fb.Options{})
	if err != nil {
		return nil, err
	}
	defer d.Halt()
	if err := d.DrawFrame(m, nil); err != nil {
		return nil, err
	}
	shown := mem.Shown()
	return shown, errors.Join(withinOneLevel(shown, m, f), dithered(shown, m, f))
}

// In a dithered gradient, at least one of ditheredShare pixels must have less red than the pixel to its left.
const ditheredShare = 1000

// dithered() returns an error if a gradient with few levels shows bands. It looks at pixels where the painted red does not decrease from
// left to right. If the shown red is only rounded, it does not decrease there either. If it is dithered, it often decreases.
func dithered(shown, painted *image.RGBA, f fb.Format) error {
	if f.Bits >= 24 {
		return nil
	}
	back := 0
	for y := range painted.Rect.Dy() {
		for x := range painted.Rect.Dx() - 1 {
			i, next := painted.PixOffset(x, y), painted.PixOffset(x+1, y)
			if painted.Pix[next] >= painted.Pix[i] && shown.Pix[next] < shown.Pix[i] {
				back++
			}
		}
	}
	if least := painted.Rect.Dx() * painted.Rect.Dy() / ditheredShare; back < least {
		return fmt.Errorf("the picture is not dithered: its red steps back at %d pixels, want %d", back, least)
	}
	return nil
}

// withinOneLevel returns an error if a channel of a pixel on the screen differs from the painted channel by more than one level of the
// format. One level is the limit of dithering. The function shares no code with the tested package.
func withinOneLevel(shown, painted *image.RGBA, f fb.Format) error {
	step := [3]int{255, 255, 255}
	for i, b := range []fb.Bitfield{f.Red, f.Green, f.Blue} {
		step[i] = 255/(1<<b.Length-1) + 1
	}
	if f.Bits >= 24 {
		step = [3]int{1, 1, 1}
	}
	for i, c := range shown.Pix {
		if i%4 == 3 {
			continue
		}
		if d := int(c) - int(painted.Pix[i]); d >= step[i%4] || -d >= step[i%4] {
			x, y := i/4%painted.Rect.Dx(), i/4/painted.Rect.Dx()
			return fmt.Errorf("pixel %d,%d: got %v on the screen, painted %v", x, y, shown.RGBAAt(x, y), painted.RGBAAt(x, y))
		}
	}
	return nil
}

// A lens compares colors within the precision of a format, because emulators and hardware fill the missing bits of a
// short channel differently.
type lens [3]uint8

func newLens(f fb.Format) lens {
	var l lens
	for i, b := range []fb.Bitfield{f.Red, f.Green, f.Blue} {
		l[i] = 0xff << (8 - min(b.Length, 8))
	}
	return l
}

// same() reports whether two RGBA pixels look equal.
func (l lens) same(a, b []uint8) bool {
	return (a[0]^b[0])&l[0] == 0 && (a[1]^b[1])&l[1] == 0 && (a[2]^b[2])&l[2] == 0
}

// differ() returns the number of pixels that look different in two pictures, and the smallest rectangle that contains them. If the sizes
// differ, all pixels count as different.
func (l lens) differ(a, b *image.RGBA) (n int, where image.Rectangle) {
	if a.Rect != b.Rect {
		return max(a.Rect.Dx()*a.Rect.Dy(), 1), a.Rect.Union(b.Rect)
	}
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			i := y*a.Stride + 4*x
			if !l.same(a.Pix[i:i+4], b.Pix[i:i+4]) {
				n++
				where = where.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return n, where
}

// maxTorn is the number of pixels of a screenshot that may be half written. QEMU stores the bytes of a pixel one after the other, and
// another thread of QEMU reads the bytes at the same time.
const maxTorn = 4

// oneOf returns an error if a pixel of `m` differs both from the pixel of `a` and from the pixel of `b`. It accepts maxTorn pixels whose
// bytes are from both pictures.
func (l lens) oneOf(m, a, b *image.RGBA) error {
	if m.Rect != a.Rect || m.Rect != b.Rect {
		return fmt.Errorf("the screen is %v, want %v", m.Rect, a.Rect)
	}
	left := maxTorn
	for i := 0; i < len(m.Pix); i += 4 {
		p, q, r := m.Pix[i:i+4], a.Pix[i:i+4], b.Pix[i:i+4]
		if l.same(p, q) || l.same(p, r) {
			continue
		}
		if left--; left < 0 || !l.torn(p, q, r) {
			x, y := i/4%m.Rect.Dx(), i/4/m.Rect.Dx()
			return fmt.Errorf("pixel %d,%d is %v, in neither picture", x, y, m.RGBAAt(x, y))
		}
	}
	return nil
}

// torn() reports whether every byte of `p` is from `a` or from `b`. A byte of RGB565 contains three bits of green, so the upper three bits
// of a channel may have another origin than its lower bits.
func (l lens) torn(p, a, b []uint8) bool {
	const upper = 0xe0
	for i, bits := range l {
		for _, part := range [2]uint8{bits & upper, bits &^ upper} {
			if (p[i]^a[i])&part != 0 && (p[i]^b[i])&part != 0 {
				return false
			}
		}
	}
	return true
}

// near() reports whether a pixel may represent a color after dithering. If a channel cannot hold the exact value, the next level is also
// accepted.
func (l lens) near(p, c color.RGBA) bool {
	for i, d := range [3]int{int(p.R) - int(c.R), int(p.G) - int(c.G), int(p.B) - int(c.B)} {
		if slack := int(^l[i]); slack > 0 && max(d, -d) > slack+1 || slack == 0 && d != 0 {
			return false
		}
	}
	return true
}

// plain() returns an error if a pixel of a rectangle does not have the color c.
func (l lens) plain(m *image.RGBA, r image.Rectangle, c color.RGBA) error {
	if !r.In(m.Rect) {
		return fmt.Errorf("%v is not on the screen, which is %v", r, m.Rect)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if got := m.RGBAAt(x, y); !l.near(got, c) {
				return fmt.Errorf("pixel %d,%d is %v, want %v", x, y, got, c)
			}
		}
	}
	return nil
}
