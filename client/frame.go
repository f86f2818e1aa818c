package client

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"sync"
	"time"

	"dashboard/netstream"
	"dashboard/netstream/bilinear"
	"dashboard/render/damage"
)

// stripRows is the number of rows to compare at once: small enough for a processor's cache, and equal to a row of tiles.
const stripRows = 16

// A frame is the newest picture of the service in the screen's size. The fetching and the showing goroutine share it.
type frame struct {
	mu      sync.Mutex
	pix     *image.RGBA // opaque. Black before the first frame
	fresh   damage.List // changes since it was last shown
	any     bool        // true after the first frame from the service
	latency latency     // latency of the newest frame
	unshown bool        // latency has not been shown

	// Only the fetching goroutine uses these fields, without a lock.
	strip  *image.RGBA
	scaler *bilinear.Scaler // scales source's size to the screen's (nil if frames have the right size)
	source *image.RGBA
}

func newFrame(size image.Point) *frame {
	all := image.Rectangle{Max: size}
	f := &frame{pix: image.NewRGBA(all), strip: image.NewRGBA(image.Rect(0, 0, size.X, min(size.Y, stripRows)))}
	draw.Draw(f.pix, all, image.Black, image.Point{}, draw.Src)
	f.fresh.Add(all)
	return f
}

// setWhole stores a whole frame of any size. Transparent pixels, which only other services send, become black.
func (f *frame) setWhole(img image.Image) {
	src, under := img, false
	if size := img.Bounds().Size(); size == f.pix.Rect.Size() {
		f.scaler, f.source = nil, nil
		under = translucent(img)
	} else {
		f.prepare(img)
		src = nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.any = true
	for y := 0; y < f.pix.Rect.Dy(); y += stripRows {
		end := min(y+stripRows, f.pix.Rect.Dy())
		if src == nil {
			f.scaler.ScaleRows(f.strip, y, end, f.source)
		} else {
			f.fill(src, y, end, under)
		}
		f.mergeLocked(y, end)
	}
}

// prepare prepares to scale img.
func (f *frame) prepare(img image.Image) {
	from, to := img.Bounds().Size(), f.pix.Rect.Size()
	if f.source == nil || f.source.Rect.Size() != from {
		f.source = image.NewRGBA(image.Rectangle{Max: from})
		f.scaler = bilinear.New(to.X, to.Y, from.X, from.Y)
	}
	flatten(f.source, img, img.Bounds().Min, translucent(img))
}

// fill writes rows y to end of img into the strip.
func (f *frame) fill(img image.Image, y, end int, translucent bool) {
	f.strip.Rect = image.Rect(0, y, f.pix.Rect.Dx(), end)
	flatten(f.strip, img, img.Bounds().Min.Add(image.Pt(0, y)), translucent)
}

// translucent reports whether a picture has transparent pixels, so that black must be drawn below it. For most kinds of images this
// checks every pixel.
func translucent(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return img.ColorModel() != color.YCbCrModel && (!ok || !o.Opaque())
}

// flatten draws img over black, starting at at.
func flatten(dst *image.RGBA, img image.Image, at image.Point, translucent bool) {
	op := draw.Src
	if translucent {
		draw.Draw(dst, dst.Rect, image.Black, image.Point{}, draw.Src)
		op = draw.Over
	}
	draw.Draw(dst, dst.Rect, img, at, op)
}

// mergeLocked copies the differences from the strip, which holds rows y to end.
func (f *frame) mergeLocked(y, end int) {
	var changed image.Rectangle
	for ; y < end; y++ {
		have, got := row(f.pix, y), row(f.strip, y)
		if bytes.Equal(have, got) {
			continue
		}
		first, last := span(have, got)
		copy(have[4*first:4*last], got[4*first:4*last])
		changed = changed.Union(image.Rect(first, y, last, y+1))
	}
	f.fresh.Add(changed)
}

// row returns the bytes of row y.
func row(m *image.RGBA, y int) []byte {
	at := (y - m.Rect.Min.Y) * m.Stride
	return m.Pix[at : at+4*m.Rect.Dx()]
}

// span returns the index of the first pixel that differs, and the index after the last one. The rows must differ.
func span(a, b []byte) (first, last int) {
	last = len(a) / 4
	for a[4*first] == b[4*first] && a[4*first+1] == b[4*first+1] && a[4*first+2] == b[4*first+2] {
		first++
	}
	for i := 4*last - 4; a[i] == b[i] && a[i+1] == b[i+1] && a[i+2] == b[i+2]; i -= 4 {
		last--
	}
	return first, last
}

// setTiles copies changed tiles into the frame. See [netstream.Delta]. After an error the frame is unchanged. The painter waits
// only while pixels are copied, each at most once.
func (f *frame) setTiles(body []byte) error {
	d, err := netstream.DecodeDelta(f.pix.Rect.Size(), body)
	if err != nil {
		return err
	}
	var changed damage.List // a few rectangles instead of perhaps thousands
	changed.AddAll(d.Damage())
	f.mu.Lock()
	defer f.mu.Unlock()
	d.Apply(f.pix)
	f.fresh.AddAll(changed.Rects())
	return nil
}

// came returns the publication time of the newest frame, or the time of its arrival if the service does not send one. any is false
// if there is no frame.
func (f *frame) came() (at time.Time, any bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.latency.published.IsZero() {
		return f.latency.published, f.any
	}
	return f.latency.downloaded, f.any
}

// setLatency stores the latency of the newest frame.
func (f *frame) setLatency(l latency) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.latency, f.unshown = l, true
}
