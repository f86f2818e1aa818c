package blend

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
)

// TestPaintAsDrawMask compares Paint with draw.DrawMask of the standard library, for random pixels, masks, colors, places and clips.
func TestPaintAsDrawMask(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		m := randomMask(rnd)
		got := image.NewRGBA(image.Rect(3, 4, 43, 34))
		for i := 0; i < len(got.Pix); i += 4 {
			a := uint8(rnd.IntN(4) * 85)
			copy(got.Pix[i:], []uint8{uint8(rnd.IntN(int(a) + 1)), uint8(rnd.IntN(int(a) + 1)), uint8(rnd.IntN(int(a) + 1)), a})
		}
		want := &image.RGBA{Pix: bytes.Clone(got.Pix), Stride: got.Stride, Rect: got.Rect}
		org := image.Pt(rnd.IntN(60)-10, rnd.IntN(60)-10)
		clip := image.Rect(rnd.IntN(50), rnd.IntN(50), rnd.IntN(50), rnd.IntN(50)).Intersect(got.Rect)
		col := color.RGBA{A: []uint8{255, 255, 128, uint8(rnd.IntN(256))}[rnd.IntN(4)]}
		col.R, col.G, col.B = uint8(rnd.IntN(int(col.A)+1)), uint8(rnd.IntN(int(col.A)+1)), col.A

		Paint(got, clip, m, org, col)
		r := m.Rect.Add(org).Intersect(clip)
		draw.DrawMask(want, r, image.NewUniform(col), image.Point{}, m, r.Min.Sub(org), draw.Over)
		for i := range got.Pix {
			if d := int(got.Pix[i]) - int(want.Pix[i]); d < -1 || d > 1 {
				t.Fatalf("byte %d: got %d, want %d (color %v, clip %v)", i, got.Pix[i], want.Pix[i], col, clip)
			}
		}
	}
}

// TestCoverKernels compares every version of cover() with the plain version: for every level and coverage, opaque and translucent colors,
// and rows of every length. Nothing outside the block may change.
func TestCoverKernels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for alpha := range 256 {
		a := uint8(alpha)
		col := color.RGBA{a, a / 3, uint8(rnd.IntN(alpha + 1)), a}
		w, h := 1+alpha%37, 1+alpha%7
		if alpha > 250 {
			w, h = 256, 256 // every combination of a level and a coverage
		}
		dst, mask := make([]uint8, 4*(w+3)*h), make([]uint8, (w+2)*h)
		for i := range dst {
			dst[i] = uint8(i / 4 / (w + 3))
		}
		for i := range mask {
			mask[i] = uint8(i % (w + 2))
			if alpha%2 == 0 {
				mask[i] = uint8(rnd.IntN(3) * 127)
			}
		}
		got, want := bytes.Clone(dst), bytes.Clone(dst)
		of := func(pix []uint8) block {
			return block{dst: pix[4:], cover: mask[1:], stride: 4 * (w + 3), coverStride: w + 2, w: w, h: h}
		}
		coverPlain(of(want), col)
		lanes := bytes.Clone(dst)
		if coverLanes(of(lanes), col); !bytes.Equal(lanes, want) {
			t.Fatalf("portable: alpha %d, %dx%d differs from the plain version", alpha, w, h)
		}
		narrow := bytes.Clone(dst)
		if !cover32(of(narrow), col) || !bytes.Equal(narrow, want) {
			t.Fatalf("32 bits: alpha %d, %dx%d differs from the plain version", alpha, w, h)
		}
		if cover(of(got), col); !bytes.Equal(got, want) {
			t.Fatalf("%s: alpha %d, %dx%d differs from the plain version", Kernels(), alpha, w, h)
		}
	}
}

// Pixels that do not begin at a multiple of four bytes are left to the version for 64 bits.
func TestCover32NeedsAlignment(t *testing.T) {
	pix := bytes.Repeat([]byte{1}, 40)
	if cover32(block{dst: pix[1:], cover: []byte{255}, w: 1, h: 1}, color.RGBA{9, 9, 9, 255}) || pix[1] != 1 {
		t.Error("unaligned pixels were blended")
	}
	if cover32(block{dst: pix, cover: []byte{255, 255}, stride: 9, coverStride: 1, w: 1, h: 2}, color.RGBA{9, 9, 9, 255}) || pix[0] != 1 {
		t.Error("unaligned rows were blended")
	}
}

func BenchmarkPaint(b *testing.B) {
	dst := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for _, size := range []image.Point{{11, 16}, {250, 200}} {
		m := &Mask{Rect: image.Rectangle{Max: size}, Stride: size.X, Pix: bytes.Repeat([]uint8{0, 40, 255, 255, 255, 120, 0, 0}, size.X*size.Y/8+1)}
		for name, col := range map[string]color.RGBA{"opaque": {200, 100, 50, 255}, "translucent": {100, 50, 25, 128}} {
			b.Run(fmt.Sprintf("%s %v", name, size), func(b *testing.B) {
				for b.Loop() {
					Paint(dst, dst.Rect, m, image.Pt(3, 3), col)
				}
			})
		}
	}
}

// randomMask returns a mask with runs of 0 and 255, as glyphs have.
func randomMask(rnd *rand.Rand) *Mask {
	r := image.Rect(0, 0, 1+rnd.IntN(30), 1+rnd.IntN(9)).Add(image.Pt(rnd.IntN(9)-4, rnd.IntN(9)-4))
	m := &Mask{Rect: r, Stride: r.Dx(), Pix: make([]uint8, r.Dx()*r.Dy())}
	for i := 0; i < len(m.Pix); {
		v := []uint8{0, 255, uint8(rnd.IntN(256))}[rnd.IntN(3)]
		for n := rnd.IntN(20); n >= 0 && i < len(m.Pix); n-- {
			m.Pix[i] = v
			i++
		}
	}
	return m
}

// TestCoverExact checks every level of color and pixel: full coverage stores the color, and coverage 0 leaves the pixel unchanged.
func TestCoverExact(t *testing.T) {
	for v := range 256 {
		img := image.NewRGBA(image.Rect(0, 0, 2, 1))
		u := uint8(v)
		copy(img.Pix, []uint8{u, u, u, 255, 9, 9, 9, 255})
		m := &Mask{Rect: img.Rect, Stride: 2, Pix: []uint8{0, 255}}
		Paint(img, img.Rect, m, image.Point{}, color.RGBA{u, 255 - u, 7, 255})
		if want := []uint8{u, u, u, 255, u, 255 - u, 7, 255}; !bytes.Equal(img.Pix, want) {
			t.Errorf("level %d: got %v, want %v", v, img.Pix, want)
		}
	}
}
