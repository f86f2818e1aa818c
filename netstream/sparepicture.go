package netstream

import (
	"image"
	"sync"
	"time"
)

// spareTime is how long unused pixels are kept.
const spareTime = 5 * time.Second

// A sparePicture keeps the pixels of a dropped picture for the next one. Without it, frequent changes of sizes would create
// garbage faster than it is collected.
type sparePicture struct {
	mu    sync.Mutex
	pix   []byte
	since time.Time
}

// take returns a picture of a size with undefined content.
func (p *sparePicture) take(w, h int) *image.RGBA {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := 4 * w * h; n > 0 && n <= cap(p.pix) && cap(p.pix)-n <= n/2 {
		img := &image.RGBA{Pix: p.pix[:n:n], Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
		p.pix = nil
		return img
	}
	p.pix = nil // too small, or much too large
	return image.NewRGBA(image.Rect(0, 0, w, h))
}

// put stores the pixels of an unused picture. A nil picture is ignored.
func (p *sparePicture) put(img *image.RGBA, now time.Time) {
	if img == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pix, p.since = img.Pix, now
}

// release drops pixels that were unused for a while.
func (p *sparePicture) release(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.since) > spareTime {
		p.pix = nil
	}
}
