package text

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestBlendAsDrawMask compares the fast blend with the standard library's
// generic one, which is the plain version: over random pixels, masks, colors,
// places and clips.
func TestBlendAsDrawMask(t *testing.T) {
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

		blend(got, clip, m, org, col)
		alpha := &image.Alpha{Pix: m.pix, Stride: m.rect.Dx(), Rect: m.rect}
		r := m.rect.Add(org).Intersect(clip)
		draw.DrawMask(want, r, image.NewUniform(col), image.Point{}, alpha, r.Min.Sub(org), draw.Over)
		for i := range got.Pix {
			if !near(int(got.Pix[i]), int(want.Pix[i]), 1) {
				t.Fatalf("byte %d: got %d, want %d (color %v, clip %v)", i, got.Pix[i], want.Pix[i], col, clip)
			}
		}
	}
}

// randomMask returns a mask with runs of 0 and 255, as glyphs have.
func randomMask(rnd *rand.Rand) *mask {
	r := rect(rnd.IntN(9)-4, rnd.IntN(9)-4, 1+rnd.IntN(30), 1+rnd.IntN(9))
	m := &mask{rect: r, pix: make([]uint8, r.Dx()*r.Dy())}
	for i := 0; i < len(m.pix); {
		v := []uint8{0, 255, uint8(rnd.IntN(256))}[rnd.IntN(3)]
		for n := rnd.IntN(20); n >= 0 && i < len(m.pix); n-- {
			m.pix[i] = v
			i++
		}
	}
	return m
}

// TestBlendExact wants whole coverage to store the color and none to leave
// every pixel as it is, for every level.
func TestBlendExact(t *testing.T) {
	for v := range 256 {
		img := image.NewRGBA(image.Rect(0, 0, 2, 1))
		u := uint8(v)
		copy(img.Pix, []uint8{u, u, u, 255, 9, 9, 9, 255})
		m := &mask{rect: img.Rect, pix: []uint8{0, 255}}
		blend(img, img.Rect, m, image.Point{}, color.RGBA{u, 255 - u, 7, 255})
		if want := []uint8{u, u, u, 255, u, 255 - u, 7, 255}; !bytes.Equal(img.Pix, want) {
			t.Errorf("level %d: got %v, want %v", v, img.Pix, want)
		}
	}
}

// TestPaintNotPremultiplied wants a color that cannot exist to do no harm.
func TestPaintNotPremultiplied(t *testing.T) {
	c := newCache()
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	var l Line
	c.Shape(&l, Default(), 30, "8")
	l.Paint(img, img.Rect, image.Pt(5, 35), color.RGBA{255, 255, 255, 100})
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] > img.Pix[i+3] || img.Pix[i+3] > 100 {
			t.Fatalf("pixel %d: got %v", i/4, img.Pix[i:i+4])
		}
	}
}

// TestPaintClip wants painting in two halves to be painting at once, and
// nothing outside the clip.
func TestPaintClip(t *testing.T) {
	c := newCache()
	whole, halves := image.NewRGBA(image.Rect(0, 0, 200, 60)), image.NewRGBA(image.Rect(0, 0, 200, 60))
	var l Line
	c.Shape(&l, Default(), 40, "Hey, 12")
	l.Paint(whole, whole.Rect, image.Pt(5, 45), white)
	l.Paint(halves, image.Rect(-9, -9, 77, 99), image.Pt(5, 45), white)
	for y := range 60 {
		for x := 77; x < 200; x++ {
			if (halves.RGBAAt(x, y) != color.RGBA{}) {
				t.Fatalf("pixel (%d,%d) outside the clip was painted", x, y)
			}
		}
	}
	l.Paint(halves, image.Rect(77, -9, 999, 99), image.Pt(5, 45), white)
	if !bytes.Equal(whole.Pix, halves.Pix) {
		t.Error("two halves differ from the whole")
	}
}

// TestCacheIsBounded shapes and draws more than fits and looks at the bytes.
func TestCacheIsBounded(t *testing.T) {
	c := NewCache(0)
	c.SystemFonts()
	var l Line
	for i := range 400 {
		c.Shape(&l, Default(), 20+i, string(rune('A'+i%26))+string(rune('a'+i%25)))
		l.Ink()
		if got := c.Bytes(); got > minCacheBytes {
			t.Fatalf("after %d: %d bytes, want at most %d", i, got, minCacheBytes)
		}
	}
	if len(c.masks.m) < 10 {
		t.Errorf("only %d masks are left", len(c.masks.m))
	}
}

// TestForget wants nothing of a font left.
func TestForget(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	var l Line
	c.Shape(&l, f, 20, "abc")
	l.Ink()
	c.Forget(f)
	if c.Bytes() != 0 {
		t.Errorf("got %d bytes left", c.Bytes())
	}
	l.Paint(image.NewRGBA(image.Rect(0, 0, 9, 9)), image.Rect(0, 0, 9, 9), image.Point{}, white) // stays valid
}

// TestConcurrentUse shapes and paints with one cache and font from several
// goroutines; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	c := NewCache(0)
	c.SystemFonts()
	var wg sync.WaitGroup
	pictures := make([]*image.RGBA, 4)
	for i := range pictures {
		pictures[i] = image.NewRGBA(image.Rect(0, 0, 200, 60))
		wg.Go(func() {
			b := NewBlock(c, Options{Box: image.Pt(200, 60)})
			for n := range 30 {
				b.Set(string(rune('a'+n)) + " Hello 12")
			}
			b.Paint(pictures[i], pictures[i].Rect, image.Point{}, white)
		})
	}
	wg.Wait()
	for i := range pictures {
		if !bytes.Equal(pictures[i].Pix, pictures[0].Pix) {
			t.Errorf("picture %d differs from the first", i)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	c := newCache()
	img := image.NewRGBA(image.Rect(0, 0, 400, 200))
	var l Line
	buf := []byte("12:34:00")
	b := NewBlock(c, Options{Box: image.Pt(400, 200), Align: Center, VAlign: Middle})
	i := 0
	for name, f := range map[string]func(){
		"clock tick": func() {
			i++
			buf[6], buf[7] = byte('0'+i/10%6), byte('0'+i%10)
			b.SetBytes(buf)
			b.Paint(img, img.Rect, image.Point{}, white)
		},
		"words": func() {
			i++
			c.Shape(&l, Default(), 22, [2]string{"Saturday, November 21", "Größe 21 °C"}[i%2])
			l.Paint(img, img.Rect, image.Pt(5, 100), white)
		},
		"arabic": func() {
			c.Shape(&l, Default(), 22, "מרבב")
			l.Paint(img, img.Rect, image.Pt(5, 100), white)
		},
	} {
		for range 100 {
			f()
		}
		if n := testing.AllocsPerRun(200, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkGlyph(b *testing.B) {
	const text = "Saturday November twentyfirst"
	c := newCache()
	img := image.NewRGBA(image.Rect(0, 0, 600, 40))
	var l Line
	c.Shape(&l, Default(), 22, text)
	b.Run("hit", func(b *testing.B) {
		b.ReportAllocs()
		var segs []*segment
		word := []byte("Saturday")
		for b.Loop() {
			segs = c.appendSegments(segs[:0], Default(), word)
		}
	})
	b.Run("shape", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Shape(&l, Default(), 22, text)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*5), "ns/segment")
	})
	b.Run("paint", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.Paint(img, img.Rect, image.Pt(5, 30), white)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(text)), "ns/glyph")
	})
	b.Run("both", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Shape(&l, Default(), 22, text)
			l.Paint(img, img.Rect, image.Pt(5, 30), white)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(text)), "ns/glyph")
	})
}

// BenchmarkCells sets and paints 12 automatically sized cells at 1080p, each
// time with another text, with all masks in the cache and with none.
func BenchmarkCells(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
	run := func(b *testing.B, warm bool) {
		var blocks [12]*Block
		texts := [2]string{"Living 21.5", "Living 22.4"}
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			if n == 0 || !warm {
				c := NewCache(64 << 20)
				for i := range blocks {
					blocks[i] = NewBlock(c, Options{Box: image.Pt(480, 360), Padding: 6, Align: Center, VAlign: Middle})
				}
			}
			for i, k := range blocks {
				k.Set(texts[n%2])
				k.Paint(img, img.Rect, image.Pt(i%4*480, i/4*360), white)
			}
		}
	}
	b.Run("warm", func(b *testing.B) { run(b, true) })
	b.Run("cold", func(b *testing.B) { run(b, false) })
}
