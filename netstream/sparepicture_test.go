package netstream

import (
	"image"
	"image/color"
	"testing"
	"time"
)

func TestSparePicture(t *testing.T) {
	var p sparePicture
	at := time.Unix(0, 0)
	a := p.take(100, 80)
	p.put(a, at)
	p.put(nil, at)
	if b := p.take(90, 80); &b.Pix[0] != &a.Pix[0] || b.Rect != image.Rect(0, 0, 90, 80) || len(b.Pix) != 4*90*80 {
		t.Errorf("got %v of other pixels", b.Rect)
	}
	if b := p.take(100, 80); &b.Pix[0] == &a.Pix[0] {
		t.Error("pixels are given to two")
	}
	p.put(a, at)
	if b := p.take(10, 8); &b.Pix[0] == &a.Pix[0] {
		t.Error("a small picture holds the pixels of a large one")
	}
	p.put(a, at)
	if p.release(at.Add(spareTime)); p.pix == nil {
		t.Error("let go too early")
	}
	if p.release(at.Add(spareTime + 1)); p.pix != nil {
		t.Error("kept for ever")
	}
}

// A new size reuses the pixels of a removed size.
func TestChangingSizesReusePixels(t *testing.T) {
	s := newStream(Options{Format: "bmp", CacheBytes: 1 << 20})
	mustDraw(t, s, flat(640, 400, color.RGBA{255, 0, 0, 255}))
	mustGet(t, s, Request{W: 200, H: 100})
	before := &s.sizes[0].pixels.Pix[0]
	s.mu.Lock()
	s.dropAllLocked()
	s.mu.Unlock()
	mustGet(t, s, Request{W: 190, H: 100})
	if &s.sizes[0].pixels.Pix[0] != before {
		t.Error("got new pixels")
	}
}
