package text

import (
	"bytes"
	"image"
	"image/color"
	"sync"
	"testing"

	"dashboard/internal/testing/race"
)

// TestPaintNotPremultiplied checks that an invalid premultiplied color leaves only valid pixels, whose colors do not exceed their alpha.
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

// TestPaintClip checks that painting two halves gives the same result as painting the whole, and that nothing outside the clip changes.
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

// TestCacheIsBounded shapes and draws more text than fits in the cache, and checks the cache's size.
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

// TestForget checks that nothing of a font stays in the cache.
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
	l.Paint(image.NewRGBA(image.Rect(0, 0, 9, 9)), image.Rect(0, 0, 9, 9), image.Point{}, white) // the line stays valid after Forget
}

// TestConcurrentUse uses one cache and one font from several goroutines, so that the race detector can find races.
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
	if race.Enabled {
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

// BenchmarkCells sets and paints 12 cells with automatic text size at 1080p, each time with another
// text. In the case "warm" all masks are in the cache. In the case "cold" the cache is empty.
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
