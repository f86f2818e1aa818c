package netstream

import (
	"image"
	"sync"
	"time"
)

// spareTime is how long unused pixels are kept.
const spareTime = 5 * time.Second

// A sparePicture keeps the memory of an unused picture for the next picture. Otherwise, frequent changes of sizes would produce garbage
// faster than the collector frees it.
type sparePicture struct {
	mu    sync.Mutex
	pix   []byte
	since time.Time
}

// take returns a picture of w x h pixels with undefined content.
func (p *sparePicture) take(w, h int) *image.RGBA {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := 4 * w * h; n > 0 && n <= cap(p.pix) && cap(p.pix)-n <= n/2 {
		img := &image.RGBA{Pix: p.pix[:n:n], Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
		p.pix = nil
		return img
	}
	p.pix = nil // the kept memory is too small or much too large
	return image.NewRGBA(image.Rect(0, 0, w, h))
}

// put keeps the memory of an unused picture. If `img` is nil, it does nothing.
func (p *sparePicture) put(img *image.RGBA, now time.Time) {
	if img == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pix, p.since = img.Pix, now
}

// release frees the kept memory if it was unused for more than spareTime.
func (p *sparePicture) release(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.since) > spareTime {
		p.pix = nil
	}
}
